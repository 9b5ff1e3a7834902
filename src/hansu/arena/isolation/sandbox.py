"""What an isolated process sees of the disk, and the bubblewrap command that makes it so."""

import importlib.machinery
import os
import shutil
import site
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

from hansu.agents.loading import Reference
from hansu.arena.isolation.limits import SandboxLimits
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.kernel.compile import PACKAGE

SCRATCH = "/tmp"  # inside: a private folder in memory, the only place that can be written
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
BOOT = (
    "import sys; incoming, outgoing, *sys.path = sys.argv[1:];"
    "from hansu.arena.isolation.child import main; main(int(incoming), int(outgoing))"
)


@dataclass(frozen=True)
class View:
    """Folders and files, all read-only."""

    code: Path  # the agent's own folder: its imports and its other files
    visible: Path  # what of it can be seen: the folder, or only the file
    readable: tuple[str, ...]  # interpreter, packages, compiled code
    import_path: tuple[str, ...]


def find_view(agent: Reference, game: Game) -> View:
    """What this agent needs to see; raises HansuError if it is not there."""
    code, visible = _own_place(agent)
    if visible.is_symlink():
        raise HansuError(f"{visible} is a symbolic link: it could show what is not the agent's")
    places = [str(Path(place)) for place in sys.path if place]
    roots = (sys.prefix, sys.base_prefix, *_site_folders())
    import_path = [place for place in places if place.startswith(roots)]
    import_path += _game_folder(game)
    if str(PACKAGE.parent) not in import_path:
        import_path.insert(0, str(PACKAGE.parent))
    readable = [*roots, str(PACKAGE), *_game_folder(game), *chosen_cache(), *LIBRARIES]
    present = [place for place in dict.fromkeys(readable) if os.path.exists(place)]
    return View(code, visible, tuple(present), tuple(dict.fromkeys(import_path)))


def _own_place(agent: Reference) -> tuple[Path, Path]:
    """The folder an agent imports from, and the part of it that it may see."""
    if agent.is_file:
        file = Path(agent.place).absolute()  # not resolved: a link must not choose the folder
        if file.is_symlink() or not file.is_file():
            raise HansuError(f"{agent.place} is not a file")
        everything = file.parent.resolve() in (Path.home().resolve(), Path(file.anchor))
        return file.parent, file if everything else file.parent
    top = agent.place.partition(".")[0]
    places = [os.getcwd(), *(place or os.getcwd() for place in sys.path)]
    spec = importlib.machinery.PathFinder.find_spec(top, places)  # finds, and imports nothing
    if spec is None:
        raise HansuError(f"there is no module {top}")
    if spec.submodule_search_locations:
        package = Path(next(iter(spec.submodule_search_locations))).absolute()
        return package.parent, package
    file = Path(spec.origin or "").absolute()
    return file.parent, file


def _site_folders() -> list[str]:
    """Where packages are installed outside the interpreter's own folders."""
    user = site.getusersitepackages()
    return [user] if user in sys.path else []


def _game_folder(game: Game) -> list[str]:
    """Where a game of somebody's own lies."""
    top = type(game).__module__.partition(".")[0]
    if top == "hansu":
        return []
    file = Path(sys.modules[top].__file__ or "").resolve()
    return [str(file.parent.parent if file.name == "__init__.py" else file.parent)]


def chosen_cache() -> list[str]:
    """The folder for compiled code that the user has chosen, if any."""
    chosen = os.environ.get("HANSU_CACHE_DIR")
    return [os.path.abspath(chosen)] if chosen else []


def environment(scratch: str) -> dict[str, str]:
    """All that the agent's process gets: nothing of ours but how and where code is compiled."""
    kept = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK")
    return {
        "HOME": scratch,
        "TMPDIR": scratch,
        "PATH": "",
        "LANG": "C.UTF-8",
        "NUMBA_CACHE_DIR": f"{scratch}/numba",
        # With the main thread, a pool of this size stays within the four that are allowed.
        "NUMBA_NUM_THREADS": str(min(3, os.cpu_count() or 1)),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        **{name: os.environ[name] for name in kept if name in os.environ},
        **dict(zip(["HANSU_CACHE_DIR"], chosen_cache(), strict=False)),
    }


def python_command(view: View, incoming: int, outgoing: int) -> list[str]:
    """The interpreter with the same packages as ours, and nothing from the environment."""
    flags = ["-I", "-S", "-B", "-X", "utf8"]
    interpreter = os.path.realpath(sys.executable)
    return [interpreter, *flags, "-c", BOOT, str(incoming), str(outgoing), *view.import_path]


def bwrap_command(view: View, code: Path, limits: SandboxLimits, info: int) -> list[str]:
    """bubblewrap with new namespaces; ``code`` is mounted where ``view.visible`` lies outside."""
    binds = {place: place for place in view.readable} | {str(view.visible): str(code)}
    compiled = user_cache_path("hansu") / "kernels"  # inside, the home folder is the scratch
    if compiled.is_dir():
        binds[f"{SCRATCH}/.cache/hansu/kernels"] = str(compiled)
    mounts = [
        word
        for place in sorted(binds, key=len)  # what contains others first
        for word in ("--ro-bind", binds[place], place)
    ]
    devices = [word for place in DEVICES for word in ("--dev-bind", place, place)]
    parents = {str(parent) for place in (*binds, *DEVICES) for parent in Path(place).parents}
    folders = [  # bubblewrap makes them for its own user alone
        word
        for place in sorted(parents - {"/", SCRATCH}, key=len)
        for word in ("--perms", "0755", "--dir", place)
    ]
    return [
        shutil.which("bwrap") or "bwrap",
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        *("--unshare-cgroup-try", "--hostname", "arena"),
        # Root changes to another user inside (see ``confine.become``): bubblewrap alone would
        # only rename it. Anyone else gets the user namespace here.
        *(("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID") if is_root() else _USER),
        *("--die-with-parent", "--new-session", "--info-fd", str(info)),
        *("--perms", "1777", "--size", str(limits.scratch_bytes), "--tmpfs", SCRATCH),
        *folders,
        *mounts,
        *devices,
        *("--proc", "/proc", "--chdir", SCRATCH, "--remount-ro", "/"),
    ]


_USER = ("--unshare-user", "--uid", "65534", "--gid", "65534")


def is_root() -> bool:
    """Whether this process runs as root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def open_to_all(folder: Path) -> bool:
    """Whether any user may read what lies directly here."""
    if folder.is_file():
        return bool(folder.stat().st_mode & 0o004)
    inside: Iterable[Path] = folder.iterdir()
    return folder.stat().st_mode & 0o005 == 0o005 and all(
        item.stat().st_mode & 0o004 for item in inside if item.suffix == ".py"
    )
