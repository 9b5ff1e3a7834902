"""An evaluation by area and captured stones."""

import math

import numpy as np

from hansu.games.go.board import (
    EMPTIES,
    LOST_BLACK,
    LOST_WHITE,
    POINT_COUNT,
    lead_halves,
)
from hansu.kernel import borrowed, kernel

POINTS_PER_CAPTURE = 0.5  # a captured stone is worth more than the area it leaves
SCALE = 6.0  # a lead of so many points is valued at 1 / (1 + 1/e) = 0.73


@kernel
def evaluate(pos):
    """Return Black's prospects in [0, 1]: the lead in area and captured stones, squashed.

    On an almost empty board one stone "has" all of it, so area (with komi) counts as much as the
    board is filled: nothing at the start, fully at the end.
    """
    words = borrowed(pos.words)
    filled = 1.0 - np.float64(words[EMPTIES]) / np.float64(words[POINT_COUNT])
    captured = np.float64(words[LOST_WHITE]) - np.float64(words[LOST_BLACK])
    lead = filled * lead_halves(words) / 2.0 + POINTS_PER_CAPTURE * captured
    return 1.0 / (1.0 + math.exp(-lead / SCALE))
