"""Win probabilities as engines count them, in hundredths of a pawn, and back."""

import math

MOST = 10_000


def centipawns(value: float) -> int:
    """A share from 0 to 1 as engines count: a pawn ahead is worth 64 %, two are worth 76 %.

    >>> centipawns(0.5), centipawns(0.64), centipawns(0.0)
    (0, 100, -10000)
    """
    if not 0.0 < value < 1.0:
        return MOST if value >= 1.0 else -MOST
    return max(-MOST, min(MOST, round(400.0 * math.log10(value / (1.0 - value)))))


def win_probability(score: int) -> float:
    """The share from 0 to 1 that a score means.

    >>> win_probability(0), round(win_probability(100), 2), win_probability(-MOST) < 1e-9
    (0.5, 0.64, True)
    """
    return 1.0 / (1.0 + math.pow(10.0, -max(-MOST, min(MOST, score)) / 400.0))
