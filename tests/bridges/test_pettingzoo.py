"""PettingZoo's own tests on our environments."""

import warnings

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra 'bridges' is not installed")

from pettingzoo.test import api_test, seed_test

import hansu
from hansu.bridges import pettingzoo
from tests.small_games import SMALL_GAMES


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_pettingzoo_finds_nothing_wrong(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(pettingzoo.env(name), num_cycles=300)
        seed_test(lambda: pettingzoo.env(name), num_cycles=50)


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_random_play_is_the_game(name):
    """Step by step the environment and a state of ours go together."""
    env = pettingzoo.env(name)
    game = hansu.game(name)
    rng = np.random.default_rng(1)
    for _ in range(3):
        env.reset(seed=1)
        state = game.start()
        for agent in env.agent_iter():
            seen, _reward, over, cut, _info = env.last()
            if over or cut:
                env.step(None)
                continue
            assert (agent == "first") == (state.turn == game.first_color)
            legal = {game.features.action(state, move) for move in state.legal_moves}
            assert set(np.flatnonzero(seen["action_mask"])) == legal
            assert (seen["observation"] == game.features.planes(state)).all()
            action = rng.choice(sorted(legal))
            state.push(game.features.move(state, int(action)))
            env.step(action)
            if state.is_game_over():
                winner = state.outcome().winner
                for side, color in (("first", game.first_color), ("second", not game.first_color)):
                    worth = 0 if winner is None else 1 if winner == color else -1
                    assert env.rewards[side] == worth
        assert state.is_game_over()


def test_an_illegal_action_loses():
    env = pettingzoo.env("tictactoe")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.rewards["second"] == -1
    assert env.terminations["first"]


def test_the_board_can_be_seen(capsys):
    env = pettingzoo.env("tictactoe", render_mode="ansi")
    env.reset()
    env.step(4)
    assert "2 . X ." in env.render()
    env = pettingzoo.env("tictactoe", render_mode="human")
    env.reset()
    env.step(4)
    assert "2 . X ." in capsys.readouterr().out
