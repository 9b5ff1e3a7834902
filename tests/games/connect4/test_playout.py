"""What heavy playouts see in Connect Four, against the rules themselves."""

import random

import numpy as np
import pytest

import hansu
from hansu.games.connect4 import playout, rules
from hansu.kernel import seeded
from hansu.search.playout import random_move_id

CELLS = [i for i in range(49) if i % rules.STRIDE < rules.ROWS]


def test_winning_cells_are_those_that_make_a_line():
    rng = random.Random(1)
    found = 0
    for _ in range(3000):
        heights = [rng.randrange(rules.ROWS + 1) for _ in range(rules.COLUMNS)]
        filled = {cell for cell in CELLS if cell % rules.STRIDE < heights[cell // rules.STRIDE]}
        cells = np.uint64(sum(1 << cell for cell in filled if rng.random() < 0.5))
        if rules.has_line(cells):
            continue
        winning = playout.winning_cells(cells)
        assert not winning & ~rules.BOARD
        for cell in set(CELLS) - filled:
            one = np.uint64(1 << cell)
            assert bool(winning & one) == rules.has_line(cells | one)
            found += bool(winning & one)
    assert found > 500


def drawn(text, count=200):
    state, rng = hansu.game("connect4").parse(text), seeded(1)
    return {random_move_id(state, rng, "heavy") for _ in range(count)}


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", {1, 2, 3, 4, 5, 6, 7}),
        ("112233", {4}),  # completes a row
        ("11223", {4}),  # stops one
        ("1212127", {2}),  # wins in column 2 rather than stop column 1
        ("44444417777", {1, 2, 3, 5, 6, 7}),  # a full column
    ],
)
def test_columns_that_heavy_playouts_choose_from(text, columns):
    assert drawn(text) == columns


def test_a_disc_is_not_put_below_a_cell_that_wins_for_the_other_side():
    assert drawn("....... ....... ....... ....... xxx.... oox.o..") == {1, 2, 3, 5, 6, 7}


@pytest.mark.parametrize("seed", range(5))
def test_a_single_open_column_is_played(seed):
    """However bad it is."""
    rng = random.Random(seed)
    state = hansu.game("connect4").start()
    while not state.is_game_over():
        if len(state.legal_moves) == 1:
            assert random_move_id(state, seeded(seed), "heavy") == state.legal_moves[0]
        quiet = [m for m in state.legal_moves if not state.forward(m).is_game_over()]
        state.push(rng.choice(quiet or list(state.legal_moves)))
