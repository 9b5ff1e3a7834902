"""Honest numbers about a match: Elo with its error, how sure we are, when to stop.

Games are played in pairs, the same opening with colours swapped. The two games of a pair are not
independent, so the error is computed from the pairs (the "pentanomial" model) and not from games.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.959964


def elo_of(score: float) -> float:
    """The Elo difference at which a player is expected to score this.

    >>> round(elo_of(0.64))
    100
    """
    return -400.0 * math.log10(1.0 / score - 1.0)


def score_of(elo: float) -> float:
    """The expected score of a player who is this much stronger."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


@dataclass(frozen=True)
class Estimate:
    """A player's strength relative to the other, from the mean scores of independent units."""

    score: float
    elo: float
    elo_error: float  # half the width of the 95 % interval
    superiority: float  # the probability that the player is the stronger one


def estimate(units: Sequence[float], distinct_share: float = 1.0) -> Estimate:
    """Estimate from units (pairs of games, or single ones), each a mean score in [0, 1].

    Repeated games tell nothing new: ``distinct_share`` is the share of games that are distinct,
    and the error is that of so many fewer units.

    >>> estimate([1, 1, 0.5, 1]).elo > 0
    True
    """
    count = len(units)
    score = sum(units) / count
    known = max(1.0, count * distinct_share)
    variance = sum((unit - score) ** 2 for unit in units) / count
    center = score
    if variance == 0.0:
        # All units alike: no spread to measure. Agresti and Coull's four extra units, half won.
        center = (known * score + 2.0) / (known + 4.0)
        variance = center * (1.0 - center)
        known += 4.0
    error = math.sqrt(variance / known)
    superiority = 0.5 * (1.0 + math.erf((center - 0.5) / (error * math.sqrt(2.0))))
    slope = 400.0 / (math.log(10.0) * center * (1.0 - center))  # of elo_of at this score
    return Estimate(score, elo_of(center), Z95 * error * slope, superiority)


@dataclass(frozen=True)
class Sprt:
    """A sequential test: is the difference ``elo0`` or at least ``elo1``? It stops when sure.

    >>> test = Sprt(0, 50)
    >>> test.decision([0.5] * 10) is None
    True
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the log-likelihood ratio decides for elo0 and for elo1."""
        return (
            math.log(self.beta / (1.0 - self.alpha)),
            math.log((1.0 - self.beta) / self.alpha),
        )

    def llr(self, units: Sequence[float]) -> float:
        """The log-likelihood ratio of both hypotheses, by the normal approximation."""
        count = len(units)
        if count < 2:
            return 0.0
        mean = sum(units) / count
        # One unit of each kind is added: a few equal results must not look like certainty.
        prior = (0.0, 0.25, 0.5, 0.75, 1.0)
        smoothed = sum((unit - mean) ** 2 for unit in units) + sum((x - 0.5) ** 2 for x in prior)
        variance = smoothed / (count + len(prior))
        s0, s1 = score_of(self.elo0), score_of(self.elo1)
        return count * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)

    def decision(self, units: Sequence[float]) -> str | None:
        """Which hypothesis holds, "elo0" or "elo1"; None while more games are needed."""
        low, high = self.bounds
        ratio = self.llr(units)
        return "elo1" if ratio >= high else "elo0" if ratio <= low else None
