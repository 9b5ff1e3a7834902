"""Win probabilities as engines count them, in hundredths of a pawn, and back."""

import math

MOST = 10_000


def centipawns(value: float) -> int:
    """Return a win probability in centipawns: a pawn ahead is 64 %, two are 76 %.

    >>> centipawns(0.5), centipawns(0.64), centipawns(0.0)
    (0, 100, -10000)
    """
    if not 0.0 < value < 1.0:
        return MOST if value >= 1.0 else -MOST
    return max(-MOST, min(MOST, round(400.0 * math.log10(value / (1.0 - value)))))


def win_probability(score: int) -> float:
    """Return the win probability that a score in centipawns means.

    >>> win_probability(0), round(win_probability(100), 2), win_probability(-MOST) < 1e-9
    (0.5, 0.64, True)
    """
    return 1.0 / (1.0 + math.pow(10.0, -max(-MOST, min(MOST, score)) / 400.0))
