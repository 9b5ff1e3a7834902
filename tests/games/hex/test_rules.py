"""The rules of Hex, against a plain second implementation and against what is known of the game."""

import functools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hansu
from hansu.errors import MoveError, OptionError, PositionError
from hansu.games.hex import rules
from hansu.kernel import seeded
from hansu.search.negamax import search
from hansu.search.playout import playouts, random_move_id
from tests.games.hex.plain_board import PlainBoard, joined


def names(state: hansu.State) -> set[str]:
    return {state.move_text(move) for move in state.legal_moves}


def assert_same(state: hansu.State, plain: PlainBoard) -> None:
    assert state.text().split()[0].split("/") == plain.rows()
    assert names(state) == plain.legal()
    outcome = state.outcome()
    assert (outcome.facts()["winner"] if outcome else None) == plain.winner()


@pytest.mark.parametrize("size", [3, 4, 5, 8, 11, 19])
@pytest.mark.parametrize("swap", [False, True])
def test_random_games_are_those_of_a_plain_board(size, swap):
    rng = random.Random(size)
    for _ in range(40 if size < 8 else 3):
        state, plain = hansu.game("hex", size=size, swap=swap).start(), PlainBoard(size, swap)
        while not state.is_game_over():
            assert_same(state, plain)
            swaps = swap and len(state.move_stack) == 1 and rng.random() < 0.5
            move = state.game.cells if swaps else rng.choice(state.legal_moves)
            plain.play(state.move_text(move))
            state.push(move)
        assert_same(state, plain)


@given(st.integers(3, 9), st.randoms(use_true_random=False), st.booleans(), st.booleans())
def test_every_move_of_a_set_up_board_leads_where_the_plain_one_does(size, rng, swap, white):
    cells = [(c, r) for c in range(size) for r in range(size)]
    rng.shuffle(cells)
    count = rng.randrange(size * size // 2)
    plain = PlainBoard(size, swap)
    plain.white_to_move = white
    ours = count + white, count
    if swap and rng.random() < 0.5:  # the first stone was taken over
        ours = count + white, count + 1
    plain.stones[0].update(cells[: ours[0]])
    plain.stones[1].update(cells[ours[0] : ours[0] + ours[1]])
    if plain.winner() == ("white" if white else "black"):
        return  # the side to move cannot have won already
    game = hansu.game("hex", size=size, swap=swap)
    state = game.parse("/".join(plain.rows()) + f" {'o' if white else 'x'} to move")
    assert names(state) == plain.legal()
    for move in state.legal_moves:
        after, expected = state.forward(move), PlainBoard(size, swap)
        expected.stones = (set(plain.stones[0]), set(plain.stones[1]))
        expected.white_to_move = white
        expected.play(state.move_text(move))
        assert_same(after, expected)
        assert after.key == game.parse(after.text()).key
        again = game.parse(after.text()).words
        again[[rules.PLY, rules.LAST]] = after.words[[rules.PLY, rules.LAST]]
        assert np.array_equal(after.words, again)


@pytest.mark.parametrize("size", [3, 5, 11, 19])
def test_a_full_board_has_exactly_one_winner(size):
    cells = [(c, r) for c in range(size) for r in range(size)]
    rng = random.Random(size)
    for _ in range(20):
        rng.shuffle(cells)
        half = (len(cells) + 1) // 2
        black, white = set(cells[:half]), set(cells[half:])
        assert joined(black, size, 1) != joined(white, size, 0)


def test_random_games_are_never_drawn_and_the_first_player_wins_more():
    counted = playouts(hansu.game("hex", size=7).start(), 20_000, seed=1)
    assert counted.draws == 0
    assert counted.wins > counted.losses


@functools.cache
def wins(size: int, mine: frozenset, theirs: frozenset, across: int) -> bool:
    """Whether the side to move wins, by trying everything on the plain board."""
    for column in range(size):
        for row in range(size):
            if (column, row) in mine or (column, row) in theirs:
                continue
            ours = mine | {(column, row)}
            if joined(set(ours), size, across) or not wins(size, theirs, ours, 1 - across):
                return True
    return False


def test_3x3_solved_by_search_equals_3x3_solved_by_trying_everything():
    state = hansu.game("hex", size=3).start()
    found = {line.text for line in search(state, 9, True, exact=True).lines if line.value > 0.5}
    expected = {
        f"{chr(97 + c)}{r + 1}"
        for c in range(3)
        for r in range(3)
        if not wins(3, frozenset(), frozenset({(c, r)}), 0)
    }
    assert found == expected
    assert {"a3", "b2", "c1"} <= found  # the short diagonal


SHORT_DIAGONAL = {"d1", "c2", "b3", "a4"}  # the only openings that win on 4x4


@pytest.mark.parametrize(
    "opening",
    [
        *("d1", "b2"),  # one of the short diagonal, one that is not
        *(pytest.param(f"{c}{r}", marks=pytest.mark.slow) for c in "abcd" for r in "1234"),
    ],
)
def test_4x4_is_won_from_the_short_diagonal_and_from_nowhere_else(opening):
    after = hansu.game("hex", size=4).parse(opening)
    value = search(after, 15, True).value
    assert value in (0.0, 1.0)  # no draws
    assert (value == 0.0) == (opening in SHORT_DIAGONAL)


def test_the_swap_takes_the_stone_over_with_column_and_row_exchanged():
    state = hansu.game("hex", size=5, swap=True).parse("b4")
    assert "swap" in names(state)
    state.push(state.parse_move("swap"))
    assert state.text() == "...../...o./...../...../..... x to move"
    assert "swap" not in names(state)
    assert state.turn == hansu.BLACK
    state.pop()
    assert state.text() == "...../...../...../.x.../..... o to move"


def test_without_the_option_there_is_no_swap():
    state = hansu.game("hex", size=5).parse("b4")
    with pytest.raises(MoveError, match="swap is not legal here"):
        state.parse_move("swap")


def test_an_edge_is_reached_in_the_corners_too():
    game = hansu.game("hex", size=3)
    assert game.parse("a1 b1 a2 b2 a3").outcome() == hansu.Outcome(hansu.BLACK, "connection")
    assert game.parse("c2 a1 a3 b1 a2 c1").outcome() == hansu.Outcome(hansu.WHITE, "connection")
    assert not game.parse("a1 b1 a2 b2").is_game_over()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x../.../..", "9 cells, not 8"),
        ("x../.z./...", "no 'z'"),
        ("xx./.../...", "cannot arise"),
        ("x../.../... x to move", "cannot arise"),
        ("xo./xo./x.. x to move", "cannot arise"),
        ("d1", "is not a cell"),
        ("a1 a1", "not legal"),
        ("a1 swap", "not legal"),
    ],
)
def test_what_is_no_position_is_refused_with_a_reason(text, complaint):
    with pytest.raises(PositionError, match=complaint):
        hansu.game("hex", size=3).parse(text)


def test_a_printed_board_is_read_back():
    for size in (3, 9, 11, 19):
        state = hansu.game("hex", size=size).parse("b2 a3 c1")
        assert state.game.parse(str(state)).text() == state.text()


@pytest.mark.parametrize("size", [2, 20, 0, -3])
def test_a_board_is_3_to_19(size):
    with pytest.raises(OptionError, match="3 to 19"):
        hansu.game("hex", size=size)


def test_heavy_playouts_keep_a_bridge():
    # x on b3 and c1 are joined by b2 or c2; o has just played c2
    state = hansu.game("hex", size=5).parse("b3 e5 c1 c2")
    moves = {random_move_id(state, seeded(seed), "heavy") for seed in range(50)}
    assert {state.move_text(move) for move in moves} == {"b2"}
    light = {random_move_id(state, seeded(seed)) for seed in range(50)}
    assert len(light) > 5


def test_a_finished_position_marks_the_winner_only_once():
    words = hansu.game("hex", size=3).parse("a1 b1 a2 b2 a3").words
    assert int(words[rules.WINNER]) == rules.BLACK
