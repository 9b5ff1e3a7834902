"""export and replay as a person or a program uses them."""

import io
import json
import re

import chess.pgn
import pytest

import hansu as platform
from hansu.records.formats import read_games
from hansu.records.jsonl import write_jsonl
from tests.command_line import hansu

AGENT = """
import hansu


class Mine(hansu.Agent):
    def act(self, state):
        moves = list(state.legal_moves)
        chosen = self.rng.choice(moves)
        return chosen
"""


@pytest.fixture
def games(tmp_path):
    """A file with two games of connect4, in both of which ./mine.py has the second colour."""
    (tmp_path / "mine.py").write_text(AGENT)
    scope: dict = {}
    exec(AGENT, scope)
    records = [
        platform.play_game("connect4", "random", scope["Mine"], seed=seed, seconds=50)
        for seed in (1, 2)
    ]
    (tmp_path / "games.jsonl").write_text(write_jsonl(records))
    return tmp_path / "games.jsonl", records


def test_export_writes_to_a_file_or_to_standard_output(games, tmp_path):
    file, records = games
    out = hansu("export", str(file), "--to", "transcript").stdout
    assert out.splitlines() == [record.final for record in records]
    made = tmp_path / "games.txt"
    assert hansu("export", str(file), "--to", "transcript", "--out", str(made)).stdout == ""
    assert made.read_text() == out
    table = hansu("export", str(made), "--to", "csv").stdout
    assert [line.split(",")[0] for line in table.splitlines()] == ["game", "connect4", "connect4"]
    headers = hansu("export", str(file), "--to", "headers").stdout
    assert chess.pgn.read_headers(io.StringIO(headers))["Black"] == "Mine"


def test_export_says_what_is_wrong(games, tmp_path):
    file, _ = games
    done = hansu("export", str(file), "--to", "word", code=2)
    assert "there is no format 'word'; the formats are csv" in done.stderr
    done = hansu("export", str(file), "--to", "pgn", code=2)
    assert "game 1 is a game of connect4: PGN holds microchess only" in done.stderr
    bad = tmp_path / "bad.txt"
    bad.write_text("\n")
    done = hansu("export", str(bad), "--to", "jsonl", code=2)
    assert f"{bad}: the file is empty" in done.stderr
    bad.write_text("44\n4444444\nhello\n")
    done = hansu("export", str(bad), "--to", "jsonl", "--strict", code=2)
    assert "line 2, game 2, move 7: 4 is not legal here" in done.stderr
    assert done.stdout == ""


def test_what_is_left_out_is_told_line_by_line(tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_text("44\n4444444\n" + 8 * "hello\n")
    done = hansu("export", str(bad), "--to", "transcript")
    assert done.stdout.splitlines() == ["44", "444444"]
    head, first, second, *others = done.stderr.splitlines()
    assert head == "left out or put right:"
    assert first.startswith(f"  {bad}: line 2, game 2, move 7: 4 is not legal here")
    assert second.startswith(f"  {bad}: line 3, game 3: 'hello' is not a transcript")
    assert others[-1] == "  and 4 more"
    assert len(others) == 4
    done = hansu("replay", str(bad), "--game", "2", "--at", "6", "--json")
    assert json.loads(done.stdout)["position"] == "444444"
    assert "line 2, game 2, move 7" in done.stderr


def test_replay_shows_a_turn(games):
    file, records = games
    words = ("replay", str(file), "--game", "2", "--at", "3")
    shown = hansu(*words).stdout
    assert f"position  {records[1].final[:3]}" in shown
    facts = json.loads(hansu(*words, "--json").stdout)
    assert facts["position"] == records[1].final[:3]
    assert (facts["at"], facts["turn"], facts["next_move"]) == (3, "black", records[1].moves[3])
    assert 49 < facts["black_remain_sec"] <= 50
    assert (
        "there is no game 3: the file has 2"
        in hansu("replay", str(file), "--game", "3", code=2).stderr
    )
    assert "there is no turn 99" in hansu("replay", str(file), "--at", "99", code=2).stderr


def test_replay_steps_through_a_game(games):
    file, records = games
    out = hansu("replay", str(file), stdin="\nn\np\n5\nl\n99\nq\n").stdout
    turns = [line.split()[1] for line in out.splitlines() if line.startswith("after ")]
    last = str(len(records[0].turns))
    assert turns == ["0", "1", "2", "1", "5", last, last]
    assert "the end   " in out


def test_replay_prints_what_watch_prints(games):
    file, records = games
    lines = [json.loads(line) for line in hansu("replay", str(file), "--json").stdout.splitlines()]
    assert [line["move"] for line in lines[:-1]] == records[0].moves
    assert lines[-1]["reason"] == records[0].outcome.reason


def test_an_agent_thinks_again_in_the_debugger(games, tmp_path):
    file, records = games
    words = ("replay", str(file), "--at", "5", "--trust", "--debug", str(tmp_path / "mine.py"))
    out = hansu(*words, stdin="p state.text()\np state.black_remain_sec < 50\nc\n").stdout
    assert "-> moves = list(state.legal_moves)" in out  # the first line of act
    assert repr(records[0].final[:5]) in out
    assert "True" in out
    played = records[0].moves[5]
    assert f"answers {played}; in the game: {played}" in out


def test_the_debugger_can_be_left_and_shows_a_crash(games, tmp_path):
    file, _ = games
    mine = tmp_path / "mine.py"
    words = ("replay", str(file), "--at", "1", "--trust", "--debug", str(mine))
    assert "answers" not in hansu(*words, stdin="q\n").stdout
    mine.write_text(f"{AGENT}\n    def release(self):\n        print('set free')\n")
    for word in "cq":
        assert hansu(*words, stdin=f"{word}\n").stdout.count("set free") == 1
    mine.write_text(AGENT.replace("self.rng.choice(moves)", "moves[99]"))
    out = hansu(*words, stdin="c\np len(moves)\nq\n").stdout
    assert "act raised IndexError: list index out of range" in out
    assert "\n(Pdb) 7" in out or "(Pdb) 7\n" in out
    assert (
        "--debug needs the turn" in hansu("replay", str(file), "--debug", str(mine), code=2).stderr
    )


def test_match_and_watch_save_their_games(tmp_path):
    file = tmp_path / "games.jsonl"
    match = ("match", "tictactoe", "random", "first_move", "-n", "3", "--json")
    done = hansu(*match, "--save", str(file))
    records = read_games(file)
    assert len(records) == json.loads(done.stdout)["games"] == 3
    assert {records[0].first, records[0].second} == {"random", "first_move"}
    file = tmp_path / "game.sgf"
    done = hansu("watch", "go:size=5", "random", "random", "--json", "--save", str(file))
    (record,) = read_games(file)
    assert record.moves == [json.loads(line)["move"] for line in done.stdout.splitlines()[:-1]]


def test_an_unknown_ending_is_told_before_the_games(tmp_path):
    file = tmp_path / "games.doc"
    done = hansu("match", "tictactoe", "no_such_agent", "random", "--save", str(file), code=2)
    assert "there is no file ending '.doc'" in done.stderr
    assert ".jsonl" in done.stderr


def test_check_saves_what_was_lost_and_says_how_to_stop_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "late.py").write_text(
        "import hansu\n\nclass Late(hansu.Agent):\n    def act(self, state):\n"
        "        moves = list(state.legal_moves)\n"
        "        return moves[0] if len(moves) > 5 else moves[99]\n"
    )
    words = ("check", "./late.py", "--game", "tictactoe", "--trust", "--save", "lost.jsonl")
    said = hansu(*words, code=1).stdout
    lost = [json.loads(line) for line in (tmp_path / "lost.jsonl").read_text().splitlines()]
    assert {record["reason"] for record in lost} == {"crash"}
    told = re.findall(r"hansu replay lost.jsonl --game (\d+) --at (\d+) --debug", said)
    assert [int(at) for _, at in told] == [len(record["moves"]) for record in lost]
    number, at = told[0]
    shown = hansu("replay", "lost.jsonl", "--game", number, "--at", at, "--json").stdout
    assert len(json.loads(shown)["legal_moves"]) <= 5


@pytest.mark.parametrize(
    ("sgf", "to", "told"),
    [
        (
            "C[start];B[ee](;W[dd]C[why?];B[cc](;W[gg])(;W[hh]))(;W[gg];B[cc])",
            "csv",
            "2 variations and 2 comments that csv cannot hold; jsonl, pgn and sgf can",
        ),
        (";B[ee]C[ha]", "headers", "1 comment that headers cannot hold"),
        (";B[ee](;W[dd])(;W[gg];B[cc];W[cd])", "csv", "1 variation that csv cannot hold"),
        (";B[ee];W[dd]", "csv", None),
        (";B[ee]C[ha](;W[dd])(;W[gg])", "sgf", None),
    ],
)
def test_what_a_format_cannot_hold_is_counted(tmp_path, sgf, to, told):
    file, made = tmp_path / "study.sgf", tmp_path / "made"
    file.write_text(f"(;GM[1]SZ[9]{sgf})", encoding="utf-8")
    said = hansu("export", str(file), "--to", to, "--out", str(made)).stderr
    made.unlink()
    if told is None:
        assert "left out" not in said
        hansu("export", str(file), "--to", to, "--out", str(made), "--strict")
        assert made.exists()
    else:
        assert f"left out: {told}" in " ".join(said.split())
        done = hansu("export", str(file), "--to", to, "--out", str(made), "--strict", code=2)
        assert f"hansu: not written: {told}" in " ".join(done.stderr.split())
        assert not made.exists()
