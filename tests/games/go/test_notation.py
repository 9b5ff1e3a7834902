"""Go as text, there and back; and every wrong text gets one clear sentence."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hansu
from hansu.errors import MoveError, OptionError, PositionError

GAME = hansu.game("go", size=5)
RECORD = "(;GM[1]SZ[5]KM[0.5]AB[aa][bb:cc]AW[ee]PL[W];W[dd];B[];W[ea](;B[ae])(;B[be]))"
DRAWING = "..x../.xo../..x../...../o.... white to move"


# Points ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "name", "point"),
    [
        ("go", "A9", 0),
        ("go", "j9", 8),
        ("go", "A1", 72),
        ("go", "J1", 80),
        ("go", "pass", 81),
        ("go:size=19", "T19", 18),
        ("go:size=19", "H1", 349),
        ("go:size=19", "J1", 350),  # there is no I
        ("go:size=9x5", "J5", 8),
        ("go:size=5x9", "E9", 4),
    ],
)
def test_points_have_names(game, name, point):
    state = hansu.game(game).start()
    assert state.read_move(name) == point
    assert state.move_text(point) == ("pass" if name == "pass" else name.upper())


@pytest.mark.parametrize("text", ["I5", "K1", "A10", "A0", "5A", "", "D", "resign", "D٣", "tt"])
def test_what_is_no_point_names_those_that_are(text):
    with pytest.raises(MoveError, match=r"A1 to J9"):
        hansu.game("go").start().parse_move(text)


def test_moves_are_announced_as_a_referee_calls_them():
    state = GAME.start()
    assert state.announce(state.point("D4")) == "black D4"
    assert state.announce(state.pass_move) == "black passes"
    assert state.forward(0).announce(hansu.RESIGN) == "white resigns"


# Rule sets ---------------------------------------------------------------------------------------


def test_a_board_is_square_or_width_by_height():
    assert hansu.game("go:size=9x7").start().game.height == 7
    assert hansu.game("go:size=7x7") == hansu.game("go", size=7)
    assert str(hansu.game("go", size="9X7", komi=0.5)) == "go:size=9x7,komi=0.5"


@pytest.mark.parametrize(
    "options",
    [
        {"size": 1},
        {"size": 20},
        {"size": "9x"},
        {"size": "9x1"},
        {"size": "9x9x9"},
        {"size": "big"},
        {"size": True},
        {"komi": 0.3},
        {"komi": 400},
        {"komi": "nan"},
        {"max_turns": 0},
        {"max_turns": 10**9},
    ],
)
def test_rules_that_do_not_fit_are_refused(options):
    (name,) = options
    with pytest.raises(OptionError, match=f"go option {name}: "):
        hansu.game("go", **options)


# Records -----------------------------------------------------------------------------------------


def test_a_record_brings_its_board_stones_and_komi():
    state = GAME.parse(RECORD)
    assert str(state) == (
        "  A B C D E\n5 x . . . o\n4 . x x . .\n3 . x x . .\n2 . . . o .\n1 x . . . o"
    )
    assert (state.game.komi, state.turn) == (0.5, hansu.WHITE)
    assert [state.move_text(move) for move in state.move_stack] == ["D2", "pass", "E5", "A1"]
    assert state.text() == (
        "(;FF[4]GM[1]CA[UTF-8]AP[hansu]RU[AGA]SZ[5]KM[0.5]AB[aa][bb][cb][bc][cc]AW[ee]PL[W]"
        ";W[dd];B[];W[ea];B[ae])"
    )


def test_a_record_of_another_size_is_another_game():
    state = hansu.game("go", max_turns=50).parse("(;SZ[13:7]KM[-3];B[mg])")
    assert state.game == hansu.game("go", size="13x7", komi=-3, max_turns=50)
    assert state.stone_at("N1") == hansu.BLACK


def test_a_record_that_names_no_size_is_of_the_game_that_reads_it():
    assert GAME.parse("(;B[ee])").game == GAME


@pytest.mark.parametrize(
    ("record", "white"),
    [
        ("(;SZ[5])", False),
        ("(;SZ[5];W[aa];B[bb];W[cc])", False),
        ("(;SZ[5];W[aa])", False),
        ("(;SZ[5]HA[2]AB[aa][ee])", True),
        ("(;SZ[5]HA[2]AB[aa][ee];W[bb])", False),
        ("(;SZ[5]AB[aa])", False),
        ("(;SZ[5]PL[white])", True),
        ("(;SZ[5];AB[aa]PL[W];W[bb];B[tt])", True),
    ],
)
def test_whose_turn_a_record_leaves(record, white):
    assert GAME.parse(record).turn == (hansu.WHITE if white else hansu.BLACK)


def test_a_finished_record_names_its_result():
    assert "RE[W+7]" in GAME.parse("pass pass").text()
    assert "RE[B+18]" in GAME.parse("C3 pass pass").text()
    assert "RE[0]" in hansu.game("go", size=5, komi=0).parse("pass pass").text()


KO_RECORD = "(;SZ[5];B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb]"


def test_a_record_may_repeat_a_board_only_if_allowed():
    with pytest.raises(PositionError, match=r"move 9 of the record: C4 .*superko"):
        GAME.parse(KO_RECORD + ";B[cb])")
    state = GAME.parse(KO_RECORD + ";B[cb];W[ee])", allow_repeats=True)
    assert len(state.move_stack) == 10
    with pytest.raises(PositionError, match="self-capture"):
        GAME.parse("(;SZ[5];B[ba];W[ee];B[ab];W[aa])", allow_repeats=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(", "this is not SGF"),
        ("(;B[aa]hello)", "this is not SGF: line 1: 'hello' is not understood"),
        ("(;GM[2])", r"another game than go: GM\[2\]"),
        ("(;SZ[1])", "size: 1 is not a board"),
        ("(;SZ[x])", "size: 'x' is not a board"),
        ("(;KM[six])", r"komi is a number, not KM\[six\]"),
        ("(;KM[3.75])", "komi: 3.75 is not a multiple of 0.5"),
        ("(;KM[nan])", "komi"),
        ("(;KM[1e999])", "komi"),
        ("(;PL[green])", r"B or W, not PL\[green\]"),
        ("(;B[aa];W[aa])", "move 2 of the record: A5 is not legal here .the point is taken."),
        ("(;B[zz])", r"\[zz\] is not a point of the 5x5 board: \[aa\] .top left. to \[ee\] are"),
        ("(;AB[a])", r"\[a\] is not a point"),
        ("(;AB[tt])", r"\[tt\] is not a point"),
        ("(;B[];W[];B[aa])", "move 3 of the record: A5 is not legal: the game is over"),
        ("(;AW[aa]AB[ab][ba])", "the string at A5 has no liberty"),
        ("xo", "size: '2x1' is not a board"),
        ("xx...\n.....\n....\n.....\n.....", "row 3 of the board has 4 points and row 1 has 5"),
        ("xx...\n.....\n..?..\n.....\n.....", r"row 3 of the board is '..\?..': only x, o and"),
        ("ox.../x..../...../...../.....", "the string at A5 has no liberty"),
        ("C3 C3", "move 2: C3 is not legal here .the point is taken."),
        ("C3 J9", "move 2: J9 is not on the board, which goes from A1 to E5"),
        ("C3 I5", "move 2: 'I5' is not a move"),
        ("C3 hello", "move 2 cannot be read"),
        ("hello", "'hello' is not a go position: expected an SGF record, moves such as D4 E5 pass"),
    ],
)
def test_what_cannot_be_read_is_said_clearly(text, message):
    with pytest.raises(PositionError, match=message) as caught:
        GAME.parse(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "start", "moves"),
    [
        ("(;SZ[5];B[aa];W[bb];B[c", "", ["A5", "B4"]),
        ("(;SZ[5];B[aa]W[bb]", "", ["A5", "B4"]),
        ("(;SZ[5];W[bb]B[aa])", "PL[W]", ["B4", "A5"]),
        ("(;SZ[5];B[aa];B[bb];B[cc])", "", ["A5", "pass", "B4", "pass", "C3"]),
        ("(;SZ[5];B[aa];W[];B[];W[];B[tt])", "", ["A5", "pass", "pass"]),
        ("(;SZ[5];B[aa];AW[bb];W[cc])", "AB[aa]AW[bb]PL[W]", ["C3"]),
        ("(;SZ[5];B[aa];PL[B]AE[aa]AB[bb];B[cc])", "AB[bb]PL[B]", ["C3"]),
        ("(;SZ[5];B[aa];AB[aa]PL[W];W[cc])", "", ["A5", "C3"]),
        ("(;SZ[5]AB[aa]PL[2])", "AB[aa]PL[W]", []),
        ("(;SZ[5]AB[aa]PL[W];B[cc])", "AB[aa]PL[B]", ["C3"]),
        ("(;SZ[5]HA[0])", "", []),
        ("(;SZ[5]HA[1])", "", []),
        ("\ufeff  (;SZ[5]KM[7,0];B[aa])\r\n", "", ["A5"]),
    ],
)
def test_records_of_others_are_read_as_they_are_meant(text, start, moves):
    state = GAME.parse(text)
    assert [state.move_text(move) for move in state.move_stack] == moves
    first = state.text().partition(";FF")[2].partition(";")[0].rstrip(")")
    assert re.sub(r"RE\[[^]]*\]", "", first).endswith(f"KM[7]{start}")


# Drawings ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        DRAWING,
        "..X..\n.XO..\n..X..\n+++++\nO....\nw",
        "  A B C D E\n5 . . x . . 5\n4 . x o . . 4\n3 . . x . .\n2 . . . . .\n1 o . . . .\n"
        "White to play",
    ],
)
def test_a_board_can_be_drawn_in_several_ways(text):
    assert GAME.parse(text) == GAME.parse(DRAWING)
    assert GAME.parse(text).turn == hansu.WHITE


def test_a_drawing_brings_its_size():
    state = hansu.game("go", komi=3).parse("/".join(["......."] * 6))
    assert state.game == hansu.game("go", size="7x6", komi=3)


def test_the_text_board_reads_back():
    state = hansu.game("go", size=19).parse("A1 T19 K10 H8")
    assert hansu.game("go", size=19).parse(str(state)).stones() == state.stones()


# There and back ----------------------------------------------------------------------------------


@pytest.mark.parametrize("start", ["", DRAWING, "...../...../...../...../xo.ox"])
@pytest.mark.parametrize("seed", range(5))
def test_a_game_is_read_back_with_its_history(start, seed):
    rng, state = random.Random(seed), GAME.parse(start)
    while not state.is_game_over():
        state.push(rng.choice(state.legal_moves))
        again = GAME.parse(state.text())
        assert again == state
        assert again.text() == state.text()
        assert again.move_stack == state.move_stack
        assert again.legal_moves == state.legal_moves  # superko included
        assert again.outcome() == state.outcome()


def test_moves_in_a_row_need_no_blanks_and_no_capitals():
    assert GAME.parse("c3d4pass") == GAME.parse(" C3 D4\nPASS ")


# Anything at all ---------------------------------------------------------------------------------


def reads_or_refuses(text):
    try:
        state = GAME.parse(text)
    except PositionError:
        return
    assert state.game.parse(state.text()).text() == state.text()


@given(st.text())
def test_any_text_is_read_or_refused(text):
    reads_or_refuses(text)


@given(st.text(alphabet="xo./ \nabw+|123", max_size=60))
def test_anything_like_a_drawing_is_read_or_refused(text):
    reads_or_refuses(text)


@given(st.text(alphabet="();[]:BWABPLSZKMHAGabcdet0123456789.-\\ ", max_size=40))
def test_anything_like_a_record_is_read_or_refused(text):
    reads_or_refuses("(;" + text)


@given(
    st.sampled_from([RECORD, DRAWING, "C3 D4 pass", KO_RECORD + ")"]),
    st.lists(st.tuples(st.integers(0, 120), st.integers(0, 3), st.text(max_size=3)), max_size=4),
)
def test_any_damaged_text_is_read_or_refused(text, damages):
    for at, cut, inserted in damages:
        text = text[:at] + inserted + text[at + cut :]
    reads_or_refuses(text)


@given(st.text())
def test_any_text_is_a_move_or_not(text):
    state = GAME.start()
    try:
        move = state.parse_move(text)
    except MoveError:
        return
    assert move in state.legal_moves
