"""The sequential test keeps its error rates, for few pairs and many, and counts whole pairs."""

import numpy as np
import pytest

from hansu.statistics.elo import score_of
from hansu.statistics.sprt import Sprt

KINDS = {
    "independent games": [0.25, 0, 0.5, 0, 0.25],
    "both games alike": [0.5, 0, 0, 0, 0.5],
    "many draws": [0.01, 0.18, 0.62, 0.18, 0.01],
    "often and little": [1 / 3, 0, 0, 2 / 3, 0],
}


def with_mean(chances: list[float], mean: float) -> np.ndarray:
    """The nearest distribution with this mean."""
    scores, low, high = np.arange(5) / 4, -60.0, 60.0
    for _ in range(100):
        middle = (low + high) / 2
        tilted = np.array(chances) * np.exp(middle * scores)
        tilted /= tilted.sum()
        low, high = (middle, high) if tilted @ scores < mean else (low, middle)
    return tilted


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("truth", "wrong"), [("elo0", "elo1"), ("elo1", "elo0")])
def test_a_sequential_test_keeps_its_error_rates(kind, truth, wrong):
    rng = np.random.default_rng(5)
    test = Sprt(0, 150)
    chances = with_mean(KINDS[kind], score_of(getattr(test, truth)))
    matches, errors = 1000, 0
    counts = np.zeros((matches, 5))  # of the matches that go on
    while len(counts):
        counts += rng.multinomial(1, chances, size=len(counts))
        ratio = test.llr(counts)
        low, high = test.bounds
        errors += (ratio >= high).sum() if wrong == "elo1" else (ratio <= low).sum()
        counts = counts[(low < ratio) & (ratio < high)]
    assert errors <= 0.05 * matches + 3 * np.sqrt(0.05 * 0.95 * matches)


def test_a_few_wins_do_not_stop_the_test():
    test = Sprt(0, 100)
    assert test.decision([0, 0, 0, 0, 0]) is None
    assert test.decision([0, 0, 0, 0, 5]) is None  # equals do this once in 32 matches
    assert test.decision([0, 0, 0, 0, 20]) == "elo1"
    assert test.decision([20, 0, 0, 0, 0]) == "elo0"


def test_the_ratio_is_antisymmetric():
    assert Sprt(-30, 30).llr([1, 2, 3, 4, 5]) == pytest.approx(-Sprt(-30, 30).llr([5, 4, 3, 2, 1]))
    assert Sprt(-30, 30).llr([3, 2, 9, 2, 3]) == pytest.approx(0)


@pytest.mark.parametrize(
    ("pairs", "test", "ratio"),
    [  # those of fastchess, from its sprt_test.cpp
        ([223, 9863, 21279, 10037, 246], Sprt(0.5, 2.5), -3.07),
        ([871, 26175, 55983, 26678, 821], Sprt(0, 2), -4.98),
    ],
)
def test_the_ratio_of_many_pairs_is_that_of_fastchess(pairs, test, ratio):
    assert test.llr(pairs) == pytest.approx(ratio, abs=0.01)
