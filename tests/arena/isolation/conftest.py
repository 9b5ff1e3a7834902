"""Players and a look at what they leave behind."""

import os
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import hansu
from hansu.arena.isolation import sandbox
from hansu.arena.isolation.launch import NotIsolatedWarning
from hansu.arena.isolation.player import IsolatedPlayer
from hansu.arena.isolation.process import UNPRIVILEGED
from hansu.arena.isolation.requirements import missing, requirements

collect_ignore = ["hostile"]  # some of it breaks whoever imports it

HOSTILE = Path(__file__).parent / "hostile"
GOOD = "hansu.agents.random.RandomAgent"


@pytest.fixture(scope="session")
def isolation() -> None:
    """Skips where agents cannot be isolated."""
    if missing():
        pytest.skip(f"no isolation here: {', '.join(f.name for f in missing())}; see hansu doctor")


@pytest.fixture(scope="module")
def good(isolation: None) -> Iterator[IsolatedPlayer]:
    """An honest isolated player, the opponent of all hostile ones: it must survive them."""
    player = IsolatedPlayer(GOOD, hansu.game("tictactoe"), require_isolation=True)
    game = hansu.game("tictactoe")
    player.reset(True, game.start(), 0)
    yield player
    player.close()


@pytest.fixture
def make_hostile(isolation: None) -> Iterator[Callable[..., IsolatedPlayer]]:
    """Seats a file of the hostile folder, ``file`` or ``file:key=value``."""
    made = []

    def make(text: str, game: str = "tictactoe", **options: object) -> IsolatedPlayer:
        file, colon, rest = text.partition(":")
        place = f"{HOSTILE / file}.py{colon}{rest}"
        player = IsolatedPlayer(
            place, hansu.game(game), name=file, require_isolation=True, **options
        )
        made.append(player)
        return player

    yield make
    for player in made:
        player.close()


@pytest.fixture
def without_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A machine where bubblewrap is not on the PATH."""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setattr(sandbox, "is_root", lambda: False)  # root never runs an agent like this
    requirements.cache_clear()
    assert missing()
    yield
    requirements.cache_clear()


BOTH = pytest.mark.parametrize("seated", ["isolated", "plain"], indirect=True)


@pytest.fixture(params=["isolated", pytest.param("plain", marks=pytest.mark.slow)])
def seated(request: pytest.FixtureRequest) -> Iterator[Callable[..., IsolatedPlayer]]:
    """Seats an agent by file, with bubblewrap and without (slow, but in tests that say BOTH)."""
    request.getfixturevalue("isolation" if request.param == "isolated" else "without_bubblewrap")
    made = []

    def make(path: Path | str, game: str = "tictactoe", **options: object) -> IsolatedPlayer:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotIsolatedWarning)
            isolated = request.param == "isolated"
            place, chosen = str(path), hansu.game(game)
            player = IsolatedPlayer(place, chosen, require_isolation=isolated, **options)
        made.append(player)
        return player

    yield make
    for player in made:
        player.close()


@pytest.fixture
def outside() -> Iterator[Path]:
    """A folder that everybody may use, and that is not where an agent's scratch folder appears."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


@pytest.fixture
def nothing_left(good: IsolatedPlayer) -> Iterator[None]:
    """No process, zombie or descriptor more than before."""
    before, opened = processes(), descriptors()
    yield
    deadline = time.monotonic() + 60.0  # the dead may not have been reaped yet by a busy system
    left = processes() - before
    while left and time.monotonic() < deadline:
        time.sleep(0.01)
        left &= processes()  # others come and go in tests that run beside
    assert not left
    while descriptors() != opened and time.monotonic() < deadline:
        time.sleep(0.01)  # a thread that reads what a program wrote may not have seen its end
    assert descriptors() == opened


def processes() -> set[int]:
    """Our descendants, and agents that nobody looks after any more."""
    parents, users, names = {}, {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                lines = (entry / "status").read_text().splitlines()
            except OSError:
                continue
            facts = {
                key: value.strip() for key, _, value in (line.partition(":") for line in lines)
            }
            pid = int(entry.name)
            parents[pid], names[pid] = int(facts["PPid"]), facts["Name"]
            users[pid] = int(facts["Uid"].split()[0])
    found = set()
    for pid in parents:
        ancestor = pid
        while ancestor in parents and (
            users[ancestor] >= UNPRIVILEGED or names[ancestor] == "bwrap"
        ):
            ancestor = parents[ancestor]
        orphan = ancestor != pid and ancestor in (0, 1)
        while ancestor in parents and ancestor != os.getpid():
            ancestor = parents[ancestor]
        if pid != os.getpid() and (orphan or ancestor == os.getpid()):
            found.add(pid)
    return found


def descriptors() -> int:
    """How many this process has open."""
    return len(os.listdir("/proc/self/fd"))
