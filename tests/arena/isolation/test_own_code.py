"""An agent sees its own file or package, and nothing that lies beside it."""

import os
import socket
import warnings

import pytest

import hansu
from hansu.arena.isolation.launch import NotIsolatedWarning
from hansu.arena.isolation.limits import MIB, SandboxLimits
from hansu.arena.isolation.player import IsolatedPlayer, SharedFolderWarning
from hansu.arena.player import Fault
from hansu.errors import HansuError
from tests.arena.isolation.conftest import HOSTILE

SNOOP = """import os
import hansu


class Snoop(hansu.Agent):
    def act(self, state):
        top = os.path.dirname(os.path.abspath(__file__))
        seen = []
        for folder, folders, files in os.walk(top):
            seen += files + folders
        raise RuntimeError(f"seen {sorted(seen)} in {top}")
"""


@pytest.fixture
def course(tmp_path):
    """A folder as teachers have it: everybody's agents, results and secrets."""
    for name in ("alice", "bob"):
        (tmp_path / f"{name}.py").write_text(SNOOP)
    (tmp_path / "results.db").write_bytes(b"seed 42")
    (tmp_path / ".env").write_text("TOKEN=secret")
    (tmp_path / "carol").mkdir()
    (tmp_path / "carol" / "agent.py").write_text(SNOOP)
    return tmp_path


def evidence(who, **options):
    player = IsolatedPlayer(str(who), hansu.game("tictactoe"), **options)
    state = hansu.game("tictactoe").start()
    try:
        player.reset(True, state, 0)
        with pytest.raises(Fault) as caught:
            player.act(state, 20.0)
    finally:
        player.close()
    return caught.value.evidence


def test_a_file_sees_itself_alone(isolation, course):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (
            evidence(course / "alice.py")
            == "RuntimeError: seen ['alice.py'] in /agent at alice.py:11"
        )


def test_a_module_of_a_folder_that_is_no_package_sees_itself_alone(isolation, course, monkeypatch):
    monkeypatch.chdir(course.parent)
    found = evidence(f"{course.name}.alice.Snoop")
    assert "seen ['alice.py']" in found
    assert "agent.py" in evidence(f"{course.name}.carol.agent.Snoop")


def test_a_package_sees_itself_but_no_dotfiles_and_nothing_special(isolation, tmp_path):
    package = tmp_path / "pkg"
    (package / "data").mkdir(parents=True)
    for name in ("__init__.py", "helper.py", ".env", "data/book.txt", "data/.hidden"):
        (package / name).write_text("")
    (package / "agent.py").write_text(SNOOP)
    (package / ".git").mkdir()
    os.mkfifo(package / "pipe")
    (package / "dangling").symlink_to("/nowhere/at/all")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(package / "socket"))
        (tmp_path / "outside.txt").write_text("not the agent's")
        with pytest.warns(SharedFolderWarning, match=r"holds \.env, \.git: give each"):
            found = evidence(package / "agent.py")
    names = "'__init__.py', 'agent.py', 'book.txt', 'dangling', 'data', 'helper.py'"
    assert f"seen [{names}] in pkg" in found


def test_a_shared_package_is_warned_of(isolation, course):
    (course / "__init__.py").touch()
    with pytest.warns(SharedFolderWarning, match=r"\.env, results\.db, alice\.py, bob\.py"):
        IsolatedPlayer(str(course / "alice.py"), hansu.game("tictactoe"))


def test_a_package_in_a_package_sees_no_other(isolation, course, monkeypatch):
    """Everybody has a package, and somebody has made one of the whole folder."""
    (course / "__init__.py").touch()
    for name in ("carol", "dave"):
        (course / name).mkdir(exist_ok=True)
        (course / name / "__init__.py").touch()
        (course / name / "agent.py").write_text(SNOOP)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = evidence(course / "carol" / "agent.py")
    assert "seen ['__init__.py', 'agent.py'] in carol" in found
    monkeypatch.chdir(course.parent)
    with pytest.warns(SharedFolderWarning, match=r"alice\.py, bob\.py, carol"):
        IsolatedPlayer(f"{course.name}.carol.agent.Snoop", hansu.game("tictactoe"))


@pytest.mark.parametrize(
    ("line", "missed"),
    [("import bob", "No module named 'bob'"), ("open('/agent/results.db')", "No such file")],
)
def test_whoever_misses_a_neighbour_is_told_why(isolation, course, line, missed):
    code = f"import hansu\nclass Lone(hansu.Agent):\n    def act(self, state):\n        {line}\n"
    (course / "lone.py").write_text(code)
    found = evidence(course / "lone.py")
    assert missed in found
    assert "unless __init__.py makes its folder a package" in found


def deep(folder):
    (folder / "/".join("d" * 40)).mkdir(parents=True)


def sparse(folder):
    with open(folder / "weights.bin", "wb") as file:
        file.truncate(3 << 30)


def many(folder):
    for number in range(300):
        (folder / f"{number}.txt").touch()


@pytest.mark.parametrize(
    ("spoil", "why"),
    [(deep, "more than 32 deep"), (sparse, "bigger than the 1 MiB"), (many, "more than 200 files")],
)
def test_what_is_too_much_is_refused_in_a_sentence(isolation, tmp_path, spoil, why):
    (tmp_path / "__init__.py").touch()
    (tmp_path / "agent.py").write_text(SNOOP)
    spoil(tmp_path)
    limits = SandboxLimits(code_bytes=MIB, code_files=200)
    player = IsolatedPlayer(str(tmp_path / "agent.py"), hansu.game("tictactoe"), limits=limits)
    with pytest.raises(HansuError, match=why):
        player.reset(True, hansu.game("tictactoe").start(), 0)


def test_the_copy_cannot_be_changed(isolation, course):
    (course / "writer.py").write_text(
        "import ctypes, hansu, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "class Writer(hansu.Agent):\n    def act(self, state):\n"
        "        made = [libc.open(p, os.O_CREAT | os.O_RDWR, 0o600) for p in\n"
        "            (b'/agent/new', b'/agent/writer.py', b'/new', b'/proc/1/oom_score_adj')]\n"
        "        raise RuntimeError(f'{made[:3]} {libc.chmod(b\"/agent\", 0o777)}')\n"
    )
    assert "[-1, -1, -1] -1" in evidence(course / "writer.py")


def test_the_first_process_is_the_agents_own(isolation, monkeypatch):
    """No other process to read or write, and nothing of the organiser in its command."""
    monkeypatch.setenv("SECRET", "SECRET")
    name = "at_the_first"
    found = evidence(HOSTILE / f"{name}.py", name=name)
    assert "written [], told []" in found


@pytest.mark.skipif(os.geteuid() == 0, reason="root's agents are root where they are not isolated")
def test_even_a_plain_process_cannot_write_to_the_arena(without_bubblewrap):
    """It has our uid, but a user namespace of its own."""
    with pytest.warns(NotIsolatedWarning):
        found = evidence(HOSTILE / "at_the_first.py", name="at_the_first", require_isolation=False)
    assert "written []" in found
