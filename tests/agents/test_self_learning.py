"""The trained player: perfect where that can be known, and clear where it cannot play yet."""

import csv
import os
import subprocess
import sys

import numpy as np
import pytest

import hansu
from hansu.games.game import GAMES
from hansu.learning.gating import Side
from hansu.learning.model import find_model
from hansu.search.puct import PuctParams
from tests.games.tictactoe.test_tictactoe import all_positions
from tests.search.networks import tictactoe_values


def test_the_shipped_tictactoe_player_is_perfect_in_every_position():
    """All 4520 positions that are not over, at 100 simulations: the move keeps the value."""
    game, values = hansu.game("tictactoe"), tictactoe_values()
    features = game.features
    running = [state for state in all_positions().values() if not state.is_game_over()]
    assert len(running) == 5478 - 958
    side = Side(
        features, find_model("shipped", game), len(running), PuctParams(1.0, 32, 0.0, 1.0, 1), 102
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


def test_the_shipped_tictactoe_network_alone_is_perfect_in_every_position():
    """Without any search: the move with the highest prior keeps the value."""
    game, values = hansu.game("tictactoe"), tictactoe_values()
    features, model = game.features, find_model("shipped", game)
    running = [state for state in all_positions().values() if not state.is_game_over()]
    answers = model(np.stack([features.pack(state) for state in running]))
    for state, logits in zip(running, answers, strict=True):
        priors = {move: logits[features.action(state, move)] for move in state.legal_moves}
        after = state.forward(max(priors, key=priors.__getitem__))
        assert -values[features.pack(after).tobytes()] == values[features.pack(state).tobytes()]


def test_one_simulation_plays_by_the_network_alone():
    agent = hansu.agent("tictactoe", "self_learning:n_simulations=1", seed=1)
    state = hansu.game("tictactoe").parse("XX. OO. ...")
    assert state.move_text(agent.act(state)) == "c1"
    assert agent.info.lines[0].prior == max(line.prior for line in agent.info.lines)


def test_it_goes_on_from_what_the_last_move_left():
    agent = hansu.agent("tictactoe", "self_learning:n_simulations=300", seed=1)
    state = hansu.game("tictactoe").start()
    agent.reset()
    state.push(agent.act(state))
    state.push(state.parse_move(agent.info.lines[0].variation[1]))
    agent.tree.follow(state)
    assert agent.tree.simulations > 0
    assert agent.act(state) in state.legal_moves
    assert agent.tree.simulations >= 300
    agent.reset()
    assert agent.tree is None


def test_lines_have_priors_and_values():
    agent = hansu.agent("tictactoe", "self_learning:n_simulations=100")
    agent.act(hansu.game("tictactoe").parse("XX. OO. ..."))
    assert agent.info.lines[0].text == "c1"
    assert agent.info.value > 0.9
    assert sum(line.prior for line in agent.info.lines) == pytest.approx(1, abs=1e-4)


def test_without_a_model_it_says_how_to_make_one():
    with pytest.raises(hansu.HansuError, match="hansu train go:size=7 "):
        hansu.agent("go:size=7", "self_learning")


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_shipped_model_is_small_and_has_its_card_and_log(name):
    model = find_model("shipped", hansu.game(name))
    assert model.path.stat().st_size <= 8_000_000
    card = model.path.with_suffix(".md").read_text(encoding="utf-8")
    assert model.facts["network"] in card
    with model.path.with_suffix(".csv").open(newline="", encoding="utf-8") as file:
        last = list(csv.DictReader(file))[-1]
    assert last["round"] == model.facts["rounds"]
    assert f"{int(last['games']):,} games" in card


@pytest.mark.parametrize(
    ("name", "position", "best"),
    [
        ("connect4", "112233", "4"),
        ("connect4", "", "4"),  # the only first move that wins
        ("microchess", "k3/4/1K2/4/3R w - - 0 1", "d1d5"),
    ],
)
def test_a_shipped_player_knows_the_best_move(name, position, best):
    agent = hansu.agent(name, "self_learning:n_simulations=200,search_time=60")
    game = hansu.game(name)
    agent.act(game.parse(position) if position else game.start())
    assert agent.info.lines[0].text == best


@pytest.mark.parametrize("name", ["connect4", "go", "microchess", "othello"])
def test_a_shipped_player_beats_random_almost_without_search(name):
    result = hansu.match(name, "self_learning:n_simulations=8", "random", games=2, seed=1)
    assert result.wins == 2


def test_nothing_about_a_model_is_reported_home(tmp_path):
    """ONNX Runtime would keep a file for what it has to tell its makers."""
    code = "from hansu.learning.model import *; find_model('shipped', load_game('tictactoe'))"
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    environment["TMPDIR"] = str(tmp_path)
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    assert not list(tmp_path.rglob(".ses"))
