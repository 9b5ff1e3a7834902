"""Adaptive rating: the draw finds out what is open, and stops when nothing is."""

import random
from itertools import pairwise

import numpy as np
import pytest

from hansu.arena.competition.adaptive import Fit, Score
from hansu.arena.ratings import ELO, Encounter, ratings


def encounter(a, b, strengths, rng):
    chance = 1 / (1 + 10 ** ((strengths[b] - strengths[a]) / 400))
    return Score(a, b, float(sum(rng.random() < chance for _ in "12")), 2)


def play(strengths, precision, adaptive=True, most=20000):
    """Let players with known strengths (in Elo) meet until nothing is open."""
    rng, scores = random.Random(0), []
    players = list(range(len(strengths)))
    everyone = [(a, b) for a in players for b in range(a)]
    while len(scores) < most:
        fit = Fit(players, scores)
        drawn = fit.draw(players, precision, 4)
        if not drawn:
            break
        assert len({frozenset(pair) for pair in drawn}) == len(drawn)
        pairs = drawn if adaptive else everyone
        scores += [encounter(a, b, strengths, rng) for a, b in pairs]
    return fit, len(scores)


def test_the_order_is_found_and_the_draw_ends():
    fit, encounters = play([0.0, 300.0, 600.0, 900.0, 1200.0], 100)
    found = fit.ratings()
    assert sorted(found, key=lambda p: found[p].elo) == [0, 1, 2, 3, 4]
    assert encounters < 300


def test_equals_are_measured_until_they_count_as_equal():
    fit, encounters = play([0.0, 0.0, 0.0], 60)
    assert encounters < 20000
    order = np.argsort(fit.strengths)
    for a, b in pairwise(order):
        variance = fit.covariance[a, a] + fit.covariance[b, b] - 2 * fit.covariance[a, b]
        error, gap = 1.96 * np.sqrt(variance) * ELO, (fit.strengths[b] - fit.strengths[a]) * ELO
        assert error <= max(60, gap) + 1


def test_it_needs_fewer_games_than_everyone_against_everyone():
    strengths = [0.0, 30.0, 400.0, 800.0, 1200.0, 1600.0, 2000.0, 2400.0]
    (_, adaptive), (_, everyone) = play(strengths, 20), play(strengths, 20, adaptive=False)
    assert adaptive < everyone / 3


def test_a_newcomer_is_drawn_first():
    players = list(range(6))
    old = [Score(a, b, 1.0, 2) for a in range(5) for b in range(a)] * 20
    drawn = Fit(players, old).draw(players, 100, 4)
    assert drawn
    assert all(5 in pair for pair in drawn)


def test_those_who_left_are_not_drawn_but_their_games_count():
    even = [Score(0, 2, 1.0, 2), Score(1, 2, 1.0, 2)] * 5
    assert Fit([0, 1, 2], even).draw([0, 1], 10, 5) == [(0, 1)]
    found = Fit([0, 1, 2], [Score(0, 2, 2.0, 2), Score(1, 2, 0.0, 2)] * 5).ratings()
    assert found[0].elo > found[1].elo + 300


def test_what_is_in_progress_counts_as_expected():
    players = [0, 1, 2, 3]
    scores = [Score(a, b, 1.0, 2) for a in players for b in range(a)] * 3
    first = Fit(players, scores).draw(players, 50, 1)
    again = Fit(players, [*scores, *(Score(*pair, 0.0, 0) for pair in first * 30)])
    assert again.draw(players, 50, 1) != first
    assert np.allclose(again.strengths, Fit(players, scores).strengths)


def test_the_strengths_are_those_of_the_table():
    rng = random.Random(3)
    scores = [
        Score(a, b, rng.choice([0.0, 0.5, 1.0, 1.5, 2.0]), 2) for a in range(7) for b in range(a)
    ]
    table = ratings("0123456", [Encounter(str(s.a), str(s.b), s.points, 2) for s in scores])
    found = Fit(range(7), scores).ratings()
    assert all(found[i].elo == pytest.approx(table[str(i)].elo) for i in range(7))


@pytest.mark.parametrize("count", [2, 3, 40])
def test_all_wins_are_no_trouble(count):
    players = list(range(count))
    scores = [Score(a, b, 2.0, 2) for a in players for b in range(a)] * 50
    fit = Fit(players, scores)
    assert np.isfinite(fit.covariance).all()
    fit.draw(players, 1, 10)


def test_nobody_and_one_are_no_trouble():
    assert Fit([0], []).draw([0], 1, 5) == []
