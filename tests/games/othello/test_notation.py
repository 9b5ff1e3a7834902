"""Othello as text: boards, transcripts, and what is said about nonsense."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hansu
from hansu.errors import MoveError, PositionError
from hansu.games.othello.rules import PASS
from tests.games.othello.slow_board import boards

GAME = hansu.game("othello")
START = "-" * 27 + "OX------XO" + "-" * 27 + " X"
MUST_PASS = "f5f6d3g5h5h4g7h6"


@given(boards)
def test_a_board_is_read_back_as_it_was_written(text):
    state = GAME.parse(text)
    assert state.text() == text
    assert GAME.parse(str(state)) == state
    assert GAME.parse(text.lower().replace("-", ".")) == state
    assert GAME.parse(f"{text}; a1:+64; h8:-64;") == state


@pytest.mark.parametrize("text", ["f5d6c3", "F5D6C3", " f5 D6\nc3 "])
def test_moves_are_read_in_either_case(text):
    state = GAME.parse(text)
    assert state.transcript() == "f5d6c3"
    assert state.move_stack == [37, 43, 18]


@pytest.mark.parametrize("passing", ["", "pass", "--", "ps", "PASS", " Pass "])
def test_a_pass_may_be_written_or_left_out(passing):
    state = GAME.parse(f"{MUST_PASS}{passing}c5")
    assert state.move_stack[8] == PASS
    assert state.transcript() == f"{MUST_PASS}c5"
    assert state.turn is hansu.BLACK


def test_a_pass_at_the_end_is_made_only_if_written():
    assert GAME.parse(MUST_PASS).legal_moves == [PASS]
    assert GAME.parse(f"{MUST_PASS} pass").turn is hansu.WHITE


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("f5f5", "move 2: f5 is not legal here; legal moves are f4, d6, f6"),
        ("f5d6x1", "move 3 cannot be read: 'x1' begins neither with a square a1 to h8 nor"),
        ("f5pass", "move 2: pass is not legal here"),
        ("f5d6c", "move 3 cannot be read: 'c'"),
        ("e6f4e3f6g5d6e7f5c5a1", "move 10: a1 is not legal: the game is over"),
        (START[:64], "does not say who is to move: add X"),
        (START[1:], "does not say who is to move|64 squares"),
        ("hello", "has no 'h': 64 squares X, O or - from a1 to h8"),
        ("---", "64 squares X, O or - from a1 to h8"),
        ("-" * 65, "64 squares X, O or - from a1 to h8"),
    ],
)
def test_a_wrong_position_says_what_is_wrong(text, part):
    with pytest.raises(PositionError, match=part):
        GAME.parse(text)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a1", "a1 is not legal here; legal moves are d3, c4, f5, e6"),
        ("pass", "pass is not legal here"),
        ("i9", "'i9' is not a square: the squares are a1 .top left. to h8"),
        ("", "'' is not a square"),
    ],
)
def test_a_wrong_move_says_what_would_be_right(text, part):
    with pytest.raises(MoveError, match=part):
        GAME.start().parse_move(text)


@pytest.mark.parametrize("move", [0, 64, 65, -1, 10**30, 37.0, None, "f5", True])
def test_moves_that_are_not_legal_are_refused(move):
    with pytest.raises(MoveError):
        GAME.start().push(move)


def error_of(read, kind, text):
    """What is said about a text, nothing if it is fine."""
    try:
        read(text)
    except kind as error:
        return str(error)
    return ""


@given(
    st.one_of(
        st.text(max_size=70),
        st.text("abcdefgh12345678-ps", max_size=40).map(lambda tail: f"f5{tail}"),
        st.text("XO-", min_size=63, max_size=66),
        st.text("XxOo-.*;/| 18abcdefghmovt\n", max_size=90),
    )
)
def test_no_text_raises_anything_but_its_own_error(text):
    said = [error_of(GAME.parse, PositionError, text)]
    said.append(error_of(GAME.start().parse_move, MoveError, text))
    assert all(len(sentence) < 250 and "\n" not in sentence for sentence in said)


@given(boards, st.sampled_from([*range(64), 65]), st.characters())
def test_a_changed_board_is_read_as_what_it_says_or_refused(text, at, letter):
    changed = text[:at] + letter + text[at + 1 :]
    try:
        state = GAME.parse(changed)
    except PositionError:
        return
    assert state.text() == changed.upper().replace(".", "-").replace("*", "X")
