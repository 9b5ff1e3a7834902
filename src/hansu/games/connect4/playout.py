"""Heavy playouts: complete four in a row, stop the other side's, and do not help it to one."""

import numpy as np

from hansu.games.connect4.rules import (
    BOARD,
    BOARD_FULL,
    COLUMNS,
    DOWN_RIGHT,
    LINE,
    RIGHT,
    STRIDE,
    TWO,
    UP,
    UP_RIGHT,
    column_cells,
    has_line,
    landings,
)
from hansu.kernel import below, kernel, lowest, random_below

THREE = np.uint64(3)


@kernel
def completing(cells, step):
    """Return the cells that complete four in one direction; they may be off the board."""
    two, three = step * TWO, step * THREE
    pairs = cells & (cells >> step)
    triples = pairs & (cells >> two)
    ends = triples << three | triples >> step
    return ends | (pairs & (cells >> three)) << two | (cells & (pairs >> two)) << step


@kernel
def winning_cells(cells):
    """Return the cells that would complete four in a row with three of these; they may be taken."""
    across = completing(cells, RIGHT) | completing(cells, UP_RIGHT) | completing(cells, DOWN_RIGHT)
    upwards = (cells & (cells >> UP) & (cells >> TWO)) << THREE
    return (across | upwards) & BOARD


@kernel
def heavy_move(pos, path, moves, rng):
    """Return a move of a heavy playout, or minus the ending; the contract of ``random_move``."""
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
    if not below(cells):
        return column_of(lowest(cells))
    while True:
        move = random_below(rng, COLUMNS) + 1
        if cells & column_cells(move):
            return move


@kernel
def column_of(cell):
    """Return the move that fills a cell."""
    return np.int64(cell) // STRIDE + 1
