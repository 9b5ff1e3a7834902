"""Ratings against published numbers, a second implementation and simulated truth."""

import csv
import random
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from hansu.arena.ratings import ELO, Z95, Anchor, Encounter, ratings
from hansu.statistics.elo import score_of

BASEBALL = Path(__file__).parent.parent / "data" / "baseball_1987.csv"

# Ability and standard error on the logistic scale: summary(baseballModel1) of BradleyTerry2, which
# reproduces section 10.6 of Agresti (2002).
PUBLISHED = {
    "Boston": (1.1077, 0.3339),
    "Cleveland": (0.6839, 0.3319),
    "Detroit": (1.4364, 0.3396),
    "Milwaukee": (1.5814, 0.3433),
    "New York": (1.2476, 0.3359),
    "Toronto": (1.2945, 0.3367),
    "Baltimore": (0.0, 0.0),
}


def baseball() -> list[Encounter]:
    with BASEBALL.open() as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    found = []
    for home, away, won, lost in rows:
        found += [Encounter(home, away, 1.0, 1)] * int(won)
        found += [Encounter(home, away, 0.0, 1)] * int(lost)
    return found


def test_published_ratings_and_errors():
    found = ratings(list(PUBLISHED), baseball(), Anchor("Baltimore"), prior=0.0)
    for team, (ability, error) in PUBLISHED.items():
        assert found[team].elo / ELO == pytest.approx(ability, abs=5e-5)
        # Theirs is the model's error, ours is measured: alike where the model holds.
        assert found[team].error / ELO / Z95 == pytest.approx(error, rel=0.08)


@pytest.mark.parametrize("seed", range(5))
def test_a_second_implementation_finds_the_same_ratings(seed):
    import choix  # here: SciPy takes a second to load, in each process that runs tests

    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 9))
    names = [f"p{i}" for i in range(count)]
    won = np.zeros((count, count))
    games = []
    for i, j in combinations(range(count), 2):
        for _ in range(6):
            points = float(rng.choice([0.0, 0.5, 1.0, 1.5, 2.0]))
            games.append(Encounter(names[i], names[j], points, 2))
            won[i, j] += points
            won[j, i] += 2 - points
    theirs = choix.ilsr_pairwise_dense(won)
    ours = ratings(names, games, prior=0.0)
    assert [ours[name].elo / ELO for name in names] == pytest.approx(
        list(theirs - theirs.mean()), abs=1e-5
    )


def simulated(
    rng: random.Random, truth: list[float], rounds: int, draws: float, first_move: float
) -> list[Encounter]:
    """A double round-robin of players whose true ratings are known."""
    found = []
    for a, b in combinations(range(len(truth)), 2):
        share = score_of(truth[a] - truth[b])
        tilt = first_move * min(share, 1 - share)  # what beginning is worth; both begin once
        for _ in range(rounds):
            points = 0.0
            for expected in (share + tilt, share - tilt):
                drawn = min(draws, 2 * min(expected, 1 - expected))
                luck = rng.random()
                win = expected - drawn / 2
                points += 1.0 if luck < win else 0.5 if luck < win + drawn else 0.0
            found.append(Encounter(f"p{a}", f"p{b}", points, 2))
    return found


@pytest.mark.parametrize(
    ("players", "rounds", "spread", "draws", "first_move"),
    [
        (4, 5, 100, 0.0, 0.0),
        (4, 5, 200, 0.7, 0.0),
        (6, 10, 100, 0.3, 0.5),
        (6, 10, 200, 0.0, 0.8),
        (10, 2, 200, 0.4, 0.0),
        (10, 2, 300, 0.0, 0.0),
    ],
)
def test_error_bars_cover_the_truth_in_95_of_100_tournaments(
    players, rounds, spread, draws, first_move
):
    rng = random.Random(1)
    names = [f"p{i}" for i in range(players)]
    covered = total = 0
    for _ in range(150):
        truth = [rng.gauss(0, spread) for _ in names]
        middle = sum(truth) / players
        found = ratings(names, simulated(rng, truth, rounds, draws, first_move))
        for name, true in zip(names, truth, strict=True):
            covered += abs(found[name].elo - (true - middle)) <= found[name].error
            total += 1
    assert 0.92 <= covered / total <= 0.975


@pytest.mark.parametrize("players", [3, 4, 8])
@pytest.mark.parametrize("rounds", [1, 2, 5])
@pytest.mark.parametrize(
    "chances",  # of 0, ½, 1, 1½, 2 points
    [
        [0.5, 0, 0, 0, 0.5],
        [0.25, 0, 0.5, 0, 0.25],
        [0, 0.5, 0, 0.5, 0],
        [0.01, 0.1, 0.78, 0.1, 0.01],
    ],
)
def test_error_bars_of_equals_hold_for_few_games(players, rounds, chances):
    rng = np.random.default_rng(3)
    names = [f"p{i}" for i in range(players)]
    covered = []
    for _ in range(60):
        points = rng.choice(5, p=chances, size=(players, players, rounds)) / 2
        games = [
            Encounter(names[a], names[b], float(p), 2)
            for a, b in combinations(range(players), 2)
            for p in points[a, b]
        ]
        covered += [abs(rating.elo) <= rating.error for rating in ratings(names, games).values()]
    assert np.mean(covered) >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / len(covered))


def test_errors_relative_to_an_anchor_cover_the_truth_too():
    rng = random.Random(2)
    names = [f"p{i}" for i in range(5)]
    covered = total = 0
    for _ in range(200):
        truth = [rng.gauss(0, 150) for _ in names]
        found = ratings(names, simulated(rng, truth, 6, 0.3, 0.3), Anchor("p0", truth[0]))
        assert found["p0"] == (pytest.approx(truth[0]), 0.0)
        for name, true in zip(names[1:], truth[1:], strict=True):
            covered += abs(found[name].elo - true) <= found[name].error
            total += 1
    assert 0.92 <= covered / total <= 0.975


def test_who_wins_everything_has_a_finite_rating_with_a_wide_error():
    games = [Encounter("a", "b", 2.0, 2)] * 10 + [Encounter("b", "c", 1.0, 2)] * 10
    found = ratings(["a", "b", "c"], games)
    assert 300 < found["a"].elo - found["b"].elo < 2000
    assert found["a"].error > 150
    more = ratings(["a", "b", "c"], games * 10)
    assert more["a"].elo > found["a"].elo


def test_repeated_games_widen_the_error():
    games = [Encounter("a", "b", 1.5, 2), Encounter("a", "b", 1.0, 2)] * 10
    few = ratings(["a", "b"], games, distinct_share=0.25)
    assert few["a"].error == pytest.approx(2 * ratings(["a", "b"], games)["a"].error)
    assert few["a"].elo == ratings(["a", "b"], games)["a"].elo


def test_before_the_first_game_everybody_is_equal():
    found = ratings(["a", "b", "c"], [])
    assert [rating.elo for rating in found.values()] == pytest.approx([0, 0, 0], abs=1e-9)
    assert all(100 < rating.error < 2000 for rating in found.values())
