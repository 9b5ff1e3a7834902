"""Hex records as HexGui writes them."""

import pytest

import hansu
from hansu.records.sgf import read_sgf, write_sgf

GAME = "(;FF[4]AP[HexGui:0.9]GM[11]SZ[5];B[a1];W[swap-pieces];B[c3];W[b4])"


def test_a_record_of_hexgui_is_read():
    (record,) = read_sgf(GAME)
    assert record.game == "hex:size=5,swap=on"
    assert record.moves == ["a1", "swap", "c3", "b4"]
    assert record.outcome.reason == "unfinished"


def test_the_swap_is_written_as_hex_programs_call_it():
    text = write_sgf(read_sgf(GAME))
    assert "GM[11]" in text
    assert ";B[a1];W[swap-pieces];B[c3];W[b4]" in text


def test_a_position_may_be_given_as_a_record():
    state = hansu.game("hex").parse(GAME)
    assert str(state.game) == "hex:size=5,swap=on"
    assert state.text() == "o..../...../..x../.o.../..... x to move"


@pytest.mark.parametrize(
    ("text", "start", "moves"),
    [
        ("AB[a1][b1]AW[c3];W[d4]", "xx.../...../..o../...../..... o to move", ["d4"]),
        ("AB[a1]AW[c3]PL[B]", "x..../...../..o../...../..... x to move", []),
        (";AB[a1]AW[c3];B[d4]", "x..../...../..o../...../..... x to move", ["d4"]),
    ],
)
def test_stones_that_are_set_up(text, start, moves):
    (record,) = read_sgf(f"(;GM[11]SZ[5:5]{text})")
    assert (record.start, record.moves) == (start, moves)
    assert read_sgf(write_sgf([record])) == [record]


def test_who_writes_resign_has_lost():
    (record,) = read_sgf("(;GM[11]SZ[5];B[a1];W[b2];B[resign])")
    assert record.moves == ["a1", "b2", "resign"]
    assert record.outcome == hansu.Outcome(hansu.WHITE, "resignation")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("(;GM[11]SZ[5];B[a1];W[zz];B[c3])", "'zz' is not a cell"),
        ("(;GM[11]SZ[5];B[a1];W[a1])", "a1 is not legal"),
        ("(;GM[11]SZ[5];B[a1];B[b2])", "it is White's turn"),
        ("(;GM[11]SZ[5];B[a1];W[swap-sides])", "swap-pieces is"),
        ("(;GM[11]SZ[5];B[a1];W[b2];AB[c3];W[c4])", "set up in mid-game"),
        ("(;GM[11]SZ[5];B[a1];W[resign];B[b2])", "has resigned already"),
    ],
)
def test_what_cannot_be_read_is_said(text, says):
    problems = []
    (record,) = read_sgf(text, problems)
    assert record.moves[0] == "a1"
    assert any(says in str(problem) for problem in problems), problems


@pytest.mark.parametrize("size", ["99", "2", "5:6", "x", "-5"])
def test_a_size_that_is_none(size):
    with pytest.raises(hansu.HansuError, match="is not a size"):
        read_sgf(f"(;GM[11]SZ[{size}];B[a1])")
