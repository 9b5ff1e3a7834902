"""``perfect`` never gives away what a position is worth."""

import random

import pytest

import hansu
from hansu.errors import HansuError
from hansu.kernel import JIT
from hansu.search.solve import make_solver, solve

compiled = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")
GAMES = {  # the least turns of the random positions: earlier ones take long
    "tictactoe": 0,
    "connect4": 16,
    "connect4:width=5,height=4": 6,
    "go:size=2,komi=0": 0,
    "hex:size=3": 0,
    "hex:size=4,swap=on": 3,
    "othello": 46,
}


def random_positions(name, least, count, seed):
    rng, game = random.Random(seed), hansu.game(name)
    while count:
        state = game.start()
        for _ in range(rng.randrange(least, game.max_turns)):
            moves = list(state.legal_moves)
            rng.shuffle(moves)
            quiet = (move for move in moves if not state.forward(move).is_game_over())
            move = next(quiet, None)
            if move is None:
                break
            state.push(move)
        if len(state.move_stack) >= least:
            count -= 1
            yield state


@compiled
@pytest.mark.parametrize("count", [40, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", GAMES)
def test_its_moves_keep_the_value_and_the_score_of_random_positions(name, count):
    agent = hansu.agent(name, "perfect:memory=16", seed=1)
    agent.prepare(hansu.game(name).start())  # as the arena does: compiling takes its time
    solver = make_solver(hansu.game(name), 16)
    for state in random_positions(name, GAMES[name], count, seed=count):
        move = agent.act(state.copy())
        truth = solve(state, hansu.Limits(exact=True), solver=solver)
        assert truth.lost(state.move_text(move)) == (0.0, 0), state


@compiled
@pytest.mark.parametrize("count", [20, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["go:size=3,komi=0", "go:size=3x4,komi=0.5"])
def test_where_superko_and_the_turn_limit_decide_every_proved_move_is_true(name, count):
    agent = hansu.agent(name, "perfect:memory=16,threads=1", seed=1)
    solver = make_solver(hansu.game(name), 16)
    for state in random_positions(name, 2, count, seed=count):
        found = agent.search(state.copy(), hansu.Limits(nodes=5_000))
        truth = solve(state, hansu.Limits(nodes=10_000), threads=1, solver=solver)
        bounds = {move.text: move.bounds for move in truth.moves}
        scores = {line.text: line.score for line in found.lines if line.score is not None}
        for text, score in scores.items():
            assert bounds[text].lower <= score <= bounds[text].upper, (state.text(), text)
        if len(scores) == len(found.lines):
            assert scores[found.lines[0].text] == max(scores.values())


@compiled
@pytest.mark.parametrize("name", ["tictactoe", "hex:size=4", "connect4:width=5,height=4"])
def test_it_never_loses_what_is_not_lost(name):
    result = hansu.match(name, "perfect", "mcts:n_simulations=100", games=10, seed=1)
    value = solve(hansu.game(name).start()).value
    assert result.losses <= (5 if value == 1.0 else 0)  # as second against the first player's win
    assert not result.facts()["disqualified"]


def test_games_without_a_solver_are_refused_before_they_begin():
    with pytest.raises(HansuError, match="microchess has no tablebases yet"):
        hansu.match("microchess", "perfect", "random", games=2)


@compiled
def test_it_plays_on_a_short_clock_where_it_cannot_solve():
    record = hansu.play_game("connect4", "perfect", "random", seconds=3, seed=1)
    assert record.outcome.reason == "line"
    assert record.winner == "perfect"


@compiled
@pytest.mark.parametrize(("moves", "best"), [("567217165", "5"), ("464634727", "4")])
def test_where_it_can_prove_too_little_a_search_ranks_the_moves(moves, best):
    agent = hansu.agent("connect4", "perfect:threads=1", seed=1)
    found = agent.search(hansu.game("connect4").parse(moves), hansu.Limits(nodes=10_000))
    assert found.lines[0].text == best
    assert found.lines[0].visits > 0
    assert not found.lines[0].proved


@compiled
@pytest.mark.parametrize("name", ["connect4", "tictactoe", "hex:size=4", "go:size=2,komi=0"])
@pytest.mark.parametrize("agent", ["perfect:memory=16", "engine:memory=16"])
def test_a_proved_line_goes_to_the_end_and_gives_nothing_away(name, agent):
    solver = make_solver(hansu.game(name), 16)
    for state in random_positions(name, GAMES.get(name, 0), 5, seed=3):
        found = hansu.agent(name, agent, seed=1).search(state, hansu.Limits(seconds=30))
        for text in found.lines[0].variation:
            assert solve(state, hansu.Limits(exact=True), solver=solver).lost(text) == (0.0, 0)
            state.push(state.parse_move(text))
        assert state.is_game_over()


@compiled
def test_it_chooses_among_all_best_moves():
    state = hansu.game("tictactoe").start()
    agent = hansu.agent("tictactoe", "perfect", seed=1)
    assert {agent.act(state) for _ in range(200)} == set(range(9))


@pytest.mark.parametrize(
    ("text", "part"),
    [("perfect:memory=0", "0 is not 1 to"), ("perfect:threads=0", "0 is not 1 to 256")],
)
def test_a_wrong_option_says_what_would_be_right(text, part):
    with pytest.raises(HansuError, match=part):
        hansu.agent("connect4", text)


@compiled
def test_it_plays_like_engine_where_an_ending_is_out_of_reach_and_claims_no_proof():
    state = hansu.game("othello").parse("f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7")
    agent = hansu.agent("othello", "perfect:threads=1,memory=16", seed=1)
    engine = hansu.agent("othello", "engine:threads=1,memory=16", seed=1)
    limits = hansu.Limits(nodes=20_000)
    found, expected = agent.search(state, limits), engine.search(state, limits)
    assert [line.text for line in found.lines] == [line.text for line in expected.lines]
    assert found.depth >= 3
    assert not any(line.proved for line in found.lines)


@compiled
def test_it_plays_like_engine_where_there_are_more_pieces_than_in_the_tables(tablebases):
    state = hansu.game("microchess").start()
    agent = hansu.agent("microchess", "perfect:threads=1,memory=16", seed=1)
    found = agent.search(state, hansu.Limits(nodes=60))
    assert found.nodes == 60
    assert found.depth >= 1
    assert found.lines[0].variation
    assert not any(line.proved for line in found.lines)
