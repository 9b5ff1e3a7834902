"""``engine``: the strongest player of every game, by one name."""

import time

import pytest

import hansu
from hansu.agents.mcts import MctsAgent
from hansu.agents.self_learning import SelfLearning
from hansu.errors import HansuError
from hansu.games.game import GAMES
from hansu.kernel import JIT
from hansu.search.deepening import deepen
from hansu.search.limits import Budget, SearchHandle
from hansu.search.solve import solve

OTHELLO = hansu.game("othello")
MIDGAME = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7"
# Where the perfect game of Takizawa (arXiv:2310.19387) has 16 empty squares.
ENDING = "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1F7E2G3H4F1E1F2G1B1F8G8B3H3B2"
compiled = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")


@pytest.mark.parametrize(
    ("name", "searcher", "solved"),
    [
        ("othello", None, True),
        ("connect4", SelfLearning, True),
        ("tictactoe", SelfLearning, True),
        ("hex:size=4", MctsAgent, True),
        ("hex", SelfLearning, False),
        ("hex:swap=on", MctsAgent, False),
        ("microchess", None, False),
        ("go", SelfLearning, False),
        ("go:size=5", MctsAgent, True),
        ("go:size=6", MctsAgent, False),
    ],
)
def test_every_game_has_its_search_and_its_solver(name, searcher, solved):
    pytest.importorskip("onnxruntime")
    agent = hansu.agent(name, "engine:memory=2")
    agent.prepare(hansu.game(name).start())
    assert (agent.depth_search is None) == (searcher is not None)
    assert type(agent.searcher) is (searcher or type(None))
    assert (agent.solver is not None) == solved


@compiled
@pytest.mark.parametrize("name", sorted(GAMES))
def test_it_answers_in_every_game_and_tells_what_it_found(name):
    agent = hansu.agent(name, "engine:memory=2", seed=1)
    state = hansu.game(name).start()
    agent.prepare(state)
    found = agent.search(state, hansu.Limits(seconds=0.1))
    assert {line.move for line in found.lines} == set(state.legal_moves)
    assert all(0.0 <= line.value <= 1.0 for line in found.lines)
    assert found.lines[0].variation[0] == found.lines[0].text
    assert found.nodes > 0 or found.proved


@compiled
def test_it_tells_depth_and_a_whole_variation_of_legal_moves():
    agent = hansu.agent("othello", "engine:memory=16", seed=1)
    state = OTHELLO.parse(MIDGAME)
    found = agent.search(state, hansu.Limits(nodes=300_000))
    assert found.nodes <= 300_000
    assert found.depth >= 10
    variation = found.lines[0].variation
    assert len(variation) >= 6
    for text in variation:
        state.push(state.parse_move(text))


@compiled
@pytest.mark.parametrize("played", [42, 44, 50, 56, 59])
def test_it_solves_endings_and_tells_the_proved_variation_to_the_end(played):
    agent = hansu.agent("othello", "engine:memory=16", seed=1)
    state = OTHELLO.parse(ENDING[: 2 * played])
    found = agent.search(state, hansu.Limits(seconds=60))
    assert found.lines[0].proved
    assert found.lines[0].score == solve(state).score == 0
    for text in found.lines[0].variation:
        state.push(state.parse_move(text))
    assert state.outcome().winner is None


@compiled
def test_every_move_of_an_ending_is_solved_on_request():
    state = OTHELLO.parse(ENDING[: 2 * 46])
    agent = hansu.agent("othello", "engine:memory=16", seed=1)
    found = agent.search(state, hansu.Limits(seconds=60, exact=True))
    scores = {line.move: line.score for line in found.lines}
    truth = solve(state, hansu.Limits(exact=True))
    assert scores == {move.move: move.score for move in truth.moves}
    assert found.proved


@compiled
def test_a_search_without_cuts_to_the_end_is_the_exact_score():
    """The midgame search against the exact one, where both reach the end."""
    search = OTHELLO.make_depth_search(4)
    for played in (48, 50, 52, 54):
        state = OTHELLO.parse(ENDING[: 2 * played])
        empties = search.deepest(state)
        found = deepen(state, search, Budget(depth=empties), SearchHandle())
        best = {line.move for line in found.lines if line.value == found.value}
        truth = solve(state)
        assert found.lines[0].text in truth.best
        assert best


@compiled
def test_every_move_can_be_valued_exactly():
    search, state = OTHELLO.make_depth_search(4), OTHELLO.parse(MIDGAME)
    found = deepen(state, search, Budget(depth=6, exact=True), SearchHandle())
    assert len({line.value for line in found.lines}) > len(found.lines) / 2
    again = deepen(state, OTHELLO.make_depth_search(4), Budget(depth=6), SearchHandle())
    assert again.value == pytest.approx(found.value)
    assert found.depth == again.depth == 6


@compiled
def test_it_can_be_stopped_and_observed():
    seen = []

    def hear(found):
        seen.append(found())
        if seen[-1].depth >= 4:
            handle.stop()

    handle = SearchHandle(hear)
    agent = hansu.agent("othello", "engine:memory=16", seed=1)
    found = agent.search(OTHELLO.parse(MIDGAME), hansu.Limits(seconds=600), handle)
    assert found.depth >= 4
    assert seen


@compiled
def test_it_beats_the_weaker_searches_of_othello():
    result = hansu.match(
        "othello",
        "engine:search_time=0.05,memory=16",
        "abp_negamax:depth=3",
        games=4,
        openings="random:6",
        seed=1,
    )
    assert result.losses == 0
    assert not result.facts()["disqualified"]


@compiled
def test_no_time_is_lost_on_a_short_clock():
    record = hansu.play_game(
        *("othello", "engine:threads=1,memory=16", "random"),
        **{"seconds": 3, "seed": 1, "timer": time.process_time},
    )
    assert record.outcome.reason != "timeout"
    assert record.winner == "engine:threads=1,memory=16"


@compiled
@pytest.mark.parametrize("memory", [2, 5, 64])
def test_its_tables_are_no_larger_than_the_memory(memory):
    agent = hansu.agent("othello", f"engine:memory={memory}")
    agent.prepare(OTHELLO.start())
    tables = agent.solver.table.nbytes + agent.depth_search.values.nbytes
    assert tables <= memory * 2**20


def test_a_wrong_option_says_what_would_be_right():
    with pytest.raises(HansuError, match="1 is not 2 to"):
        hansu.agent("othello", "engine:memory=1")
