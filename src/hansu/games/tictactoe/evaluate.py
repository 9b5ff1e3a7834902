"""An evaluation by open lines."""

import numpy as np

from hansu.games.tictactoe.rules import LINES
from hansu.kernel import kernel


@kernel
def open_lines(theirs):
    """Return how many of the eight lines the other side has not closed."""
    n = 0
    for line in LINES:
        if not theirs & np.uint64(line):
            n += 1
    return n


@kernel
def evaluate(pos):
    """Return the first player's share of the open lines, in [0, 1]; a half when none is left."""
    mine, theirs = open_lines(pos.theirs), open_lines(pos.mine)
    if mine + theirs == 0:
        return 0.5
    share = mine / (mine + theirs)
    return 1.0 - share if pos.second else share
