"""Whatever an agent leaves is gone when it ends, and whatever a killed arena leaves, soon after."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

import hansu
from hansu.arena.isolation import orphans, scratch
from hansu.arena.isolation.cgroup import own_cgroup
from hansu.arena.isolation.scratch import PREFIX, ScratchFolder, remove_tree, sweep
from hansu.arena.isolation.use import read_status
from tests.arena.isolation.conftest import BOTH

DIGGER = """import ctypes
import hansu

libc = ctypes.CDLL(None)


class Digger(hansu.Agent):
    def act(self, state):
        for _ in range(3000):
            assert libc.mkdir(b"d", 0o700) == 0
            libc.chdir(b"d")
        libc.chmod(b".", 0)
        return next(iter(state.legal_moves))
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """A folder for temporary files that nobody else uses."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield folder
    monkeypatch.undo()
    tempfile.tempdir = None


@BOTH
def test_a_deep_folder_is_removed(seated, tmp_path, temporary):
    (tmp_path / "digger.py").write_text(DIGGER)
    player = seated(tmp_path / "digger.py")
    state = hansu.game("tictactoe").start()
    player.reset(True, state, 0)
    player.act(state, 30.0)
    player.close()
    assert list(temporary.iterdir()) == []


def test_what_has_no_rights_is_removed_too(tmp_path):
    top = tmp_path / "top"
    (top / "a" / "b").mkdir(parents=True)
    (top / "a" / "b" / "file").touch()
    (top / "link").symlink_to(tmp_path)
    for folder in (top / "a" / "b", top / "a", top):
        folder.chmod(0)
    remove_tree(str(top))
    assert not top.exists()
    assert tmp_path.exists()


def test_only_what_nobody_holds_is_swept_away(temporary):
    held = ScratchFolder()
    other = temporary / f"{PREFIX}left"
    (other / "deep" / "down").mkdir(parents=True)
    strange = temporary / "hansu-base"
    strange.mkdir()
    sweep()
    assert not other.exists()
    assert strange.exists()
    assert Path(held.path).exists()
    held.remove()
    held.remove()
    assert not Path(held.path).exists()


@pytest.mark.parametrize("kind", ["isolated", "plain"])
def test_a_killed_arena_leaves_nothing(request, kind, tmp_path, temporary):
    """Killed with its agent at work; the agent's folder can be read by its owner alone."""
    request.getfixturevalue("isolation" if kind == "isolated" else "without_bubblewrap")
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    (private / "loop.py").write_text(
        "import hansu\nclass Loop(hansu.Agent):\n    def act(self, state):\n"
        "        print(end='')\n        open('made', 'w').close()\n        while True: pass\n"
    )
    code = (
        "import hansu, warnings\nwarnings.simplefilter('ignore')\n"
        "from hansu.arena.isolation.player import IsolatedPlayer\n"
        "from hansu.arena.isolation import sandbox\n"
        "game = hansu.game('tictactoe')\n"
        f"{'' if kind == 'isolated' else 'sandbox.is_root = lambda: False'}\n"
        f"p = IsolatedPlayer({str(private / 'loop.py')!r}, game,"
        f" require_isolation={kind == 'isolated'})\n"
        "p.reset(True, game.start(), 0)\nprint(p.process.pid, flush=True)\n"
        "p.act(game.start(), 100.0)\n"
    )
    arena = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    pid = int(arena.stdout.readline())
    arena.send_signal(signal.SIGKILL)
    arena.wait()
    arena.stdout.close()
    deadline = time.monotonic() + 60.0
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline
    if kind == "plain":
        sweep()  # what the next agent that is started does
    assert list(temporary.iterdir()) == []
    own_cgroup.cache_clear()
    place = own_cgroup()
    assert place is None or not list(place.glob(f"hansu-{arena.pid}-*"))


def test_without_locks_nothing_is_swept(monkeypatch, temporary):
    (temporary / f"{PREFIX}somebodys").mkdir()
    monkeypatch.setattr(scratch, "fcntl", None)
    sweep()
    assert (temporary / f"{PREFIX}somebodys").exists()


def first_inside(outer):
    """The first process of bubblewrap's namespace, as soon as there is one."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                status = read_status(int(entry.name))
                if int(status[b"PPid"]) == outer and status[b"NSpid"].split()[1:] == [b"1"]:
                    return int(entry.name)
            except (OSError, KeyError):
                continue
        time.sleep(0.01)
    raise AssertionError("bubblewrap did not start")


def is_gone(pid):
    deadline = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return not Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize("mark", [orphans.MARK.decode(), "somebody.elses"])
def test_a_sandbox_that_lost_its_maker_as_it_began_is_ended(isolation, mark):
    """As when the outer process is killed before the inner one has tied itself to it."""
    reading, writing = os.pipe()  # nothing ever comes: the inner process waits before it runs
    command = ["bwrap", "--unshare-pid", "--ro-bind", "/", "/", "--block-fd", str(reading)]
    outer = subprocess.Popen([*command, "sleep", "1000", mark], pass_fds=[reading])
    inner = first_inside(outer.pid)
    try:
        sweep = orphans.sweep_orphans.__wrapped__
        sweep()
        assert Path(f"/proc/{inner}").exists()  # its maker lives
        outer.kill()
        outer.wait()
        sweep()
        if mark == orphans.MARK.decode():
            assert is_gone(inner)
        else:
            assert Path(f"/proc/{inner}").exists()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(inner, signal.SIGKILL)
        os.close(reading)
        os.close(writing)
