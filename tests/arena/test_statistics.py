"""Elo, its error and sequential tests, against simulation and known values."""

import random

import pytest
from hansu.arena.statistics import Sprt, elo_of, estimate, score_of


@pytest.mark.parametrize(("score", "elo"), [(0.5, 0), (0.64, 100), (0.76, 200), (0.909, 400)])
def test_elo_of_known_scores(score, elo):
    assert elo_of(score) == pytest.approx(elo, abs=1.0)
    assert score_of(elo) == pytest.approx(score, abs=0.001)


def simulated_pairs(rng: random.Random, elo: float, pairs: int, draws: float = 0.3) -> list[float]:
    """Mean scores of pairs of games between players with a true difference."""
    expected = score_of(elo)

    def game() -> float:
        if rng.random() < draws:
            return 0.5
        return float(rng.random() < (expected - draws / 2) / (1 - draws))

    return [(game() + game()) / 2 for _ in range(pairs)]


@pytest.mark.parametrize("elo", [0, 50, 200])
def test_the_error_covers_the_truth_in_95_of_100_matches(elo):
    rng = random.Random(1)
    covered = 0
    for _ in range(1000):
        found = estimate(simulated_pairs(rng, elo, 100))
        covered += abs(found.elo - elo) <= found.elo_error
    assert 920 <= covered <= 975


def test_superiority_is_calibrated():
    rng = random.Random(2)
    sure = [estimate(simulated_pairs(rng, 0, 50)).superiority > 0.95 for _ in range(1000)]
    assert 25 <= sum(sure) <= 80


def test_repeated_games_are_not_counted_as_new_ones():
    units = [1.0, 0.0, 1.0, 1.0] * 5
    assert estimate(units, distinct_share=0.2).elo_error > 2 * estimate(units).elo_error


def test_a_perfect_score_has_a_finite_estimate_and_a_wide_error():
    few, many = estimate([1.0] * 5), estimate([1.0] * 100)
    assert 100 < few.elo < many.elo < 1000
    assert few.elo_error > 200


@pytest.mark.parametrize(("elo", "wrong"), [(0, "elo1"), (40, "elo0")])
def test_a_sequential_test_keeps_its_error_rates(elo, wrong):
    rng = random.Random(3)
    test = Sprt(0, 40)
    errors = 0
    for _ in range(200):
        units: list[float] = []
        while test.decision(units) is None:
            units += simulated_pairs(rng, elo, 4)
        errors += test.decision(units) == wrong
    assert errors <= 20  # 5 % of 200 are 10; more than 20 would be 3 standard deviations off
