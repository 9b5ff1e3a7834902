"""When to stop: a sequential test over whole pairs of games."""

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hansu.errors import OptionError
from hansu.statistics.confidence import PAIR_SCORES
from hansu.statistics.elo import score_of

IMAGINED = np.array([0.5, 0.0, 0.0, 0.0, 0.5])  # a few equal results must not look like certainty


@dataclass(frozen=True)
class Sprt:
    """A sequential test: is the difference ``elo0`` or at least ``elo1``? It stops when sure.

    This is the generalised test of fishtest and fastchess: the ratio of the likelihoods of the most
    likely distributions of pairs whose mean is that of either hypothesis.

    >>> test = Sprt(0, 50)
    >>> test.decision([0, 0, 10, 0, 0]) is None
    True
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        values = (self.elo0, self.elo1, self.alpha, self.beta)
        for value in values:
            if not isinstance(value, numbers.Real) or not math.isfinite(value):
                raise OptionError(f"a sequential test is of four numbers, not {values}")
        if not (self.elo0 < self.elo1 and 0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise OptionError(
                "a sequential test has elo0 below elo1, and alpha and beta between 0 and 0.5, "
                f"not {values}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the log-likelihood ratio decides for elo0 and for elo1."""
        return (
            math.log(self.beta / (1.0 - self.alpha)),
            math.log((1.0 - self.beta) / self.alpha),
        )

    def llr(self, pairs: ArrayLike) -> NDArray[np.float64]:
        """Return the log-likelihood ratio of both hypotheses, for any number of matches.

        The last axis counts the pairs of 0, ½, 1, 1½ and 2 points.
        """
        counts = np.asarray(pairs, np.float64) + IMAGINED
        return _evidence(counts, score_of(self.elo0)) - _evidence(counts, score_of(self.elo1))

    def decision(self, pairs: Sequence[float]) -> Literal["elo0", "elo1"] | None:
        """Return which hypothesis holds, "elo0" or "elo1"; None while more games are needed."""
        low, high = self.bounds
        ratio = float(self.llr(pairs))
        return "elo1" if ratio >= high else "elo0" if ratio <= low else None

    def shown(self, pairs: Sequence[float]) -> str:
        """Return how far the test has got, as fastchess prints it.

        >>> Sprt(0, 50).shown([0, 0, 10, 0, 0])
        'LLR -0.83 (-2.94, 2.94) [0, 50]'
        """
        low, high = self.bounds
        return f"LLR {self.llr(pairs):.2f} ({low:.2f}, {high:.2f}) [{self.elo0:g}, {self.elo1:g}]"


def _evidence(counts: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """Return the log-likelihood that is lost when the mean must be this one (Owen)."""
    offsets = PAIR_SCORES - mean
    # Beyond these the probability of a loss or of a win would be negative.
    low = np.full(counts.shape[:-1], -1.0 / offsets[-1])
    high = np.full(counts.shape[:-1], -1.0 / offsets[0])
    for _ in range(50):
        middle = (low + high) / 2.0
        slope = (counts * offsets / (1.0 + middle[..., None] * offsets)).sum(axis=-1)
        low, high = np.where(slope > 0.0, middle, low), np.where(slope > 0.0, high, middle)
    lost: NDArray[np.float64] = (counts * np.log1p(middle[..., None] * offsets)).sum(axis=-1)
    return lost
