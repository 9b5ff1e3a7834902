"""``hansu match``: finished games are shown and saved, whatever happens."""

import contextlib
import importlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from hansu.__main__ import main
from hansu.agents.memory import Memory
from hansu.arena.accuracy import TITLES
from hansu.arena.referee import play
from hansu.errors import HansuError
from hansu.records.formats import read_games
from tests.command_line import hansu


@contextlib.contextmanager
def running_match(folder: Path, *words: str) -> Iterator[subprocess.Popen]:
    """A match without end, with some games of it finished; it ends with the test."""
    memory = folder / "c.memory"
    running = subprocess.Popen(
        [sys.executable, "-m", "hansu", "match", "tictactoe", "random",
         f"mcts_memory:memory={memory},min_visits=1", "-n", "100000", *words],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        while _remembered(memory) < 500:  # sequences; one game adds fewer than 250
            assert running.poll() is None
            time.sleep(0.05)
        yield running
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.communicate()


def _remembered(memory: Path) -> int:
    try:
        with contextlib.closing(Memory(memory, read_only=True)) as known:
            return len(known)
    except HansuError:  # it is not made yet
        return 0


@pytest.mark.parametrize(
    ("number", "status", "finish", "concurrency"),
    [
        (signal.SIGINT, 130, False, "1"),
        pytest.param(signal.SIGTERM, 143, False, "2", marks=pytest.mark.slow),
        (signal.SIGHUP, 129, False, "2"),  # the terminal was closed
        (signal.SIGINT, 130, True, "2"),
    ],
)
def test_who_stops_a_match_gets_the_games_so_far(tmp_path, number, status, finish, concurrency):
    words = ["--finish"] if finish else []
    words += ["--concurrency", concurrency, "--save", "games.jsonl"]
    with running_match(tmp_path, *words) as running:
        os.killpg(running.pid, number)  # as a terminal does
        out, said = running.communicate(timeout=60)
        with pytest.raises(ProcessLookupError):
            os.killpg(running.pid, 0)  # nobody is left
    assert running.returncode == status
    assert "Traceback" not in said
    games = read_games(tmp_path / "games.jsonl")
    assert games
    assert not any(record.evidence for record in games)
    assert f"stopped after {len(games)} of 100000 games" in said
    assert f"the games in progress were {'finished' if finish else 'dropped'}" in said
    assert "score" in out
    assert "verdict" in out


def test_a_match_tells_the_accuracy_where_perfect_play_is_known():
    words = ("match", "tictactoe", "minimax", "random", "-n", "4", "--seed", "1")
    facts = json.loads(hansu(*words, "--json").stdout)["accuracy"]
    assert facts["minimax"]["accuracy"] == 1.0
    assert facts["minimax"]["judged_moves"] > facts["random"]["score_lost_per_move"] > 0
    told = hansu(*words).stdout
    assert all(title in told for title in TITLES)
    assert f"{facts['random']['accuracy']:.1%} of {facts['random']['judged_moves']}" in told
    unsolved = ("match", "go:size=6", "random", "random", "-n", "2")
    assert json.loads(hansu(*unsolved, "--json").stdout)["accuracy"] == {}


def test_json_of_a_stopped_match_is_one_line(tmp_path):
    with running_match(tmp_path, "--json") as running:
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate(timeout=60)
    assert json.loads(out)["games"] > 0


def test_the_second_ctrl_c_drops_what_the_first_lets_finish(tmp_path):
    engine = "import sys, pathlib\npathlib.Path('began').touch()\nsys.stdin.read()\n"
    (tmp_path / "mute").write_text(engine)
    who = f"gtp:{sys.executable} mute"
    running = subprocess.Popen(
        [sys.executable, "-m", "hansu", "match", "go:size=5", "random", who, "--finish", "--json"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    while not (tmp_path / "began").exists():
        assert running.poll() is None
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    heard = running.stderr.readline() + running.stderr.readline()
    assert "finishing the games in progress" in heard
    running.send_signal(signal.SIGINT)
    out, said = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert "stopped after 0 of 20 games; the games in progress were dropped" in said


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["othello", "--save", "o.pgn"], "PGN holds microchess only"),
        (["go:size=5", "--save", "o.txt"], "a game of go, which has no transcripts"),
        (["connect4", "--save", "o.sgf"], "SGF holds go and hex only"),
        (["connect4", "--save", "o.wtb"], "WTHOR holds othello only"),
        (["othello", "--openings", "random:6", "--save", "o.txt"], "a set-up position"),
        (["othello", "--openings", "random:6", "--save", "o.wtb"], "a set-up position"),
        (["othello", "--save", "o.xyz"], "there is no file ending '.xyz'"),
        (["othello", "--save", "o"], "there is no file ending ''"),
        (["othello", "--save", "no/o.ggf"], "cannot write no/o.ggf: No such file"),
        (["othello", "--save", "folder.ggf"], "cannot write folder.ggf: Is a directory"),
        (["othello", "--save", "/proc/o.ggf"], "cannot write /proc/o.ggf"),
    ],
)
def test_a_file_that_cannot_be_written_is_told_before_the_first_game(
    tmp_path, monkeypatch, words, complaint
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.ggf").mkdir()
    monkeypatch.setattr("hansu.arena.executor.play", lambda *_: pytest.fail("a game was played"))
    game, *rest = words
    done = hansu("match", game, "random", "random", "-n", "2", *rest, code=2)
    assert complaint in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["folder.ggf"]


def test_a_set_up_position_among_openings_is_told_before_the_first_game(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hansu.arena.executor.play", lambda *_: pytest.fail("a game was played"))
    board = "." * 27 + "OX" + "." * 6 + "XXX" + "." * 26 + " O"
    (tmp_path / "openings.txt").write_text(f"f5\n\n{board}\n")
    words = ["othello", "random", "random", "--openings", "openings.txt", "--save", "o.txt"]
    assert "set-up position" in hansu("match", *words, code=2).stderr


def test_games_are_saved_in_the_format_of_the_ending(tmp_path):
    file = tmp_path / "games.sgf"
    file.write_text("what was there before")
    hansu("match", "go:size=7", "random", "random", "-n", "3", "--save", str(file), "--json")
    assert len(read_games(file)) == 3
    assert [each.name for each in tmp_path.iterdir()] == ["games.sgf"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_loses_neither_result_nor_games(tmp_path):
    (tmp_path / "games.jsonl").symlink_to("/dev/full")
    words = ["tictactoe", "random", "random", "-n", "2", "--save", str(tmp_path / "games.jsonl")]
    done = hansu("match", *words, code=2)
    assert "verdict" in done.stdout
    assert "No space left on device" in done.stderr
    kept = Path(re.search(r"the games are kept in (\S+)", done.stderr)[1])
    assert len(read_games(kept)) == 2
    kept.unlink()


def in_encoding(encoding: str, *words: str) -> tuple[int, bytes, bytes]:
    """The command in this process, with streams as PYTHONIOENCODING makes them."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding) for _ in range(2)]
    status = 0
    with (
        mock.patch.multiple(sys, argv=["hansu", *words], stdin=io.StringIO()),
        mock.patch.multiple(sys, stdout=streams[0], stderr=streams[1]),
    ):
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
        for stream in streams:
            stream.flush()
    out, said = (stream.buffer.getvalue() for stream in streams)
    return status, out, said


@pytest.mark.parametrize("encoding", ["ascii", "cp949", "cp1252", "latin-1", "utf-8"])
@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["match", "tictactoe", "minimax", "minimax", "-n", "2"], 0),
        (["match", "tictactoe", "random", "한국어 ♞\udcff"], 2),
        (["watch", "tictactoe", "random", "random"], 0),
        (["show", "microchess"], 0),
        (["agents"], 0),
        (["--help"], 0),
        (["match", "--help"], 0),
    ],
)
def test_every_encoding_takes_what_it_can(encoding, words, status):
    ended, out, said = in_encoding(encoding, *words)
    assert ended == status, said
    assert b"Traceback" not in said
    if words[-1] == "2":
        text = out.decode(encoding)
        assert re.search("1/2 - 1/2" if encoding == "ascii" else "½ [–-] ½", text)
        assert "verdict" in text


def test_a_tournament_in_ascii(tmp_path):
    command = [sys.executable, "-m", "hansu", "tournament", "tictactoe", "minimax", "minimax",
               "--out", str(tmp_path)]  # fmt: skip
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0
    assert "1/2 - 1/2" in done.stderr


def test_a_closed_stream_is_no_reason_to_fail():
    command = f"{sys.executable} -m hansu match tictactoe random random -n 2 >&- 2>&-"
    assert subprocess.run(["sh", "-c", command]).returncode == 0


@pytest.mark.parametrize("finish", [[], ["--finish"]])
@pytest.mark.parametrize(
    "during", ["hansu.records.game_file.save_games", "hansu.cli.match.print_result"]
)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_second_signal_does_not_lose_the_results(tmp_path, monkeypatch, number, during, finish):
    played = []

    def play_and_stop(*given):
        played.append(play(*given))
        if len(played) == 3:
            os.kill(os.getpid(), number)
        return played[-1]

    def again(tell):
        def told(*given):
            os.kill(os.getpid(), number)
            return tell(*given)

        return told

    module, _, name = during.rpartition(".")
    tell = getattr(importlib.import_module(module), name)
    monkeypatch.setattr("hansu.arena.executor.play", play_and_stop)
    monkeypatch.setattr(during, again(tell))
    file = tmp_path / "games.jsonl"
    words = ["match", "tictactoe", "random", "random", "--save", str(file), *finish]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        done = hansu(*words, code=128 + number)
    finally:
        signal.signal(signal.SIGINT, before)
    kept = len(read_games(file))
    assert kept == (3 if finish else 2)
    assert f"stopped after {kept} of 20 games" in done.stderr
    assert "verdict" in done.stdout
