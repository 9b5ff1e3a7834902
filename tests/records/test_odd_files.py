"""Files as one meets them, and what is said of those that break the rules."""

import pytest

import hansu
from hansu.records.csv import read_csv
from hansu.records.formats import read_games
from hansu.records.ggf import read_ggf
from hansu.records.headers import read_headers
from hansu.records.jsonl import read_jsonl, write_jsonl
from hansu.records.pgn import read_pgn
from hansu.records.sgf import read_sgf
from hansu.records.transcript import read_transcript
from hansu.records.wthor import read_wthor

PGN = """[Event "Club évening"]
[White "Zoé"]
[Black "Bob"]
[Result "0-1"]
[Variant "Microchess"]
[TimeControl "60+1"]
[Termination "time forfeit"]

; a line comment
1. d4 {[%clk 0:00:58] good} (1. d3 a3 (1... Kb4)) 1... Nxd4!? $5 {[%clk 0:00:55.5]}
2. Nb3 {[%eval -0.5] [%clk 0:00:50]} 0-1

[White "A"]
[Black "B"]

1. d3 *
"""


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_pgn_with_comments_variations_clocks_and_missing_tags(ends, encoding, tmp_path):
    file = tmp_path / "games.pgn"
    file.write_bytes(PGN.replace("\n", ends).encode(encoding))
    first, second = read_games(file)
    assert (first.first, first.second) == ("Zoé", "Bob")
    assert first.moves == ["d2d4", "b5d4", "c1b3"]
    assert first.outcome == hansu.Outcome(hansu.BLACK, "timeout")
    assert [turn.seconds for turn in first.turns] == [3.0, 5.5, 9.0]
    assert first.turns[2].value == pytest.approx(0.454, abs=0.001)
    assert (first.control.seconds, first.control.increment) == (60, 1)
    assert (second.moves, second.outcome.reason) == (["d2d3"], "unfinished")
    assert second.start == hansu.game("microchess").start().text()


def test_pgn_from_a_position():
    head = '[SetUp "1"]\n[FEN "k3/4/1K2/4/3R w - - 0 1"]\n[Variant "microchess"]\n\n'
    (record,) = read_pgn(f"{head}1. Rd5# 1-0")
    assert record.outcome == hansu.Outcome(hansu.WHITE, "checkmate")
    assert record.start == "8/8/8/k7/8/1K6/8/3R4 w - - 0 1"


SGF = (
    "some mail header\n(;GM[1]FF[3]SZ[5]KM[0.5]PB[Zoé \\] x]PW[Bob]RE[B+R]TM[60]"
    "C[a (;comment;) ];B[cc]BL[55]C[good\\]](;W[dd]WL[50](;B[])(;B[aa]))(;W[aa]))\n"
    "(;GameName[old]Size[5];Black[tt];White[])\n"
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_sgf_with_comments_variations_and_junk(encoding):
    first, second = read_sgf(SGF.replace("\n", "\r\n").encode(encoding))
    assert first.first == "Zoé ] x"
    assert first.game == "go:size=5,komi=0.5"
    assert first.moves == ["C3", "D2", "pass", "resign"]
    assert [turn.seconds for turn in first.turns] == [5.0, 10.0, 0.0, 0.0]
    assert first.outcome == hansu.Outcome(hansu.BLACK, "resignation")
    assert second.moves == ["pass", "pass"]


def test_sgf_with_handicap():
    (record,) = read_sgf("(;SZ[9]HA[2]KM[0.5]AB[cc][gg];W[ee];B[ed]RE[W+3.5])")
    state = hansu.game("go").parse(record.final)
    assert state.stone_at("C7") == state.stone_at("G3") == hansu.BLACK
    assert state.stone_at("E5") == hansu.WHITE


def test_passes_after_the_end_of_a_go_game_are_dropped():
    (record,) = read_sgf("(;SZ[5]KM[0.5];B[cc];W[];B[];W[tt])", [])
    assert record.moves == ["C3", "pass", "pass"]
    assert record.outcome.reason == "two_passes"


def test_what_the_players_agreed_on_counts_in_go():
    (record,) = read_sgf("(;SZ[5]KM[0.5]RE[B+7.5];B[cc];W[];B[])")
    assert record.outcome == hansu.Outcome(hansu.BLACK, "two_passes", 7.5)


def test_ggf_without_the_passes_and_with_text_around():
    played = hansu.play_game("othello", "random", "one_step_search", seed=3)
    assert "pass" in played.moves
    turns = enumerate(played.moves)
    text = "".join(f"{'BW'[turn % 2]}[{move}//1.5]" for turn, move in turns if move != "pass")
    (record,) = read_ggf(f"\n.. 5 \n(;GM[Othello]PC[GGS/os]PB[a]PW[b]TI[15:00//02:00]{text};)\n")
    assert record.moves == played.moves
    assert record.outcome == played.outcome
    assert record.control.seconds == 900
    assert record.turns[0].seconds == 1.5


def test_blanks_that_are_no_blanks_to_float_do_no_harm():
    (record,) = read_ggf("(;GM[Othello]TI[15:00/\x1e5/2:00]B[f5//\x1e1.5];)")
    assert (record.control.increment, record.turns[0].seconds) == (5.0, 1.5)


def test_transcripts_with_scores_comments_and_capitals():
    games = read_transcript("# four games\n\n4453 -2\n F5D6C3 \nb2a1\r\n-\n")
    assert [record.game for record in games] == ["connect4", "othello", "tictactoe", "connect4"]
    assert games[1].moves == ["f5", "d6", "c3"]


def test_a_table_of_somebody_else():
    (record,) = read_csv("winner,moves,game\nwhite,b2 a1,tictactoe\n")
    assert record.outcome == hansu.Outcome(hansu.WHITE, "unknown")
    assert record.start == "........."


JSON = write_jsonl([hansu.play_game("tictactoe", "first_move", "first_move")])


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (read_pgn, "1. Kd3 *", r"line 1, game 1, move 1: .*Kd3"),
        (read_pgn, '[Variant "Atomic"]\n\n1. e4 *', "game 1: it is a game of Atomic, not of micro"),
        (read_pgn, '[FEN "x"]\n\n1. d4 *', "game 1: FEN field 1"),
        (read_pgn, '[Rules "go"]\n\n1. d3 *', "game 1"),
        (read_sgf, "(;SZ[5];B[zz])", r"game 1, move 1 of the record: \[zz\] is not a point"),
        (read_sgf, "(;GM[2];B[aa])", "game 1: the record is of another game than go"),
        (read_sgf, "hello", "this is not SGF"),
        (read_ggf, "(;GM[Othello]B[a1])", r"game 1, move 1: a1 is not legal here; .* d3"),
        (read_ggf, "(;GM[Othello]W[f5])", r"game 1, move 1 is out of turn"),
        (read_ggf, "(;GM[Amazons]B[a1])", "game 1: it is a game of 'Amazons', not of Othello"),
        (read_transcript, "d4", r"game 1, move 1: d4 is not legal here; legal moves are d3"),
        (read_transcript, "hello", r"game 1: 'hello' is not a transcript"),
        (read_headers, '[White "a"]\n\n1-0\n', r'\[Game "go:size=9"\] is expected'),
        (read_csv, "game,moves\nconnect4,9 4\n", "line 2, game 1, move 1: '9' is not a column"),
        (read_csv, "game,moves\nchess,e4\n", "game 1: 'chess' is not a game that can be read"),
        (read_csv, "a,b\n1,2\n", "the first row must name the columns"),
        (read_csv, "", "the file is empty"),
        (read_jsonl, "{}", "game 1: this is no game record.* it has no 'format'"),
        (read_jsonl, "hello", "game 1: this is no game record"),
        (read_jsonl, JSON.replace('"a1"', '"d1"', 1), r"game 1, move 1: 'd1' is not a cell"),
        (read_jsonl, JSON.replace('"reason"', '"cause"'), "game 1: this is no game record.*reason"),
        (read_jsonl, JSON.replace('"format": 1', '"format": 2'), "a newer hansu is needed"),
        (read_wthor, b"abc", "not even a header"),
        (read_wthor, bytes(16) + b"abc", "the file has 19 bytes, but 0 games take 16"),
    ],
)
def test_a_wrong_record_is_one_clear_sentence(read, text, message):
    with pytest.raises(hansu.HansuError, match=message):
        read(text)


def test_files_and_folders(tmp_path):
    (tmp_path / "a.txt").write_text("44\n")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "b.jsonl").write_text(JSON)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    assert [record.game for record in read_games(tmp_path)] == ["connect4", "tictactoe"]
    with pytest.raises(hansu.HansuError, match=r"cannot read .*nowhere: No such file"):
        read_games(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(hansu.HansuError, match="there are no games in"):
        read_games(tmp_path / "empty")
    (tmp_path / "a.txt").write_text("44\n4444444\n")
    problems = []
    games = read_games(tmp_path, problems)
    assert [record.final for record in games] == ["44", "444444", games[2].final]
    assert [str(problem).partition(": 4 is")[0] for problem in problems] == [
        f"{tmp_path / 'a.txt'}: line 2, game 2, move 7"
    ]
