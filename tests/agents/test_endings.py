"""Agents that play endings by tables: a proved win is played, and what is proved is said."""

import random

import pytest

import hansu
from hansu.arena import accuracy as accuracy_module
from hansu.arena.accuracy import accuracies
from hansu.kernel import JIT
from hansu.search.solve import make_solver, solve

pytestmark = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")
SEARCHERS = ("abp_negamax:depth=2", "mcts:n_simulations=50", "self_learning:n_simulations=20")
KRK = "k3/4/4/4/K2R w - - 0 1"


def endings(count, seed, pieces=4):
    """Random endings, from random games."""
    rng, game = random.Random(seed), hansu.game("microchess")
    while count:
        state = game.start()
        while not state.is_game_over() and state.occupied.bit_count() > pieces:
            state.push(rng.choice(list(state.legal_moves)))
        if not state.is_game_over():
            count -= 1
            yield state


@pytest.mark.parametrize("name", SEARCHERS)
def test_a_searching_agent_keeps_what_the_tables_prove(tablebases, name):
    agent = hansu.agent("microchess", name, seed=1)
    solver = make_solver(hansu.game("microchess"), 64)
    for state in endings(15, seed=3):
        best = max(-solver.bounds(state.forward(move)) for move in state.legal_moves)
        played = -solver.bounds(state.forward(agent.act(state)))
        if best.exact:
            assert _value(played) >= _value(best), state.text()


def _value(bounds):
    return (bounds.lower > 0) - (bounds.upper < 0)


@pytest.mark.parametrize("name", SEARCHERS)
def test_analysis_says_what_is_proved_and_off_is_off(tablebases, name):
    state = hansu.game("microchess").parse(KRK)
    found = hansu.agent("microchess", name, seed=1).search(state)
    assert found.proved
    assert (found.value, found.lines[0].score) == (1.0, 73)
    without = hansu.agent("microchess", f"{name},tablebase=off", seed=1).search(state)
    assert not any(line.proved for line in without.lines)


def test_without_tables_an_agent_searches():
    state = hansu.game("microchess").parse(KRK)
    assert not hansu.agent("microchess", "abp_negamax", seed=1).search(state).proved


def test_a_search_sees_the_tables_at_its_leaves(tablebases):
    """One ply deep, a capture that leads to an ending has its proved value, not its material."""
    agent = hansu.agent("microchess", "abp_negamax", seed=1)
    solver, checked = make_solver(hansu.game("microchess"), 64), 0
    for state in endings(20, seed=8, pieces=5):
        info = agent.search(state, hansu.Limits(depth=1, exact=True))
        for line in info.lines:
            after = state.forward(line.move)
            bounds = -solver.bounds(after)
            if after.occupied.bit_count() == 4 and bounds.exact and not after.is_game_over():
                checked += 1
                assert line.value == 0.5 + 0.5 * _value(bounds), (state.text(), line.text)
    assert checked > 10


def test_perfect_mates_as_soon_as_the_table_says(tablebases):
    game = hansu.game("microchess")
    agents = {color: hansu.agent(game, "perfect", seed=1) for color in (hansu.WHITE, hansu.BLACK)}
    state = game.parse(KRK)
    while not state.is_game_over():
        state.push(agents[state.turn].act(state))
    assert state.outcome().reason == "checkmate"
    assert len(state.move_stack) == 9


@pytest.mark.parametrize("count", [10, pytest.param(10_000, marks=pytest.mark.slow)])
def test_perfect_never_gives_away_what_is_proved(tablebases, count):
    agent = hansu.agent("microchess", "perfect", seed=1)
    solver = make_solver(hansu.game("microchess"), 64)
    for state in endings(count, seed=5):
        best = max(-solver.bounds(state.forward(move)) for move in state.legal_moves)
        played = agent.search(state, hansu.Limits(seconds=0.1)).move
        if -solver.bounds(state.forward(played)) < best:  # a search may prove more than the tables
            truth = solve(state, hansu.Limits(exact=True), solver=solver)
            assert truth.lost(state.move_text(played)) == (0.0, 0), state.text()


def test_accuracy_counts_the_moves_in_endings_alone(tablebases):
    record = hansu.play_game("microchess", "random", "one_step_search", seed=5)
    accuracy_module._made_solver.cache_clear()
    found = accuracies([record])
    accuracy_module._made_solver.cache_clear()  # other tests have no tables
    assert found
    for accuracy in found.values():
        assert 0 < accuracy.judged <= accuracy.moves
