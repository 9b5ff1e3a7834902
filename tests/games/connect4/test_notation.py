"""Connect Four as text: columns, drawn boards, and what is said about nonsense."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import hansu
from hansu.errors import MoveError, PositionError
from tests.games.connect4.slow_board import SlowBoard, games

GAME = hansu.game("connect4")


@given(games())
def test_a_game_is_written_as_its_columns(moves):
    assert GAME.parse(moves).text() == moves


@pytest.mark.parametrize("text", ["4453", " 44 53\n", "4 4 5 3"])
def test_blanks_between_columns_do_not_matter(text):
    assert GAME.parse(text).text() == "4453"


@given(games(), st.booleans())
def test_for_a_drawn_board_a_game_is_found_that_leads_there(moves, no_center):
    game = hansu.game("connect4", no_center_opening=no_center and moves[:1] != "4")
    board = SlowBoard(moves)
    for drawn in (board.drawn(), board.drawn().replace("\n", "/"), str(GAME.parse(moves))):
        state = game.parse(drawn)
        assert SlowBoard(state.text()).columns == board.columns
        assert game.parse(state.text()) == state


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("48", "move 2: '8' is not a column: the columns are 1 to 7"),
        ("4a", "move 2: 'a' is not a column"),
        ("4444444", "move 7: 4 is not legal here; legal moves are 1, 2, 3, 5, 6, 7"),
        ("12121212", "move 8: 2 is not legal: the game is over"),
        ("xo.", "42 cells, not 3: six rows of seven x, o or . are expected"),
        ("." * 41 + "z", "has no 'z'"),
        ("......./" * 4 + "...x.../.......", "floats in column 4: the cell in row 1 below it"),
        ("......./" * 5 + "xxoxxxx", "x has 6 stones and o 1, but x begins"),
        ("......./" * 5 + "...o...", "x has 0 stones and o 1"),
        ("......./" * 4 + "x....../o......", "never piles up such columns"),
        ("......./" * 4 + "oooo.../xxxx...", "no last move can have made its line"),
        ("......./" * 3 + "xoxx.../oooo.../xxxo...", "no last move can have made its line"),
        ("x,o,b", "with commas, 42 cells x, o or b"),
        ("b,x," + ",".join("b" * 40), "with commas, 42 cells x, o or b"),
    ],
)
def test_a_wrong_position_says_what_is_wrong(text, part):
    with pytest.raises(PositionError, match=part):
        GAME.parse(text)


def test_a_board_that_needs_the_center_first_cannot_arise_without_it():
    board = "......./" * 5 + "...x..."
    assert GAME.parse(board).text() == "4"
    with pytest.raises(PositionError, match="first move may not be column 4"):
        hansu.game("connect4", no_center_opening=True).parse(board)


@example("1\x1f")  # what str.strip takes away and int does not
@given(
    st.one_of(
        st.text(max_size=50),
        st.text("1234567", max_size=50),
        st.text("xo.", min_size=42, max_size=42),
        st.text("xob,", max_size=90),
        st.text("xXoO.-_/ |123,\n", max_size=60),
    )
)
def test_no_text_raises_anything_but_its_own_error(text):
    said = [error_of(GAME.parse, PositionError, text)]
    said.append(error_of(GAME.start().parse_move, MoveError, text))
    assert all(len(sentence) < 200 and "\n" not in sentence for sentence in said)


def error_of(read, kind, text):
    """What is said about a text, nothing if it is fine."""
    try:
        read(text)
    except kind as error:
        return str(error)
    return ""


@given(games(), st.data())
def test_a_changed_board_is_read_as_what_it_says_or_refused(moves, data):
    cells = list(SlowBoard(moves).drawn())
    at = data.draw(st.sampled_from([i for i, cell in enumerate(cells) if cell != "\n"]))
    cells[at] = data.draw(st.sampled_from("xo."))
    try:
        state = GAME.parse("".join(cells))
    except PositionError:
        return
    assert SlowBoard(state.text()).drawn() == "".join(cells)


@pytest.mark.parametrize("move", [0, 8, -1, 10**30, 4.0, None, "4", True])
def test_moves_that_are_no_columns_are_refused(move):
    with pytest.raises(MoveError):
        GAME.start().push(move)
