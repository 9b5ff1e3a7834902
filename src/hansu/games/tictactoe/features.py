"""Two planes, my cells and theirs; an action is a cell."""

import numpy as np

from hansu.games.features import same_action, same_move
from hansu.games.packing import packing
from hansu.kernel import bit, kernel

action, move = same_action, same_move

PLANE_NAMES = ("my marks", "their marks")
PACKING = packing([*range(9), *range(64, 73)], words=2)


@kernel
def planes(pos, out):
    """Fill the zeroed array [2, 3, 3]."""
    for cell in range(9):
        if pos.mine & bit(cell):
            out[0, cell // 3, cell % 3] = np.float32(1)
        if pos.theirs & bit(cell):
            out[1, cell // 3, cell % 3] = np.float32(1)


@kernel
def pack(pos, out):
    """Write the two sets."""
    out[0], out[1] = pos.mine, pos.theirs
