"""Honest agents in isolation: they play as they would at home."""

import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import pytest

import hansu
from hansu.arena.isolation import launch as launch_module
from hansu.arena.isolation import sandbox
from hansu.arena.isolation.framing import HEADER, FramingError, Inbox, pack
from hansu.arena.isolation.launch import NotIsolatedWarning
from hansu.arena.isolation.player import IsolatedPlayer
from hansu.arena.isolation.requirements import Requirement
from hansu.arena.isolation.syscalls import load_seccomp
from hansu.arena.match import match
from hansu.arena.player import LocalPlayer
from hansu.arena.referee import play
from hansu.errors import HansuError
from hansu.games.game import GAMES
from hansu.records.record import TimeControl

PLAYED = ("line", "board_full")  # how tic-tac-toe ends when nobody misbehaves
HERE = Path(__file__).parent

HONEST = '''"""Plays the first move, unless it sees something strange."""
import os
import hansu
from neighbour import pick


class Honest(hansu.Agent):
    def __init__(self, name, color):
        super().__init__(name, color)
        self.games = 0

    def reset(self):
        self.games += 1
        with open(os.path.join(os.path.dirname(__file__), "book.txt")) as file:
            self.book = file.read()
        with open("notes.txt", "a") as file:  # the working folder is its scratch
            file.write("x")
        with open("notes.txt") as file:
            assert len(file.read()) == self.games

    def act(self, state):
        assert self.book == "knowledge"
        assert state.turn == self.color
        state.white_remain_sec, moves = 0.0, list(state.legal_moves)
        state.push(moves[0])  # on its own copy: nobody minds
        return pick(moves)
'''


@pytest.fixture
def honest(tmp_path: Path) -> str:
    """A folder with an agent, a module of its own and a file; private, as home folders are."""
    tmp_path.chmod(0o700)
    (tmp_path / "neighbour.py").write_text("def pick(moves):\n    return moves[0]\n")
    (tmp_path / "book.txt").write_text("knowledge")
    (tmp_path / "__init__.py").touch()  # a package: all of it is the agent's
    (tmp_path / "honest.py").write_text(HONEST)
    for file in tmp_path.iterdir():
        file.chmod(0o600)
    return str(tmp_path / "honest.py")


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_same_seed_gives_the_same_game_inside_and_outside(isolation, name):
    try:
        game = hansu.game(name)
    except ImportError:
        pytest.skip(f"{name} is not there yet")
    inside = IsolatedPlayer("hansu.agents.random.RandomAgent", game, require_isolation=True)
    outside = [LocalPlayer(hansu.agent(game, "random")) for _ in range(3)]
    try:
        for seed in range(2):
            expected = play(game.start(), *outside[:2], seed=seed)
            found = play(game.start(), inside, outside[2], seed=seed)
            assert found.moves == expected.moves
            assert found.outcome == expected.outcome
    finally:
        inside.close()


def test_a_game_that_starts_in_the_middle(isolation):
    game = hansu.game("connect4")
    start = game.parse("4453")
    inside = IsolatedPlayer("hansu.agents.random.RandomAgent", game, require_isolation=True)
    local = [LocalPlayer(hansu.agent(game, "random")) for _ in range(3)]
    try:
        found = play(start, local[2], inside, seed=5)
        assert found.moves == play(start, *local[:2], seed=5).moves
    finally:
        inside.close()


def test_an_agent_has_its_folder_its_scratch_and_one_process_for_the_match(isolation, honest):
    game = hansu.game("tictactoe")
    inside = IsolatedPlayer(honest, game, require_isolation=True)
    random = LocalPlayer(hansu.agent(game, "random"))
    try:
        pids = set()
        for seed in range(3):
            record = play(game.start(), inside, random, TimeControl(seconds=10), seed=seed)
            assert record.outcome.reason in PLAYED, record.evidence
            pids.add(inside.process.pid)
        assert len(pids) == 1
    finally:
        inside.close()


def test_after_a_fault_the_next_game_gets_a_new_process(isolation):
    game = hansu.game("tictactoe")
    path = HERE / "hostile" / "os_exit.py"
    inside = IsolatedPlayer(str(path), game, require_isolation=True)
    random = LocalPlayer(hansu.agent(game, "random"))
    for _ in range(2):
        record = play(game.start(), inside, random)
        assert record.outcome.reason == "crash"
        assert "exit status 7" in record.evidence
    inside.close()
    inside.close()


def test_resigning(isolation, tmp_path):
    (tmp_path / "quitter.py").write_text(
        "import hansu\nclass Quitter(hansu.Agent):\n    def act(self, state):\n"
        "        return hansu.RESIGN\n"
    )
    record = hansu.play_game("tictactoe", str(tmp_path / "quitter.py"), "random")
    assert record.outcome.reason == "resignation"
    assert record.winner == "random"


def test_options_and_clocks_reach_the_agent(isolation, tmp_path):
    (tmp_path / "teller.py").write_text(
        "import hansu\nclass Teller(hansu.Agent):\n"
        "    def __init__(self, name, color, depth):\n"
        "        super().__init__(name, color)\n"
        "        self.depth = depth\n"
        "    def act(self, state):\n"
        "        clocks = state.white_remain_sec, state.black_remain_sec\n"
        "        raise RuntimeError(f'{self.depth!r} {clocks} {self.game}')\n"
    )
    agent = f"{tmp_path / 'teller.py'}:Teller:depth=3"
    record = hansu.play_game("connect4", agent, "random", seconds=7.0)
    assert "'3' (7.0, 7.0) connect4" in record.evidence
    record = hansu.play_game("connect4", agent, "random", seconds=None)
    assert "'3' (inf, inf) connect4" in record.evidence


def test_what_a_match_names_by_file_is_isolated(isolation, honest):
    result = match("tictactoe", honest, "random", games=4)
    assert {record.outcome.reason for record in result.games} <= set(PLAYED)


def test_where_isolation_is_missing_it_is_refused_or_said_aloud(honest, monkeypatch):
    lacking = [Requirement("bubblewrap", False, "not found", "apt install bubblewrap")]
    monkeypatch.setattr(launch_module, "missing", lambda: lacking)
    game = hansu.game("tictactoe")
    with pytest.raises(HansuError, match=r"cannot be isolated .* apt install bubblewrap"):
        IsolatedPlayer(honest, game)
    monkeypatch.setattr(sandbox, "is_root", lambda: True)
    with pytest.raises(HansuError, match="without isolation would be root"):
        IsolatedPlayer(honest, game, require_isolation=False)
    monkeypatch.setattr(sandbox, "is_root", lambda: False)
    with pytest.warns(NotIsolatedWarning, match="NOT isolated"):
        plain = IsolatedPlayer(honest, game, require_isolation=False)
    record = play(game.start(), plain, LocalPlayer(hansu.agent(game, "random")))
    assert record.outcome.reason in PLAYED, record.evidence
    pid = plain.process.pid
    scratch = Path(plain.process.scratch)
    assert scratch.is_dir()
    plain.close()
    assert not Path(f"/proc/{pid}").exists()
    assert not scratch.exists()


@pytest.mark.parametrize(
    ("file", "reason", "evidence"),
    [
        ("loop_in_c", "timeout", ""),
        ("segfault", "crash", "SIGSEGV"),
        ("fork_bomb", "disqualified", "another process"),
        ("socket_in_c", "disqualified", "SIGSYS"),
        ("read_file:path=/etc/passwd", "disqualified", "tried to read"),
    ],
)
def test_a_plain_process_is_still_stopped_from_the_worst(monkeypatch, file, reason, evidence):
    monkeypatch.setattr(sandbox, "is_root", lambda: False)
    if evidence == "SIGSYS" and load_seccomp() is None:
        pytest.skip("no system-call filter here")
    name, colon, rest = file.partition(":")
    game = hansu.game("tictactoe")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        place = f"{HERE / 'hostile' / name}.py{colon}{rest}"
        plain = IsolatedPlayer(place, game, require_isolation=False)
    random = LocalPlayer(hansu.agent(game, "random"))
    record = play(game.start(), plain, random, TimeControl(seconds=1.5))
    assert record.outcome.reason == reason, record.evidence
    assert evidence in record.evidence
    plain.close()


def test_the_home_folder_is_not_an_agents_own_folder(isolation, tmp_path, monkeypatch):
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "snoop.py").write_text(
        "import ctypes, hansu, os\nclass Snoop(hansu.Agent):\n    def act(self, state):\n"
        "        raise RuntimeError(str(os.listdir(os.path.dirname(__file__))))\n"
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    record = hansu.play_game("tictactoe", str(tmp_path / "snoop.py"), "random")
    assert "RuntimeError: ['snoop.py']" in record.evidence


def test_links_lead_nowhere(isolation, tmp_path):
    """Neither a link instead of the agent nor one beside it shows what is not the agent's."""
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "agent.py").write_text("secret idea")
    mine = tmp_path / "mine"
    mine.mkdir(mode=0o700)  # private: root's agents get a copy
    (mine / "linked.py").symlink_to(secret / "agent.py")
    (mine / "reader.py").write_text(
        "import hansu\nclass Reader(hansu.Agent):\n    def act(self, state):\n"
        "        with open(__file__.replace('reader', 'linked')) as file:\n"
        "            raise RuntimeError(file.read())\n"
    )
    with pytest.raises(HansuError, match="is not a file"):
        IsolatedPlayer(str(mine / "linked.py"), hansu.game("tictactoe"))
    record = hansu.play_game("tictactoe", str(mine / "reader.py"), "random")
    assert "FileNotFoundError" in record.evidence
    assert "secret idea" not in record.evidence


def test_numba_and_threads_work_inside(isolation, tmp_path):
    (tmp_path / "busy.py").write_text(
        "import threading\nimport hansu\nfrom hansu.kernel import kernel\n"
        "@kernel\ndef double(x):\n    return 2 * x\n"
        "class Busy(hansu.Agent):\n"
        "    def act(self, state):\n"
        "        found = []\n"
        "        crew = [threading.Thread(target=lambda: found.append(double(2))) for _ in '123']\n"
        "        for t in crew: t.start()\n"
        "        for t in crew: t.join()\n"
        "        assert found == [4, 4, 4]\n"
        "        return next(iter(state.legal_moves))\n"
    )
    record = hansu.play_game("tictactoe", str(tmp_path / "busy.py"), "random")
    assert record.outcome.reason in PLAYED, record.evidence


def test_threads_that_have_ended_do_not_count(isolation, tmp_path):
    """The kernel clears a joined thread a little later; until then it counts against the limit."""
    (tmp_path / "crew.py").write_text(
        "import threading\nimport hansu\n"
        "class Crew(hansu.Agent):\n"
        "    def act(self, state):\n"
        "        for _ in range(1000):\n"
        "            crew = [threading.Thread(target=int) for _ in '123']\n"
        "            for t in crew: t.start()\n"
        "            for t in crew: t.join()\n"
        "        return next(iter(state.legal_moves))\n"
    )
    record = hansu.play_game("tictactoe", str(tmp_path / "crew.py"), "random")
    assert record.outcome.reason in PLAYED, record.evidence


def test_the_process_has_no_rights(isolation):
    """Seen from outside, where nothing inside can lie."""
    game = hansu.game("tictactoe")
    inside = IsolatedPlayer("hansu.agents.random.RandomAgent", game, require_isolation=True)
    inside.reset(True, game.start(), 0)
    proc = Path(f"/proc/{inside.process.pid}")
    lines = (proc / "status").read_text().splitlines()
    facts = {key: value.split() for key, _, value in (line.partition(":") for line in lines)}
    assert "0" not in facts["Uid"] + facts["Gid"]
    assert [int(facts[cap][0], 16) for cap in ("CapPrm", "CapEff", "CapInh", "CapAmb")] == [0] * 4
    assert (facts["NoNewPrivs"], facts["Seccomp"]) == (["1"], ["2"])
    assert facts["Threads"] == ["1"]
    for name in ("user", "mnt", "pid", "net", "ipc", "uts"):
        own, theirs = os.readlink(f"/proc/self/ns/{name}"), os.readlink(proc / "ns" / name)
        assert own != theirs, name
    inside.close()


def test_players_in_threads_of_their_own(isolation):
    """Four games at once; each player starts and ends in one thread."""
    records = []

    def one(seed: int) -> None:
        agent = "hansu.agents.random.RandomAgent"
        records.append(hansu.play_game("tictactoe", agent, "random", seed=seed))

    crew = [threading.Thread(target=one, args=(seed,)) for seed in range(4)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join()
    assert [record.outcome.reason in PLAYED for record in records] == [True] * 4


def test_an_agent_dies_with_the_arena(isolation, tmp_path):
    """The arena is killed while its agent loops with every signal ignored."""
    code = (
        "import hansu\nfrom hansu.arena.isolation.player import IsolatedPlayer\n"
        "game = hansu.game('tictactoe')\n"
        f"p = IsolatedPlayer({str(HERE / 'hostile' / 'ignore_signals.py')!r}, game)\n"
        "p.reset(True, game.start(), 0)\n"
        "print(p.process.pid, flush=True)\n"
        "p.act(game.start(), 100.0)\n"
    )
    arena = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    pid = int(arena.stdout.readline())
    time.sleep(0.3)
    assert Path(f"/proc/{pid}").exists()
    arena.send_signal(signal.SIGKILL)
    arena.wait()
    arena.stdout.close()
    deadline = time.monotonic() + 60.0
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_nobody_else_may_be_named(isolation):
    with pytest.raises(HansuError, match="neither a Python file nor a dotted path"):
        IsolatedPlayer("random", hansu.game("tictactoe"))
    with pytest.raises(HansuError, match="is not a file"):
        IsolatedPlayer("./nowhere.py", hansu.game("tictactoe"))
    with pytest.raises(HansuError, match="there is no module"):
        IsolatedPlayer("nowhere.at_all.Agent", hansu.game("tictactoe"))


def test_an_answer_is_judged_outside(isolation):
    game = hansu.game("tictactoe")
    file = str(HERE / "hostile" / "monkey_patch.py")
    inside = IsolatedPlayer(file, game, require_isolation=True)
    record = play(game.start(), inside, LocalPlayer(hansu.agent(game, "random")))
    assert record.outcome == hansu.Outcome(hansu.BLACK, "illegal_move")
    assert "answered 999: it is not legal here" in record.evidence
    inside.close()


@pytest.mark.parametrize("name", ["microchess", "tictactoe"])
def test_what_is_no_move_is_an_illegal_one(isolation, tmp_path, name):
    answers = "None, 'z9', -1, 10**40, 10**9000, 2**31, [], True, 1e9, object"
    file = tmp_path / "odd.py"
    file.write_text(
        f"import hansu\nANSWERS = iter([{answers}])\n"
        "class Odd(hansu.Agent):\n    def act(self, state):\n        return next(ANSWERS)\n"
    )
    game = hansu.game(name)
    inside = IsolatedPlayer(str(file), game, require_isolation=True)
    random = LocalPlayer(hansu.agent(game, "random"))
    for _ in range(10):
        record = play(game.start(), inside, random)
        assert record.outcome == hansu.Outcome(hansu.BLACK, "illegal_move"), record.evidence
        assert "legal moves are" in record.evidence
    inside.close()


@pytest.mark.parametrize("cut", range(1, 30))
def test_a_message_may_come_in_pieces(cut):
    data = pack({"id": 1, "move": "b2"})
    inbox = Inbox()
    first = inbox.add(data[:cut])
    assert (first or inbox.add(data[cut:])) == {"id": 1, "move": "b2"}


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xff\xff\xff",
        (5).to_bytes(HEADER, "big") + b"[1,2]",
        (3).to_bytes(HEADER, "big") + b"{{{",
        (2).to_bytes(HEADER, "big") + b"{}" + b"more",
        (5000).to_bytes(HEADER, "big") + b"9" * 5000,
        (60000).to_bytes(HEADER, "big") + b"[" * 60000,
        (4).to_bytes(HEADER, "big") + b"\xff\xfe\xfd\xfc",
    ],
)
def test_what_is_no_message_is_said_to_be_none(data):
    with pytest.raises(FramingError):
        Inbox().add(data)


@pytest.mark.parametrize("name", ["./lone_agent.py", "lone_agent.py", "lone_agent.LoneAgent"])
def test_an_agent_is_found_from_the_current_folder(name, tmp_path, monkeypatch):
    (tmp_path / "lone_agent.py").write_text(
        "import hansu\n"
        "class LoneAgent(hansu.Agent):\n"
        "    def act(self, state):\n"
        "        return next(iter(state.legal_moves))\n"
    )
    monkeypatch.chdir(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    record = hansu.play_game("tictactoe", name, "first_move")
    assert record.evidence == ""
    assert record.outcome.reason == "line"
