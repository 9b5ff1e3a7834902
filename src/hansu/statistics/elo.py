"""The Elo scale."""

import math


def elo_of(score: float) -> float:
    """Return the Elo difference at which a player is expected to score this.

    >>> round(elo_of(0.64))
    100
    >>> elo_of(0.5), elo_of(1.0)
    (0.0, inf)
    """
    if score <= 0.0 or score >= 1.0:
        return math.copysign(math.inf, score - 0.5)
    return 400.0 * math.log10(score / (1.0 - score))


def score_of(elo: float) -> float:
    """Return the expected score of a player who is this much stronger.

    >>> score_of(0)
    0.5
    """
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))
