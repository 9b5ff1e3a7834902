"""What an agent sees of the disk: its own file or package, and what every agent may read."""

import importlib.machinery
import os
import re
import site
import sys
from dataclasses import dataclass
from pathlib import Path

from hansu.agents.loading import Reference
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.kernel.compile import PACKAGE
from hansu.protocols.manifest import find_program_at

AGENT = Path("/agent")  # inside: the agent's own file or package
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
PROGRAMS = (  # what programs of other languages are run by
    *("/bin", "/usr/bin", "/usr/local/bin", "/usr/games", "/usr/libexec", "/usr/share"),
    "/etc/alternatives",
)
RESULTS = (".db", ".sqlite", ".sqlite3", ".db-wal", ".jsonl")
_AGENT_CLASS = re.compile(rb"^class \w+\(.*Agent\b.*\)\s*:", re.MULTILINE)


@dataclass(frozen=True)
class View:
    """What an agent sees: places outside, and where its own code appears inside. All read-only."""

    own: Path  # its file or package
    root: Path  # the folder that ``own`` is imported from
    code: Path  # the folder of its file: for imports of its own
    copied: bool  # whether it gets a copy; else ``own`` is part of what is readable
    readable: tuple[str, ...]  # interpreter, packages, compiled code
    import_path: tuple[str, ...]

    def inside(self, path: Path) -> Path:
        """Where something of the agent's own is found inside."""
        return AGENT / path.relative_to(self.root) if self.copied else path


def find_view(agent: Reference, game: Game) -> View:
    """What this agent needs to see; raises HansuError if it is not there."""
    if agent.is_program:
        return find_program_view(find_program_at(agent).own, game)
    own, root, code = _own_file(agent) if agent.is_file else _own_module(agent)
    return _view(own, root, code, game)


def find_program_view(own: Path, game: Game) -> View:
    """What a program needs to see: its own file or folder, and what runs scripts."""
    return _view(own, own.parent, own if own.is_dir() else own.parent, game, PROGRAMS)


def _view(own: Path, root: Path, code: Path, game: Game, more: tuple[str, ...] = ()) -> View:
    if own.is_symlink():
        raise HansuError(f"{own} is a symbolic link: it could show what is not the agent's")
    places = [str(Path(place)) for place in sys.path if place]
    roots = (sys.prefix, sys.base_prefix, *_site_folders())
    import_path = [place for place in places if place.startswith(roots)]
    game_path, game_place = _game_folder(game)
    import_path += game_path
    if str(PACKAGE.parent) not in import_path:
        import_path.insert(0, str(PACKAGE.parent))
    readable = [*roots, str(PACKAGE), *game_place, *chosen_cache(), *LIBRARIES, *more]
    present = [place for place in dict.fromkeys(readable) if os.path.exists(place)]
    copied = not any(own.is_relative_to(place) for place in present)
    return View(own, root, code, copied, tuple(present), tuple(dict.fromkeys(import_path)))


def _own_file(agent: Reference) -> tuple[Path, Path, Path]:
    """An agent's file, or its folder if that is a package; the folder of that; the file's folder.

    Not a package around that one: it may hold the packages of many.
    """
    file = Path(agent.place).absolute()  # not resolved: a link must not choose the folder
    if file.is_symlink() or not file.is_file():
        raise HansuError(f"{agent.place} is not a file")
    own = file.parent if _is_package(file.parent) else file
    return own, own.parent, file.parent


def _own_module(agent: Reference) -> tuple[Path, Path, Path]:
    """The outermost package of a dotted path, or its module; found, and never imported."""
    places = [os.getcwd(), *(place or os.getcwd() for place in sys.path)]
    root = None
    for part in agent.place.split("."):
        spec = importlib.machinery.PathFinder.find_spec(part, places)
        if spec is None:
            break
        if not spec.submodule_search_locations:
            own = Path(spec.origin or "").absolute()
            return own, root or own.parent, root or own.parent
        places = [str(Path(place).absolute()) for place in spec.submodule_search_locations]
        root = root or Path(places[0]).parent
        if _is_package(Path(places[0])):
            return Path(places[0]), root, root
        # A folder without __init__.py is nobody's package: it may hold the code of many.
    raise HansuError(f"there is no module {agent.place.partition('.')[0]}")


def _is_package(folder: Path) -> bool:
    """Whether a folder is a package; neither the home folder nor the top of the disk is one."""
    nobodys = (Path.home().resolve(), Path(folder.anchor))
    return (folder / "__init__.py").is_file() and folder.resolve() not in nobodys


def shared_with(view: View) -> str:
    """What lies in the agent's package and should not, in a few words; empty if nothing."""
    if not view.copied or not view.own.is_dir():
        return ""
    names = sorted(os.listdir(view.own))
    strange = [name for name in names if name.startswith(".")]
    strange += [name for name in names if name.endswith(RESULTS)]
    agents = [name for name in names if _defines_agent(view.own / name)]
    if len(agents) > 1:
        strange += agents
    return ", ".join(strange[:5]) + (" ..." if len(strange) > 5 else "")


def _defines_agent(path: Path, deeper: bool = True) -> bool:
    """Whether a file, or one in a folder, seems to define an agent; it is only read."""
    try:
        if deeper and path.is_dir():
            return any(_defines_agent(inside, deeper=False) for inside in path.iterdir())
        if path.suffix != ".py" or not path.is_file() or path.stat().st_size > 1 << 20:
            return False
        return _AGENT_CLASS.search(path.read_bytes()) is not None
    except OSError:
        return False


def _site_folders() -> list[str]:
    """Where packages are installed outside the interpreter's own folders."""
    user = site.getusersitepackages()
    return [user] if user in sys.path else []


def _game_folder(game: Game) -> tuple[list[str], list[str]]:
    """Where a game of somebody's own is imported from, and the file or package that it is."""
    top = type(game).__module__.partition(".")[0]
    if top == "hansu":
        return [], []
    file = Path(sys.modules[top].__file__ or "").resolve()
    place = file.parent if file.name == "__init__.py" else file
    return [str(place.parent)], [str(place)]


def chosen_cache() -> list[str]:
    """The folder for compiled code that the user has chosen, if any."""
    chosen = os.environ.get("HANSU_CACHE_DIR")
    return [os.path.abspath(chosen)] if chosen else []
