"""How sure can one be? Bounds on an expected score that hold for any number of pairs.

A pair is two games with colours swapped; it gives 0, ¼, ½, ¾ or 1 (its mean score). Pairs are
independent of each other, the two games of a pair need not be.

Give every pair a random weight, and imagine one more pair, lost 0-2. The *doubt* that A is
expected to score more than s is the probability that the weighted mean is at most s; the weights
are uniform on the simplex, as in the Bayesian bootstrap. The lower bound is the score whose doubt
is 2.5 %, the upper bound the same from B's side. This is Gaffke's bound for the mean of a bounded
variable: for pairs that are all 2-0 or 0-2 it is the exact binomial test (Clopper and Pearson), for
many pairs it is the usual normal interval, and it has no spread that could be zero.
``docs/design/statistics.md`` says why it holds.
"""

import functools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

PAIR_SCORES = np.arange(5) / 4.0
SURE = 0.95
MOST_NODES = 4000
IMAGINED = np.array([1.0, 0.0, 0.0, 0.0, 0.0])  # a lost pair
DOUBT = (1.0 - SURE) / 2.0  # on each side: "95 % sure" may be wrong either way


def doubt(pairs: ArrayLike, score: float = 0.5) -> NDArray[np.float64]:
    """Return the doubt that the expected score exceeds ``score``, for any number of matches.

    ``pairs`` counts the pairs that gave 0, ¼, ½, ¾, 1; its last axis has these five. The counts
    need not be whole. More points never raise the doubt.

    >>> [float(round(doubt([0, 0, 0, 0, won]), 6)) for won in (1, 2, 6)]
    [0.5, 0.25, 0.015625]
    """
    shapes = np.asarray(pairs, np.float64) + IMAGINED
    # The weights are exponential variables divided by their sum, so the mean is at most s exactly
    # where their sum with the factors (x - s) is at most 0. A sum of gamma variables: Imhof's
    # integral of its characteristic function, with t = tan(angle), where the midpoint rule
    # converges faster than any power.
    factors = PAIR_SCORES - score
    scale = np.sqrt((shapes * factors**2).sum(axis=-1))
    nearest = np.where((shapes > 0.0) & (factors != 0.0), np.abs(factors), math.inf).min(axis=-1)
    nodes = 64 + int(16 * math.sqrt(shapes.sum(axis=-1).max()) + 4 * (scale / nearest).max())
    nodes = min(nodes, MOST_NODES)
    angles = (np.arange(nodes) + 0.5) * (math.pi / 2.0 / nodes)
    spread = np.zeros((*scale.shape, nodes))
    phase = np.zeros_like(spread)
    for kind in range(5):
        shape = shapes[..., kind, None]
        at = factors[kind] * np.tan(angles) / scale[..., None]
        spread += shape * np.log1p(at**2)
        phase += shape * np.arctan(at)
    waves = np.exp(-0.5 * spread) * np.sin(phase) / (np.sin(angles) * np.cos(angles))
    found: NDArray[np.float64] = np.clip(0.5 - waves.sum(axis=-1) / (2.0 * nodes), 0.0, 1.0)
    return found


def superiority(pairs: ArrayLike) -> NDArray[np.float64]:
    """Return how sure one can be that A is the stronger: 0.95 and above mean "95 % sure".

    Both sides together err in at most 5 % of the matches between equals, so it is one less twice
    the doubt, and never less than a half for the side that is ahead.

    >>> float(superiority([0, 0, 0, 0, 6])), float(superiority([6, 0, 0, 0, 0]))
    (0.96875, 0.03125)
    """
    counts = np.asarray(pairs, np.float64)
    against_a, against_b = doubt(counts), doubt(counts[..., ::-1])
    sure = np.maximum(0.5, 1.0 - 2.0 * np.minimum(against_a, against_b))
    found: NDArray[np.float64] = np.where(against_a <= against_b, sure, 1.0 - sure)
    return found


@functools.lru_cache(maxsize=4096)
def interval(pairs: tuple[float, ...]) -> tuple[float, float]:
    """Return the 95 % interval of the expected score.

    >>> interval((0, 0, 0, 0, 0))
    (0.0, 1.0)
    >>> [round(end, 3) for end in interval((0, 0, 0, 0, 10))]  # the tenth root of 0.025
    [0.692, 1.0]
    """
    return lower_bound(pairs), 1.0 - lower_bound(pairs[::-1])


def lower_bound(pairs: Sequence[float]) -> float:
    """Return the score that is exceeded with a doubt of 2.5 %."""
    low, high = 0.0, 1.0
    if not any(pairs[1:]):
        return 0.0
    for _ in range(30):
        middle = (low + high) / 2.0
        if doubt(pairs, middle) <= DOUBT:  # which grows with the score
            low = middle
        else:
            high = middle
    return low
