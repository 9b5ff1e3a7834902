"""Heavy playouts: complete four in a row, stop the other side's, and do not help it to one."""

import numpy as np

from hansu.games.connect4.rules import (
    BOARD,
    BOARD_FULL,
    HEIGHT,
    LINE,
    ONE,
    TWO,
    UP,
    board_cells,
    column_cells,
    columns,
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
def winning_cells(cells, board=BOARD, height=HEIGHT):
    """Return the cells that would complete four in a row with three of these; they may be taken."""
    across = completing(cells, height) | completing(cells, height + ONE)
    upwards = (cells & (cells >> UP) & (cells >> TWO)) << THREE
    return (across | completing(cells, height + TWO) | upwards) & board


@kernel
def heavy_move(pos, path, moves, rng):
    """Return a move of a heavy playout, or minus the ending; the contract of ``random_move``."""
    if has_line(pos.theirs, pos.height):
        return -LINE
    cells = landings(pos)
    if not cells:
        return -BOARD_FULL
    board = board_cells(pos)
    wins = winning_cells(pos.mine, board, pos.height) & cells
    if wins:
        return column_of(pos, lowest(wins))
    threats = winning_cells(pos.theirs, board, pos.height)
    if threats & cells:
        cells &= threats
    elif cells & ~(threats >> UP):
        cells &= ~(threats >> UP)
    if not below(cells):
        return column_of(pos, lowest(cells))
    while True:
        move = random_below(rng, columns(pos)) + 1
        if cells & column_cells(pos, move):
            return move


@kernel
def column_of(pos, cell):
    """Return the move that fills a cell."""
    return np.int64(cell // (pos.height + ONE)) + 1
