"""Two planes, my discs and theirs, rows from the top; an action is a column counted from 0."""

import numpy as np

from hansu.games.connect4.rules import columns
from hansu.games.features import Symmetry, board_symmetries
from hansu.games.packing import Packing, packing
from hansu.kernel import bit, kernel

PLANE_NAMES = ("my discs", "their discs")


def symmetries(width: int, height: int) -> tuple[Symmetry, ...]:
    """Return the board as it is and mirrored."""
    order = np.arange(width)
    return tuple(
        Symmetry(board.name, board.cells, actions)
        for board, actions in zip(
            board_symmetries(height, width, ("identity", "mirror")),
            (order, order[::-1].copy()),
            strict=True,
        )
    )


def board_packing(width: int, height: int) -> Packing:
    """Return where each number of the planes lies in the two sets."""
    return packing(
        [
            64 * plane + (height + 1) * column + height - 1 - row
            for plane in range(2)
            for row in range(height)
            for column in range(width)
        ],
        words=2,
    )


@kernel
def planes(pos, out):
    """Fill the zeroed array [2, height, width]."""
    height = np.int64(pos.height)
    for column in range(columns(pos)):
        for row in range(height):
            cell = bit((height + 1) * column + height - 1 - row)
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
