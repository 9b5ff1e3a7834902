"""Two planes, my discs and theirs, rows from the top; an action is a column counted from 0."""

import numpy as np

from hansu.games.connect4.rules import COLUMNS, ROWS, STRIDE
from hansu.games.features import Symmetry, board_symmetries
from hansu.games.packing import packing
from hansu.kernel import bit, kernel

SHAPE = (2, ROWS, COLUMNS)
SYMMETRIES = tuple(
    Symmetry(board.name, board.cells, columns)
    for board, columns in zip(
        board_symmetries(ROWS, COLUMNS, ("identity", "mirror")),
        (np.arange(COLUMNS), np.arange(COLUMNS)[::-1].copy()),
        strict=True,
    )
)


PACKING = packing(
    [
        64 * plane + STRIDE * column + ROWS - 1 - row
        for plane in range(2)
        for row in range(ROWS)
        for column in range(COLUMNS)
    ],
    words=2,
)


@kernel
def planes(pos, out):
    """Fill the zeroed array [2, 6, 7]."""
    for column in range(COLUMNS):
        for row in range(ROWS):
            cell = bit(STRIDE * column + ROWS - 1 - row)
            if pos.mine & cell:
                out[0, row, column] = np.float32(1)
            elif pos.theirs & cell:
                out[1, row, column] = np.float32(1)


@kernel
def pack(pos, out):
    """Write the two sets."""
    out[0], out[1] = pos.mine, pos.theirs


@kernel
def action(pos, move):
    """Return a move's number among the network's outputs."""
    return move - 1


@kernel
def move(pos, action):
    """Return the move an output stands for."""
    return action + 1
