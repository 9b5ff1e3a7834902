"""An evaluation by mobility, corners and discs."""

import numpy as np

from hansu.games.othello.rules import squares_to_play
from hansu.kernel import bit, kernel, popcount

CORNERS = ((0, 9), (7, 14), (56, 49), (63, 54))
"""Each corner with the square diagonally before it: playing there gives the corner away."""

MOBILITY_WEIGHT, CORNERS_WEIGHT = 1.0, 2.0


@kernel
def share(mine, theirs):
    """Return from -1 (all is theirs) to 1 (all is mine)."""
    mine, theirs = np.int64(popcount(mine)), np.int64(popcount(theirs))
    return (mine - theirs) / (mine + theirs) if mine + theirs else 0.0


@kernel
def corner_lead(mine, theirs):
    """Return my corners against theirs, from -1 to 1; one that is given away counts by half."""
    lead = 0.0
    for corner, before in CORNERS:
        if mine & bit(corner):
            lead += 0.25
        elif theirs & bit(corner):
            lead -= 0.25
        elif mine & bit(before):
            lead -= 0.125
        elif theirs & bit(before):
            lead += 0.125
    return lead


@kernel
def evaluate(pos):
    """Return how well Black, who began, stands, in [0, 1].

    A mean of three leads, each from -1 to 1. Until late in the game many discs are a burden: they
    leave the other side more to turn over. The weights of discs and mobility follow a logistic
    regression on the results of 20,000 tournament games; corners weigh double what it says, which
    wins 73 of 100 games four plies deep, as corners stay.
    """
    mobility = share(squares_to_play(pos.mine, pos.theirs), squares_to_play(pos.theirs, pos.mine))
    filled = np.int64(popcount(pos.mine | pos.theirs)) / 64.0
    discs_weight = 6.0 * filled**12 - 0.7  # negative until 10 squares are left
    lead = discs_weight * share(pos.mine, pos.theirs)
    lead += MOBILITY_WEIGHT * mobility
    lead += CORNERS_WEIGHT * corner_lead(pos.mine, pos.theirs)
    lead /= abs(discs_weight) + MOBILITY_WEIGHT + CORNERS_WEIGHT
    return 0.5 - 0.5 * lead if pos.second else 0.5 + 0.5 * lead
