"""Bounds and verdicts against exhaustive enumeration, exact tests and simulated matches."""

from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansu.statistics.confidence import DOUBT, PAIR_SCORES, SURE, doubt, interval, superiority

EDGE = 1e-9  # more than rounding

# Whatever two equal players do, the distribution of a pair's score has the mean ½, and every such
# distribution on 0, ¼, ½, ¾, 1 is a mixture of these five: (lower, higher, how likely the lower).
MIXTURE = ((0, 4, 1 / 2), (1, 3, 1 / 2), (2, 2, 1.0), (0, 3, 1 / 3), (1, 4, 2 / 3))


def all_counts(pairs: int) -> np.ndarray:
    """Every pentanomial of so many pairs."""
    chosen = combinations_with_replacement(range(5), pairs)
    return np.array([np.bincount(kinds, minlength=5) for kinds in chosen])


def decided(counts: np.ndarray) -> np.ndarray:
    """Which of many matches are called decided; equal ones are computed once."""
    different, which = np.unique(counts, axis=0, return_inverse=True)
    sure = superiority(different)
    return ((sure >= SURE) | (sure <= 1 - SURE))[which.reshape(-1)]


@pytest.mark.parametrize("pairs", range(1, 10))
def test_no_mixture_of_equal_pairs_is_decided_too_often(pairs):
    counts = all_counts(pairs)
    wrong = np.zeros((2, *[pairs + 1] * 5))
    wrong[0][tuple(counts.T)] = doubt(counts) <= DOUBT
    wrong[1][tuple(counts.T)] = doubt(counts[:, ::-1]) <= DOUBT
    worst = 0.0
    for parts in all_counts(pairs):  # how many pairs come from each part of the mixture
        chances = {(0, 0, 0, 0, 0): 1.0}
        for part, count in zip(MIXTURE, parts, strict=True):
            for _ in range(count):
                chances = one_more_pair(chances, *part)
        rates = [sum(p * wrong[side][c] for c, p in chances.items()) for side in (0, 1)]
        worst = max(worst, *rates)
    assert worst <= DOUBT + EDGE
    assert (worst > 0) == (pairs >= 6)  # fewer can not decide anything: 2 / 2**5 is more than 5 %


def one_more_pair(chances: dict, lower: int, higher: int, share: float) -> dict:
    found: dict = {}
    for counts, chance in chances.items():
        for kind, p in ((lower, share), (higher, 1 - share)):
            more = tuple(c + (k == kind) for k, c in enumerate(counts))
            found[more] = found.get(more, 0.0) + chance * p
    return found


def game(draws: float, first_move: float) -> np.ndarray:
    """The chances of 0, ½, 1 for who moves first, between equals."""
    return np.array([(1 - draws) * (1 - first_move) / 2, draws, (1 - draws) * (1 + first_move) / 2])


def pair_chances(draws: float, first_move: float, dependence: float) -> np.ndarray:
    """Chances of the pair's points: both games alike in a share of the openings, else independent.

    Dependence: some openings suit one of the two players, whoever moves first.
    """
    own = game(draws, first_move)
    independent = np.convolve(own, own[::-1])
    alike = np.array([(1 - draws) / 2, 0, draws, 0, (1 - draws) / 2])
    return (1 - dependence) * independent + dependence * alike


@pytest.mark.parametrize("draws", [0.0, 0.3, 0.9])
@pytest.mark.parametrize("first_move", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("dependence", [0.0, 0.5, 1.0])
def test_95_percent_sure_is_wrong_in_5_percent_of_matches_between_equals(
    draws, first_move, dependence
):
    rng = np.random.default_rng(1)
    chances = pair_chances(draws, first_move, dependence)
    matches = 2000
    for pairs in (1, 2, 3, 5, 6, 8, 12, 25, 100):
        wrong = decided(rng.multinomial(pairs, chances, size=matches)).mean()
        assert wrong <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / matches)


@pytest.mark.parametrize(
    "chances", [[1 / 3, 0, 0, 2 / 3, 0], [0, 2 / 3, 0, 0, 1 / 3], [0.05, 0, 0.85, 0.1, 0]]
)
def test_equals_of_different_style_are_no_exception(chances):
    """One wins often and little, the other seldom and much."""
    assert np.dot(chances, PAIR_SCORES) == pytest.approx(0.5)
    rng = np.random.default_rng(2)
    for pairs in (6, 10, 20, 50, 100):
        assert decided(rng.multinomial(pairs, chances, size=4000)).mean() <= 0.06


@pytest.mark.parametrize("pairs", range(1, 6))
def test_more_points_never_make_a_verdict_less_sure(pairs):
    counts = all_counts(pairs)
    sure = superiority(counts)
    found = {tuple(c): s for c, s in zip(counts.tolist(), sure, strict=True)}
    for before, s in found.items():
        for kind in range(4):
            if before[kind]:
                after = list(before)
                after[kind] -= 1
                after[kind + 1] += 1
                assert found[tuple(after)] >= s - EDGE


PENTANOMIAL = st.lists(st.integers(0, 60), min_size=5, max_size=5).filter(any)


@settings(max_examples=50, deadline=None)
@given(PENTANOMIAL, st.integers(0, 3))
def test_more_points_never_make_a_longer_match_less_sure(counts, kind):
    more = list(counts)
    if not counts[kind]:
        more[kind] += 1
        counts = [*more]
    more[kind] -= 1
    more[kind + 1] += 1
    assert superiority(more) >= superiority(counts) - EDGE
    for before, after in zip(interval(tuple(counts)), interval(tuple(more)), strict=True):
        assert after >= before - EDGE


@settings(max_examples=50, deadline=None)
@given(PENTANOMIAL)
def test_the_interval_holds_a_half_exactly_while_nothing_is_decided(counts):
    low, high = interval(tuple(counts))
    mean = np.dot(counts, PAIR_SCORES) / sum(counts)
    assert low <= mean <= high
    assert low < high
    sure = superiority(counts)
    if max(sure, 1 - sure) >= SURE + EDGE:
        assert (low > 0.5) == (sure > 0.5)
        assert (high < 0.5) == (sure < 0.5)
    elif max(sure, 1 - sure) <= SURE - EDGE:
        assert low < 0.5 < high


@settings(max_examples=50, deadline=None)
@given(PENTANOMIAL)
def test_swapped_players_have_the_mirrored_numbers(counts):
    low, high = interval(tuple(counts))
    assert interval(tuple(counts[::-1])) == pytest.approx((1 - high, 1 - low), abs=EDGE)
    assert superiority(counts[::-1]) == pytest.approx(1 - superiority(counts), abs=EDGE)


@pytest.mark.parametrize(("won", "lost"), [(6, 0), (9, 1), (30, 18), (600, 400)])
def test_without_drawn_games_and_pairs_it_is_the_binomial_test(won, lost):
    stats = pytest.importorskip("scipy.stats")
    test = stats.binomtest(won, won + lost)
    assert 1 - superiority([lost, 0, 0, 0, won]) == pytest.approx(test.pvalue, abs=1e-9)
    exact = test.proportion_ci(0.95, "exact")
    assert interval((lost, 0, 0, 0, won)) == pytest.approx((exact.low, exact.high), abs=1e-6)


def test_the_doubt_is_that_of_random_weights():
    rng = np.random.default_rng(3)
    for counts, score in product(
        [(1, 2, 3, 4, 2), (0, 1, 0, 3, 3), (0.3, 1, 0.2, 2, 0.4)], (0.4, 0.6)
    ):
        weights = rng.gamma(np.add(counts, [1, 0, 0, 0, 0]), size=(200_000, 5))
        share = ((weights * (PAIR_SCORES - score)).sum(axis=1) <= 0).mean()
        assert doubt(counts, score) == pytest.approx(share, abs=0.005)


@pytest.mark.parametrize("true", [0.5, 0.57, 0.76, 0.95])
@pytest.mark.parametrize("pairs", [3, 10, 100])
def test_the_interval_covers_the_truth(true, pairs):
    rng = np.random.default_rng(4)
    for draws in (0.0, 0.6 * (1 - abs(2 * true - 1))):
        win = true - draws / 2
        own = np.array([1 - draws - win, draws, win])
        counts = rng.multinomial(pairs, np.convolve(own, own), size=1000)
        different, which = np.unique(counts, axis=0, return_inverse=True)
        # The truth is inside where both doubts about it are large enough.
        inside = (doubt(different, true) > DOUBT) & (doubt(different[:, ::-1], 1 - true) > DOUBT)
        assert inside[which.reshape(-1)].mean() >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 1000)
