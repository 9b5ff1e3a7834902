"""Stats are values: they add, negate, and count pairs and repeats as they should."""

import json
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansu.statistics.elo import elo_of, score_of
from hansu.statistics.stats import Played, Stats

GAMES = st.lists(
    st.builds(
        Played,
        st.booleans(),
        st.sampled_from([0.0, 0.5, 1.0]),
        st.sampled_from(["", "a", "b"]),
        st.tuples(st.integers(0, 9)),
    ),
    max_size=12,
)


def match(text: str) -> Stats:
    """Alternating games, all different: ``"1=0"`` is a win, a draw and a loss."""
    scores = {"1": 1.0, "=": 0.5, "0": 0.0}
    return Stats.of(Played(n % 2 == 0, scores[result], moves=(n,)) for n, result in enumerate(text))


def swapped(games: list[Played]) -> list[Played]:
    """As the opponent sees them."""
    return [game._replace(first=not game.first, score=1 - game.score) for game in games]


@pytest.mark.parametrize(("score", "elo"), [(0.5, 0), (0.64, 100), (0.76, 200), (0.909, 400)])
def test_elo_of_known_scores(score, elo):
    assert elo_of(score) == pytest.approx(elo, abs=1.0)
    assert score_of(elo) == pytest.approx(score, abs=0.001)


@given(GAMES, GAMES, GAMES)
def test_stats_add_and_negate(one, two, three):
    a, b, c = (Stats.of(games) for games in (one, two, three))
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert a + Stats() == a
    assert -(a + b) == -a + -b
    mirrored = -a
    assert -mirrored == a
    assert (a + b).games == len(one) + len(two)


@settings(max_examples=50, deadline=None)
@given(GAMES)
def test_the_opponents_numbers_are_the_mirrored_ones(games):
    ours, theirs = Stats.of(games), Stats.of(swapped(games))
    # Pairs of leftover games may meet in another order; all that is counted alike is mirrored.
    assert theirs.tally == -ours.tally
    mirrored = -ours
    assert mirrored.elo == pytest.approx(-ours.elo)
    assert mirrored.elo_error == pytest.approx(ours.elo_error)
    assert mirrored.superiority == pytest.approx(1 - ours.superiority)
    assert mirrored.elo_interval == pytest.approx(tuple(-end for end in ours.elo_interval[::-1]))
    assert mirrored.pentanomial == ours.pentanomial[::-1]


def test_swapping_the_players_of_a_match_is_negating():
    rng = random.Random(1)
    games = [Played(n % 2 == 0, rng.choice([0.0, 0.5, 1.0]), str(n // 2), (n,)) for n in range(41)]
    assert Stats.of(swapped(games)) == -Stats.of(games)


@settings(max_examples=50, deadline=None)
@given(GAMES)
def test_estimate_interval_and_verdict_agree(games):
    stats = Stats.of(games)
    low, high = stats.elo_interval
    assert low <= stats.elo <= high
    assert math.isfinite(stats.elo)
    if stats.decided:
        assert abs(stats.elo) > stats.elo_error > 0
        assert (stats.elo > 0) == (stats.superiority > 0.5)
    else:
        assert abs(stats.elo) <= stats.elo_error
    json.dumps(stats.facts(), allow_nan=False)


def test_an_odd_last_game_counts_as_one_game():
    stats = match("1010101")  # who moves first wins
    assert stats.elo == pytest.approx(elo_of(4 / 7))
    assert stats.pentanomial == (0, 0, 3, 0, 0)
    assert stats.superiority == 0.5


@pytest.mark.parametrize("games", [2, 4, 6, 8, 10])
def test_too_few_games_decide_nothing(games):
    assert not match("1" * games).decided
    assert match("1" * games).elo_interval[1] == math.inf


def test_twelve_wins_in_a_row_decide_and_more_points_are_surer():
    assert match("1" * 12).decided
    assert match("111111").superiority > match("11111=").superiority > match("111110").superiority


def test_games_with_one_colour_say_nothing_about_strength():
    stats = Stats.of(Played(True, 1.0, moves=(n,)) for n in range(100))
    assert stats.superiority == 0.5
    assert stats.facts()["elo_error"] is None
    assert stats.facts()["as_second"] is None


def test_pairs_are_those_of_the_same_opening_whatever_the_order():
    games = [Played(True, 1.0, "a"), Played(True, 1.0, "b"), Played(False, 1.0, "b"),
             Played(False, 0.0, "a")]  # fmt: skip
    assert Stats.of(games).pentanomial == (0, 0, 1, 0, 1)
    assert Stats.of(games[::-1]).pentanomial == (0, 0, 1, 0, 1)
    apart = [Played(True, 1.0, "a"), Played(False, 0.5, "b")]  # no opening was played twice
    assert Stats.of(apart).pentanomial == (0, 0, 0, 1, 0)


def test_repeated_games_are_not_counted_as_new_ones():
    once = [Played(first, 1.0, moves=(first,)) for first in (True, False)]
    assert Stats.of(once * 50).evidence == Stats.of(once).evidence == (0, 0, 0, 0, 1)
    assert not Stats.of(once * 50).decided
    assert Stats.of(once * 50).score == 1.0


def test_a_perfect_score_has_a_finite_elo_and_a_wide_error():
    few, many = match("1" * 10), match("1" * 200)
    assert 100 < few.elo < many.elo < 2000
    assert few.elo_error > 200
    assert match("1" * 19 + "=").elo < match("1" * 20).elo


@pytest.mark.parametrize(
    ("pentanomial", "elo", "error", "normalised", "normalised_error"),
    [  # those of fastchess, from its elo_test.cpp
        ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28),
        ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 2.65),
    ],
)
def test_elo_of_many_pairs_is_that_of_fastchess(
    pentanomial, elo, error, normalised, normalised_error
):
    outcomes = [(0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (1.0, 0.5), (1.0, 1.0)]
    numbered = enumerate(
        pair for pair, n in zip(outcomes, pentanomial, strict=True) for _ in range(n)
    )
    stats = Stats.of(
        Played(first, score, str(number))
        for number, pair in numbered
        for first, score in zip((True, False), pair, strict=True)
    )
    assert stats.pentanomial == pentanomial
    assert stats.elo == pytest.approx(elo, abs=0.01)
    assert stats.normalised_elo == pytest.approx(normalised, abs=0.01)
    assert stats.elo_error == pytest.approx(error, rel=0.06)
    assert stats.normalised_elo_error == pytest.approx(normalised_error, rel=0.06)


@pytest.mark.parametrize("games", [0, 1, 2, 3])
@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_what_has_no_bound_is_shown_as_the_page_shows_it(games, score):
    stats = Stats.of([Played(n % 2 == 0, score, moves=(n,)) for n in range(games)])
    words = " ".join([str(stats), *(value for _, value in stats.rows())])
    assert "inf" not in words
    assert "nan" not in words
    json.dumps(stats.facts(), allow_nan=False)
