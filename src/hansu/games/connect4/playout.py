"""Heavy play-outs: complete four in a row, stop the other side's, and do not help it to one."""

import numpy as np

from hansu.games.connect4.rules import (
    BOARD,
    BOARD_FULL,
    DOWN_RIGHT,
    LINE,
    RIGHT,
    STRIDE,
    TWO,
    UP,
    UP_RIGHT,
    has_line,
    landings,
)
from hansu.kernel import kernel, lowest, nth_bit, popcount, random_below

THREE = np.uint64(3)


@kernel
def winning_cells(cells):
    """The cells that would complete four in a row with three of these; they may be taken."""
    found = (cells & (cells >> UP) & (cells >> TWO)) << THREE
    for step in (DOWN_RIGHT, RIGHT, UP_RIGHT):
        two, three = step * TWO, step * THREE
        pairs = cells & (cells >> step)
        triples = pairs & (cells >> two)
        found |= triples << three | triples >> step
        found |= (pairs & (cells >> three)) << two | (cells & (pairs >> two)) << step
    return found & BOARD


@kernel
def heavy_move(pos, path, moves, rng):
    """A move of a heavy play-out, or minus the ending; the contract of ``random_move``."""
    if has_line(pos.theirs):
        return -LINE
    cells = landings(pos)
    if not cells:
        return -BOARD_FULL
    wins = winning_cells(pos.mine) & cells
    if wins:
        return column_of(lowest(wins))
    threats = winning_cells(pos.theirs)
    if threats & cells:
        cells &= threats
    elif cells & ~(threats >> UP):
        cells &= ~(threats >> UP)
    return column_of(nth_bit(cells, random_below(rng, popcount(cells))))


@kernel
def column_of(cell):
    """The move that fills a cell."""
    return np.int64(cell) // STRIDE + 1
