"""Three planes, my discs, theirs and the squares I may play on; an action is a square or 64.

The numbers of actions are those of moves: 64 is the pass.
"""

import numpy as np

from hansu.games.features import same_action, same_move
from hansu.games.othello.rules import squares_to_play
from hansu.games.packing import packing
from hansu.kernel import bit, kernel

action, move = same_action, same_move

PLANE_NAMES = ("my discs", "their discs", "squares I may play on")
PACKING = packing(range(3 * 64), words=3)


@kernel
def planes(pos, out):
    """Fill the zeroed array [3, 8, 8]."""
    playable = squares_to_play(pos.mine, pos.theirs)
    for square in range(64):
        for plane, squares in enumerate((pos.mine, pos.theirs, playable)):
            if squares & bit(square):
                out[plane, square // 8, square % 8] = np.float32(1)


@kernel
def owners(pos, out):
    """Write whose disc is on each square: 1 Black's, -1 White's, 0 none."""
    mine = np.int8(-1 if pos.second else 1)
    for square in range(64):
        out[square] = 0
        if pos.mine & bit(square):
            out[square] = mine
        elif pos.theirs & bit(square):
            out[square] = -mine


@kernel
def pack(pos, out):
    """Write the three sets."""
    out[0], out[1] = pos.mine, pos.theirs
    out[2] = squares_to_play(pos.mine, pos.theirs)
