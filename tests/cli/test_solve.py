"""``hansu solve``: exact answers, one line a position, and what is known when it is stopped."""

import contextlib
import io
import json
import re
import signal
import subprocess
import sys
import time

import pytest

from hansu.cli import progress
from hansu.cli import solve as command
from hansu.games.game import game
from hansu.kernel import JIT
from hansu.search.solve import make_solver
from tests.cli.test_interrupt import LOADING, seconds_used
from tests.command_line import hansu

compiled = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")


def test_a_position_is_solved_in_words():
    said = hansu("solve", "tictactoe", "XX. OO. ...").stdout
    assert "proved: won, score +3, in 1 turn (" in said
    assert "c1  won" in said
    assert said.endswith("perfect play: c1\n")


def test_json_is_one_line_with_value_score_and_best_moves():
    answer = json.loads(hansu("solve", "tictactoe", "XX. OO. ...", "--json").stdout)
    assert answer["position"] == "XX.OO...."
    assert (answer["value"], answer["score"], answer["best"]) == (1.0, 3, ["c1"])
    assert answer["variation"] == ["c1"]
    assert answer["proved"] is True
    assert {"nodes", "seconds"} <= set(answer)


@compiled
def test_every_line_of_standard_input_is_answered_by_a_line():
    lines = "44444415156222666\nnonsense\n1212121\n444444151562226662\n"
    done = hansu("solve", "connect4", "-", "--json", stdin=lines, code=2)
    first, second, third, last = map(json.loads, done.stdout.splitlines())
    assert first["proved"]
    assert last["proved"]
    assert "Connect Four board" in second["error"]
    assert "the game is over" in third["error"]


@compiled
@pytest.mark.parametrize("name", ["connect4", "hex:size=3", "tictactoe"])
def test_a_blank_line_is_no_position(name):
    done = hansu("solve", name, "-", "--json", "--seconds", "0.1", stdin="\n  \n", code=2)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"error": "a blank line is no position: leave - out to solve the start"}
    ] * 2


@compiled
def test_an_ending_of_othello_is_solved_and_its_opening_has_bounds():
    board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; the first of FFO"
    answer = json.loads(hansu("solve", "othello", "--json", "--", board).stdout)
    assert (answer["score"], answer["best"]) == (18, ["g8"])
    assert [move["score"] for move in answer["moves"]] == [18, 12, 6, 6, 4, -4, -22, -24]
    early = json.loads(hansu("solve", "othello", "f5d6", "--seconds", "0.1", "--json").stdout)
    assert early["proved"] is False
    assert early["bounds"] == [-64, 64]


def test_the_start_of_a_game_is_the_default():
    assert json.loads(hansu("solve", "hex:size=3", "--json").stdout)["value"] == 1.0


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("go",), "go has an exact solver to 25 points, not for 9x9"),
        (("go:size=5x6",), "go has an exact solver to 25 points, not for 5x6"),
        (("hex",), "hex has an exact solver to 5x5, not for 11x11"),
        (("microchess",), "hansu solve microchess --pieces 4 builds them"),
        (("microchess", "--pieces", "7"), "tables are built for 2 to 6 pieces, not 7"),
        (("microchess", "--pieces", "1"), "tables are built for 2 to 6 pieces, not 1"),
        (("microchess", "--pieces", "6"), "allow more with --memory"),
        (("microchess", "k3/4/4/4/K2R w - - 0 1", "--pieces", "3"), "leave the position out"),
        (("tictactoe", "--pieces", "3"), "tictactoe has no tables by the number of pieces"),
        (("tictactoe", "XXX OO. ..."), "nothing to solve: the game is over"),
        (("tictactoe", "--table", "x"), "tictactoe is solved without a transposition table"),
        (("hex:size=4", "--table", "/nonexistent/x"), "cannot write /nonexistent/x: No such file"),
        (("hex:size=4", "--table", "/dev/null/x"), "cannot write /dev/null/x: Not a directory"),
        (("hex:size=3", "@/nonexistent"), "cannot read /nonexistent: No such file or directory\n"),
    ],
)
def test_what_cannot_be_solved_is_said_in_a_sentence(words, part):
    assert part in hansu("solve", *words, code=2).stderr


@compiled
def test_tables_are_built_once_and_then_answer(tmp_path, monkeypatch):
    monkeypatch.setenv("HANSU_TABLEBASES", str(tmp_path))
    monkeypatch.setattr(progress, "TELL_EVERY", 0.0)
    done = hansu("solve", "microchess", "--pieces", "3")
    first = done.stdout
    assert re.search(r"\d+%$", done.stderr, re.MULTILINE)
    assert first.startswith("the tables of all endings with up to 3 pieces (6 classes, 6 of them")
    assert str(tmp_path) in first.replace("\n", "")
    assert "0 of them new" in hansu("solve", "microchess", "--pieces", "3").stdout
    facts = json.loads(hansu("solve", "microchess", "--pieces", "3", "--json").stdout)
    assert (facts["pieces"], facts["classes"], facts["new"]) == (3, 6, 0)
    assert facts["folder"].startswith(str(tmp_path))
    said = json.loads(hansu("solve", "microchess", "k3/4/4/4/K2R w - - 0 1", "--json").stdout)
    assert (said["value"], said["plies"], said["best"]) == (1.0, 9, ["d1b1", "a1b2"])


@compiled
def test_an_interrupted_search_tells_what_is_known_and_keeps_its_table(tmp_path):
    table = tmp_path / "c4.table"
    words = ["solve", "connect4:width=8,height=7", "--json", "--table", str(table), "--memory", "2"]
    hansu(*words, "--seconds", "0.1")  # compiles
    running = subprocess.Popen(
        [sys.executable, "-m", "hansu", *words], stdout=subprocess.PIPE, text=True
    )
    before = table.stat().st_mtime_ns
    while seconds_used(running.pid) < LOADING:  # before that it may not listen yet
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=120)[0]
    assert running.returncode == 130
    if said:
        answer = json.loads(said)
        assert not answer["proved"]
        assert answer["bounds"][0] < answer["bounds"][1]
        assert table.stat().st_mtime_ns > before


@compiled
def test_a_search_that_is_killed_leaves_its_table(tmp_path):
    table = tmp_path / "c4.table"
    words = ["solve", "connect4:width=8,height=7", "--table", str(table), "--memory", "2"]
    running = subprocess.Popen(
        [sys.executable, "-m", "hansu", *words, "--save-every", "0.2"], stderr=subprocess.DEVNULL
    )
    while not table.exists():
        assert running.poll() is None
        time.sleep(0.05)
    first = table.read_bytes()
    while table.read_bytes() == first:
        assert running.poll() is None
        time.sleep(0.05)
    running.kill()
    running.wait()
    solver = make_solver(game("connect4:width=8,height=7"), 2)
    solver.load(table)
    assert solver.table.any()


@compiled
def test_an_answer_is_printed_where_its_table_cannot_be_saved(tmp_path, monkeypatch):
    table = tmp_path / "tables" / "hex.table"
    table.parent.mkdir()
    monkeypatch.setattr(command, "_print", lambda *_: (table.parent.rmdir(), print("answered")))
    done = hansu("solve", "hex:size=3", "--table", str(table), code=2)
    assert done.stdout == "answered\n"
    assert f"cannot write {table}: No such file" in done.stderr.replace("\n", "")


@compiled
def test_a_table_that_cannot_be_saved_beside_the_search_is_told(tmp_path):
    said, table = io.StringIO(), tmp_path / "tables" / "hex.table"
    solver = make_solver(game("hex:size=3"), 1)
    with contextlib.redirect_stderr(said), command._kept(solver, table, every=0.01):
        while "the search goes on" not in said.getvalue():
            time.sleep(0.01)
        table.parent.mkdir()
    assert table.exists()


@compiled
def test_progress_is_told_where_there_is_no_terminal(monkeypatch):
    monkeypatch.setattr(progress, "TELL_EVERY", 0.1)
    words = ("solve", "connect4:width=8,height=7", "--seconds", "1.5")
    done = hansu(*words, "--json")
    lines = done.stderr.splitlines()
    assert len(lines) > 2
    assert all(re.fullmatch(r"[\d,]+ positions in \d+ s, \d of 8 moves solved", x) for x in lines)
    assert not json.loads(done.stdout)["proved"]


@compiled
def test_a_build_of_tables_that_is_stopped_can_be_resumed(tmp_path, monkeypatch):
    monkeypatch.setenv("HANSU_TABLEBASES", str(tmp_path))
    running = subprocess.Popen(
        [sys.executable, "-m", "hansu", "solve", "microchess", "--pieces", "5"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not list(tmp_path.rglob("KvK.table")):
        assert running.poll() is None, running.stderr.read()
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    said, errors = running.communicate(timeout=120)
    assert (running.returncode, said) == (130, "")
    assert "stopped: run the same command again to resume" in errors
    assert not list(tmp_path.rglob("*.part"))
    assert "tables of all endings" in hansu("solve", "microchess", "--pieces", "3").stdout
