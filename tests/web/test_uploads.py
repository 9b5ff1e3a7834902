"""Files of visitors: whatever they hold, they cost little, and nobody else waits for them."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import httpx
import pytest

import hansu
from hansu.errors import HansuError
from hansu.games.go.state import GoState
from hansu.records.formats import read_content
from hansu.records.problems import Most
from hansu.records.record import GameRecord, Turn
from hansu.web import record_readers, recorded_games
from hansu.web.recorded_games import replay_facts
from tests.web.talking import open_table, post, until, upload

MIB = 2**20
KILLS = int(os.environ.get("HANSU_KILLS", "200")) // 8
AGENT = (
    "import hansu\n\n\nclass Mine(hansu.Agent):\n"
    "    def act(self, state):\n        return list(state.legal_moves)[-1]\n"
)
LONG = {
    "columns": b"4453\n" * MIB,
    "one line of columns": b"4" * MIB,
    "discs": b"f5d6c3\n" * MIB,
    "nothing that can be played": b"a1a1\n" * MIB,
    "SGF": b"(;GM[1]SZ[9];B[ee];W[dd])" * MIB,
    "SGF, one game": b"(;GM[1]SZ[19]" + b";B[aa];W[bb]" * MIB,
    "SGF, nested": b"(;GM[1]SZ[9]" + b"(;B[ee]" * MIB,
    "SGF, one property": b"(;GM[1]SZ[9]AB" + b"[aa]" * MIB,
    "PGN": b'[Variant "microchess"]\n\n1. d2d4 *\n\n' * MIB,
    "PGN, nested": b"1. d2d4 " + b"( 1. c2c3 " * MIB,
    "PGN, one comment": b"1. d2d4 {" + b"x" * MIB,
    "GGF": b"(;GM[Othello]BO[8 " + b"-" * MIB,
    "CSV": b"game,moves\n" + b"tictactoe,b2 a1\n" * MIB,
    "JSON": b'{"format": 1' * MIB,
    "JSON, nested": b"{" + b'"a":{' * MIB,
    "zeros": b"\0" * MIB,
}


def long_game(turns, size=5):
    """A game of go of so many turns, by the rules."""
    rng = random.Random(1)
    state = hansu.game("go", size=size, max_turns=turns).start()
    moves = []
    while not state.is_game_over():
        legal = list(state.legal_moves)
        move = legal[0] if len(legal) == 1 else rng.choice(legal[:-1])
        moves.append(Turn(state.move_text(move)))
        state.push(move)
    return GameRecord(str(state.game), "a", "b", "", False, 0, moves)


@contextlib.contextmanager
def stopped_reader(server):
    """While the process that reads files stands still, as if it had very much to do."""
    assert upload(server, b"4453").status_code == 200  # it is there
    readers = [pid for pid in pids("hansu.web.record_reader") if is_below(pid, os.getpid())]
    assert readers
    for pid in readers:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in readers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def pids(word):
    found = []
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = command.read_bytes().split(b"\0")
            if word.encode() in words and not any(b"watchdog" in each for each in words):
                found.append(int(command.parent.name))
    return found


def all_pids():
    return [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]


def is_below(pid, ancestor):
    with contextlib.suppress(OSError):
        while pid > 1 and pid != ancestor:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return pid == ancestor


@pytest.mark.parametrize("content", LONG.values(), ids=LONG)
def test_a_file_without_end_is_read_in_part_or_refused(server, content):
    answer = upload(server, content[:MIB])
    assert answer.status_code in (200, 400), answer.text[:300]
    if answer.status_code == 400:
        assert "\n" not in answer.json()["detail"]
    else:
        assert answer.json()["found"] <= recorded_games.MOST.games


@pytest.mark.parametrize("content", [b"4453\n" * 9, b"x\n" * 9 + b"4453"], ids=["good", "bad"])
def test_reading_ends_when_the_time_is_up(content):
    problems = []
    most = Most(seconds=0.0)
    if content.startswith(b"x"):
        with pytest.raises(HansuError, match="is not a transcript"):
            read_content(content, content, "", problems, most)
    else:
        assert len(read_content(content, content, "", problems, most)) == 1
        assert "only the 1 games before it are read" in str(problems[0])


def test_a_new_table_does_not_wait_for_a_file(server):
    with stopped_reader(server):
        answers = []
        waiting = threading.Thread(target=lambda: answers.append(upload(server, b"4453")))
        waiting.start()
        assert open_table(server)["id"]
        assert not answers
    waiting.join(60)
    assert answers[0].status_code == 200


def test_a_file_that_takes_too_long_is_given_up(server, monkeypatch):
    monkeypatch.setattr(record_readers, "SECONDS", 0.5)
    with stopped_reader(server):
        answer = upload(server, b"4453")
    assert answer.status_code == 400
    assert "takes too long" in answer.json()["detail"]
    monkeypatch.undo()
    assert upload(server, b"4453").json()["found"] == 1


def test_only_so_many_files_wait(server, monkeypatch):
    monkeypatch.setattr(record_readers, "MOST_WAITING", 2)
    answers = []

    def send():
        answers.append(upload(server, b"4453").status_code)

    with stopped_reader(server):
        senders = [threading.Thread(target=send) for _ in range(8)]
        for sender in senders:
            sender.start()
        while len(answers) < 5:
            pass
        assert set(answers) == {429}
    for sender in senders:
        sender.join(60)
    assert sorted(answers)[:2] == [200, 200]


def test_what_reads_files_has_little_memory():
    code = (
        "from hansu.web import record_reader as reader\n"
        "reader.MORE_MEMORY = 2**26\n"
        "reader.limit_myself()\n"
        "reader.read_upload = lambda content, name: {'x': bytearray(2**29)}\n"
        "print(reader.answer({'about': 'games', 'name': ''}, b''))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "too_long_to_read" in found.stdout


def test_a_long_game_is_shown_board_by_board(monkeypatch):
    record = long_game(300)
    alive, most = weakref.WeakSet(), 0
    draw = GoState.svg

    def counted(state, **look):
        nonlocal most
        alive.add(state)
        most = max(most, len(alive))
        return draw(state, **look)

    monkeypatch.setattr(GoState, "svg", counted)
    facts = replay_facts(record.as_json().encode(), False)
    assert len(facts["boards"]) == 301
    assert most < 5


def test_a_game_that_is_too_long_to_show_is_refused(monkeypatch):
    monkeypatch.setattr(recorded_games, "MOST_LETTERS", 200_000)
    record = long_game(300)
    with pytest.raises(HansuError, match=r"300 turns are too many to show: [0-9]+ at most"):
        replay_facts(record.as_json().encode(), False)


def test_the_longest_game_of_the_rules_can_be_shown():
    board = hansu.game("go", size=19).start()
    most = board.game.max_turns * len(board.svg(cells=True))
    assert most < recorded_games.MOST_LETTERS


@pytest.mark.slow
def test_ten_thousand_turns_are_answered(server):
    record = long_game(10_000, size=19)
    answer = post(server, "/api/replay", json.loads(record.as_json()))
    assert answer.status_code == 400
    assert "too many to show" in answer.json()["detail"]


def test_nothing_is_left_of_what_reads_files(other_server):
    server = other_server()
    assert upload(server, b"4453").status_code == 200
    (reader,) = server.app.state.readers._all[:1]
    process = reader._process
    server.close()
    assert process.poll() is not None


@pytest.mark.parametrize("kills", [1, pytest.param(KILLS, marks=pytest.mark.slow)])
def test_a_server_that_is_killed_leaves_nothing(command_server, tmp_path, monkeypatch, kills):
    """``HANSU_KILLS`` says how often in the slow test."""
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "mine.py").write_text(AGENT)
    (tmp_path / "scratch").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    for _ in range(kills):
        server = command_server("--agents", str(tmp_path / "agents"))
        assert upload(server, b"4453").status_code == 200
        open_table(server, black={"agent": "mine.py"})
        time.sleep(random.uniform(0.0, 0.5) if kills > 1 else 0.0)
        own = server.process.pid
        below = [pid for pid in all_pids() if pid != own and is_below(pid, own)]
        assert len(below) >= 3  # what reads files and its watchdog, and the agent's sandbox
        server.process.kill()
        server.process.wait()
        until(lambda pids=below: not [pid for pid in pids if Path(f"/proc/{pid}/exe").exists()])
    assert list((tmp_path / "scratch").glob("hansu-*"))  # which the next one clears away
    last = command_server()
    assert upload(last, b"4453").status_code == 200
    last.process.terminate()
    last.process.wait()
    assert not list((tmp_path / "scratch").glob("hansu-*"))


def test_a_game_of_half_characters_is_refused(server):
    line = long_game(20).as_json().replace('"a"', r'"\ud800"')
    answer = upload(server, line.encode())
    assert answer.status_code == 400
    answer = httpx.post(f"{server.url}/api/replay", content=line.encode(), timeout=60)
    assert answer.status_code == 400
