"""Who meets whom: laws that every schedule keeps."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

import hansu
from hansu.arena.tournament.plan import make_plan
from hansu.arena.tournament.schedule import byes, schedule
from hansu.records.record import TimeControl


def plan(agents, rounds, format="round-robin", seed=0):
    made = make_plan(
        hansu.game("tictactoe"), ["random"] * agents, rounds, format, None, TimeControl(), 0, False
    )
    return replace(made, seed=seed)


agents = st.integers(2, 9)
rounds = st.integers(1, 4)


@given(agents, rounds)
def test_in_a_round_robin_everyone_meets_everyone_with_both_colours(count, rounds):
    games = schedule(plan(count, rounds), {})
    met = Counter((game.first, game.second) for game in games)
    assert set(met) == {(a, b) for a in range(count) for b in range(count) if a != b}
    assert set(met.values()) == {rounds}
    assert len(games) == plan(count, rounds).scheduled


@given(agents, rounds)
def test_in_a_gauntlet_the_first_meets_all_others(count, rounds):
    games = schedule(plan(count, rounds, "gauntlet"), {})
    met = Counter((game.first, game.second) for game in games)
    expected = {(0, b) for b in range(1, count)} | {(b, 0) for b in range(1, count)}
    assert set(met) == expected
    assert set(met.values()) == {rounds}
    assert len(games) == plan(count, rounds, "gauntlet").scheduled


def play_swiss(made, seed):
    """All rounds with results by strength and luck, drawn as the tournament would."""
    luck = random.Random(seed)
    results: dict[int, float] = {}
    while missing := [g for g in schedule(made, results) if g.number not in results]:
        for game in missing:
            better = (game.second - game.first) / len(made.agents)
            results[game.number] = luck.choices([1.0, 0.5, 0.0], [2 + better, 1, 2 - better])[0]
    return results


@settings(max_examples=50)
@given(agents, st.integers(1, 8), st.integers(0, 100))
def test_swiss_rounds(count, rounds, seed):
    made = plan(count, rounds, "swiss", seed)
    results = play_swiss(made, seed)
    games = schedule(made, results)
    assert len(games) == len(results) == made.scheduled
    seats = Counter((game.round, game.first) for game in games)
    assert set(seats.values()) == {1}  # once a round with the first colour ...
    assert seats == Counter((game.round, game.second) for game in games)  # ... once with the other
    rested = byes(made, results)
    assert sum(rested.values()) == (rounds if count % 2 else 0)
    if rested:
        assert max(rested.values()) <= -(-rounds // count)
    meetings = Counter(frozenset((g.first, g.second)) for g in games)
    if rounds <= count // 2:  # then nobody need ever meet the same opponent again
        assert max(meetings.values()) == 2


def test_in_a_swiss_tournament_equals_meet():
    made = plan(8, 3, "swiss")
    results = {}
    while missing := [g for g in schedule(made, results) if g.number not in results]:
        for game in missing:  # the lower number always wins
            results[game.number] = float(game.first < game.second)
    points = dict.fromkeys(range(8), 0.0)
    for game in schedule(made, results):
        if game.number % 2 == 0:
            assert points[game.first] == points[game.second]
        points[game.first] += results[game.number]
        points[game.second] += 1 - results[game.number]
    assert points[0] == 6.0
    assert points[7] == 0.0


@given(agents, rounds, st.sampled_from(["round-robin", "gauntlet", "swiss"]), st.integers(0, 99))
@settings(max_examples=30)
def test_a_schedule_is_a_function_of_plan_and_results(count, rounds, format, seed):
    made = plan(count, rounds, format, seed)
    results = play_swiss(made, seed)
    games = schedule(made, results)
    assert games == schedule(made, dict(reversed(results.items())))
    assert [game.number for game in games] == list(range(len(games)))
    assert len({game.seed for game in games}) == len(games)
    for number in random.Random(seed).sample(range(len(games)), min(3, len(games))):
        known = {n: score for n, score in results.items() if n != number}
        assert games[number] in schedule(made, known)
        assert schedule(made, known) == games[: len(schedule(made, known))]


def test_openings_are_shared_by_a_round_and_colours_are_swapped():
    games = schedule(plan(4, 3), {})
    for a, b in zip(games[::2], games[1::2], strict=True):
        assert (a.first, a.second, a.round) == (b.second, b.first, b.round)
    assert Counter(game.round for game in games) == {0: 12, 1: 12, 2: 12}


def test_nobody_plays_twice_in_a_turn_of_the_circle():
    games = schedule(plan(6, 1), {})[::2]
    for turn in range(5):
        players = [p for g in games[3 * turn : 3 * turn + 3] for p in (g.first, g.second)]
        assert sorted(players) == list(range(6))
    assert {frozenset((g.first, g.second)) for g in games} == {
        frozenset(pair) for pair in combinations(range(6), 2)
    }
