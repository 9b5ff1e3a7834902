"""The trained player: perfect where that can be known, and clear where it cannot play yet."""

import numpy as np
import pytest

import hansu
from hansu.games.game import GAMES
from hansu.learning.gate import Side
from hansu.learning.model import find_model
from hansu.search.puct import Limits
from tests.games.tictactoe.test_tictactoe import all_positions
from tests.search.networks import tictactoe_values

TRAINED = ["tictactoe"]


def test_the_shipped_tictactoe_player_is_perfect_in_every_position():
    """All 4520 positions that are not over, at 100 simulations: the move keeps the value."""
    game, values = hansu.game("tictactoe"), tictactoe_values()
    features = game.features
    running = [state for state in all_positions().values() if not state.is_game_over()]
    assert len(running) == 5478 - 958
    side = Side(
        features, find_model("shipped", game), len(running), Limits(1.0, 32, 0.0, 1.0, 1), 102
    )
    side.think(dict(enumerate(running)), 100)
    rng = np.random.default_rng(1)
    wrong = [
        state.text()
        for number, state in enumerate(running)
        if -values[features.pack(state.forward(side.choose(number, turn=9, rng=rng))).tobytes()]
        != values[features.pack(state).tobytes()]
    ]
    assert wrong == []


def test_it_goes_on_from_what_the_last_move_left():
    agent = hansu.agent("self_learning:n_simulations=300", "tictactoe", seed=1)
    state = hansu.game("tictactoe").start()
    agent.reset()
    state.push(agent.act(state))
    state.push(state.parse_move("a1") if 0 in state.legal_moves else state.legal_moves[0])
    agent.tree.follow(state)
    assert agent.tree.simulations > 0
    assert agent.act(state) in state.legal_moves
    assert agent.tree.simulations >= 300
    agent.reset()
    assert agent.tree is None


def test_lines_have_priors_and_values():
    agent = hansu.agent("self_learning:n_simulations=100", "tictactoe")
    agent.act(hansu.game("tictactoe").parse("XX. OO. ..."))
    assert agent.info.lines[0].text == "c1"
    assert agent.info.value > 0.9
    assert sum(line.prior for line in agent.info.lines) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("name", sorted(set(GAMES) - set(TRAINED)))
def test_without_a_model_it_says_how_to_make_one(name):
    agent = hansu.agent("self_learning", name)
    with pytest.raises(hansu.HansuError, match=f"hansu train {name} "):
        agent.prepare(hansu.game(name).start())
