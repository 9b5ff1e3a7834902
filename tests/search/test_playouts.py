"""Playouts, light and heavy: legal moves, the same games from the same seed, some tactics."""

from collections import Counter

import pytest

import hansu
from hansu.errors import UnknownName
from hansu.games.game import GAMES
from hansu.games.tictactoe import TicTacToe
from hansu.kernel import seeded
from hansu.search.playout import playouts, random_move_id
from tests.search.positions import random_positions
from tests.small_games import SMALL_GAMES

GO = ["go:size=5", "go:size=9x7", "go:size=5x13", "go:size=19x6", "go:size=19"]
NAMES = [*sorted(GAMES), "microchess:max_turns=none", "connect4:no_center_opening=on", *GO]


def heavy_moves(state, count=300):
    """How often each move is drawn."""
    rng = seeded(1)
    drawn = Counter(random_move_id(state, rng, "heavy") for _ in range(count))
    return Counter(
        {state.move_text(state.move_from_id(move_id)): n for move_id, n in drawn.items()}
    )


@pytest.mark.parametrize("name", NAMES)
def test_heavy_playouts_play_legal_moves_and_end_within_the_limit(name):
    game = hansu.game(name)
    rng = seeded(3)
    for state in [game.start(), *random_positions(name, 4, seed=8)]:
        while (move_id := random_move_id(state, rng, "heavy")) >= 0:
            assert move_id in state.move_ids()
            state.push(state.move_from_id(move_id))
        assert state.is_game_over()
        assert state.game.rules.ENDINGS[-move_id] == state.outcome().reason
        assert len(state.move_stack) <= game.max_turns


@pytest.mark.parametrize("name", NAMES)
def test_a_heavy_move_in_any_position_is_legal(name):
    for seed, state in enumerate(random_positions(name, 20, seed=9)):
        rng = seeded(seed)
        legal = set(state.move_ids())
        assert {random_move_id(state, rng, "heavy") for _ in range(20)} <= legal


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_the_same_seed_plays_the_same_heavy_games(name):
    start = hansu.game(name).start()
    same = [playouts(start, 200, seed=4, policy="heavy") for _ in range(2)]
    assert same[0] == same[1] != playouts(start, 200, seed=5, policy="heavy")
    assert sum(same[0][:3]) == 200
    assert same[0] != playouts(start, 200, seed=4)


@pytest.mark.parametrize(
    ("game", "position", "moves"),
    [
        ("tictactoe", "XX. OO. ...", {"c1"}),  # wins rather than stops
        ("tictactoe", "X.. OO. ..X", {"c2"}),
        ("tictactoe", "X.. .O. ..X", {"b1", "c1", "a2", "c2", "a3", "b3"}),
        ("connect4", "112233", {"4"}),
        ("connect4", "1212127", {"2"}),  # wins upwards rather than stops column 1
        ("connect4", "11223", {"4"}),
        ("connect4", "1222333", {"1", "2", "3", "4", "5", "6", "7"}),
    ],
)
def test_wins_are_taken_and_threats_stopped(game, position, moves):
    assert set(heavy_moves(hansu.game(game).parse(position))) == moves


class Plain(TicTacToe):
    """A game that offers no policy of its own."""

    heavy_move = None


@pytest.mark.parametrize(("position", "best"), [("XX. OO. ...", "c1"), ("X.X O.O X..", "b2")])
def test_a_game_without_a_policy_takes_a_win_at_once(position, best):
    assert set(heavy_moves(Plain().parse(position))) == {best}


def test_a_game_without_a_policy_plays_at_random_else():
    assert len(heavy_moves(Plain().start())) == 9
    light, heavy = (playouts(Plain().start(), 5000, 1, policy) for policy in ("light", "heavy"))
    assert heavy.draws < 0.8 * light.draws  # who can win, does
    assert heavy.turns < light.turns


def test_an_unknown_policy_is_refused_with_those_there_are():
    with pytest.raises(UnknownName, match="light"):
        playouts(hansu.game("tictactoe").start(), 1, policy="medium")


@pytest.mark.parametrize(
    "name", ["pure_mc:batches=3", "brute:playouts=900", "mcts:n_simulations=99"]
)
def test_agents_choose_between_light_and_heavy_playouts(name):
    state = hansu.game("connect4").parse("4455")
    found = {}
    for playout in ("light", "heavy"):
        agent = hansu.agent("connect4", f"{name},playout={playout}", seed=1)
        agent.act(state)
        found[playout] = [line.value for line in agent.info.lines]
    assert found["light"] != found["heavy"]
