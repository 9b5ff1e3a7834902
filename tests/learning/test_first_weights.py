"""Training may start from a model: the network answers as the model does until it learns."""

from pathlib import Path

import numpy as np
import pytest

import hansu
from hansu.errors import HansuError
from hansu.games.game import GAMES
from hansu.learning.model import find_model, with_facts
from tests.search.positions import random_positions

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'hansu[learn]'")
pytest.importorskip("onnx", reason="onnx is not installed: pip install 'hansu[learn]'")

from hansu.learning.evaluator import NetworkEvaluator  # noqa: E402
from hansu.learning.first_weights import calibrate, read_network, start_from  # noqa: E402
from hansu.learning.network import folded, make_network, normalised  # noqa: E402
from hansu.learning.quantisation import fidelity  # noqa: E402
from hansu.learning.stopping import Stop  # noqa: E402
from hansu.learning.training import Training  # noqa: E402

CPU = torch.device("cpu")


def answers(network, game, packed):
    evaluator = NetworkEvaluator(game.features, len(packed), CPU)
    evaluator.use(network)
    return evaluator(packed).copy()


def packed_positions(game, count):
    return np.stack([game.features.pack(state) for state in random_positions(game.name, count)])


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_network_of_a_model_answers_as_the_model(name):
    game = hansu.game(name)
    model = find_model("shipped", game)
    packed = packed_positions(game, 64)
    found, expected = answers(read_network(model.path, game), game, packed), model(packed)
    if model.facts.get("bits") == "8":  # its file keeps the weights as they were trained
        assert fidelity(expected, found).loss < 0.1
    else:
        assert np.abs(found - expected).max() < 1e-3


@pytest.mark.parametrize("name", ["connect4", "go"])
@pytest.mark.parametrize("auxiliary", [False, True])
def test_a_network_that_starts_from_a_model_answers_as_it(name, auxiliary):
    game = hansu.game(name)
    model = find_model("shipped", game)
    own = make_network(model.facts["network"], game.features, auxiliary)
    start_from(own, read_network(model.path, game))
    packed = packed_positions(game, 64)
    expected = answers(read_network(model.path, game), game, packed)
    assert np.abs(answers(own, game, packed) - expected).max() < 1e-3


def test_calibrated_on_a_batch_it_answers_the_same_while_it_learns_too():
    game = hansu.game("connect4")
    model = find_model("shipped", game)
    own = make_network(model.facts["network"], game.features)
    start_from(own, read_network(model.path, game))
    packed = packed_positions(game, 64)
    numbers = torch.from_numpy(game.features.packing.unpack(packed))
    cells = int(np.prod(game.features.shape))
    given = numbers[:, :cells].reshape(-1, *game.features.shape), numbers[:, cells:]

    def learning():  # batch normalisation then divides by the deviation of the batch
        own.train()
        with torch.no_grad():
            logits, values = own(*given)
        return np.concatenate([logits.numpy(), values[:, None].numpy()], 1)

    assert np.abs(learning() - model(packed)).max() > 0.5
    start_from(own, read_network(model.path, game))
    calibrate(own, *given)
    assert np.abs(answers(own, game, packed) - model(packed)).max() < 1e-3
    assert np.abs(learning() - model(packed)).max() < 0.02
    assert all(float(norm.running_var.min()) != 1.0 for _, _, norm in normalised(own))


TINY = {"games": 8, "samples": 40, "batch": 16, "gate_every": 99, "capacity": 250}


def weights_after(folder, rounds, leave=False):
    """Train and return the weights; ``leave``: go away and come back after every step."""
    game = hansu.game("tictactoe")
    torch.manual_seed(3)
    first = folded(make_network("R8x1", game.features))
    changes = {**TINY, "games": 4, "samples": 6, "network": first.name}
    folder.mkdir()
    (folder / "control.json").write_text('{"simulations": 6}')
    run = Training(game, folder, device="cpu", changes=changes)
    run.start_from(first)
    while run.round < rounds:
        if run.run_round(stop=Stop(0) if leave else None) is None:
            run.close()
            run = Training(game, folder, device="cpu", changes=changes)
    run.close()
    return {name: each.clone() for name, each in run.network.state_dict().items()}


@pytest.mark.usefixtures("no_tensorboard")
def test_a_run_from_a_model_can_be_left_at_any_step(tmp_path):
    whole = weights_after(tmp_path / "whole", 1)
    parts = weights_after(tmp_path / "parts", 1, leave=True)
    assert all(torch.equal(whole[name], parts[name]) for name in whole)


def test_a_run_from_a_model_begins_as_strong_as_the_model(tmp_path):
    game = hansu.game("tictactoe")
    model = find_model("shipped", game)
    first = read_network(model.path, game)
    run = Training(game, tmp_path, device="cpu", changes={**TINY, "network": first.name})
    run.start_from(first)
    report = run.run_round()
    run.close()
    assert report.accuracy > 0.9
    with pytest.raises(HansuError, match="has begun already"):
        run.start_from(first)


@pytest.mark.parametrize(
    ("which", "model", "said"),
    [
        ("tictactoe", "none.onnx", "cannot read the model none.onnx"),
        ("connect4", "tictactoe", "is not a model that hansu trained for connect4"),
        ("go:size=7", "go", "is not a model that hansu trained for go:size=7"),
        ("tictactoe", "giant", "is not a model that hansu trained for tictactoe"),
        ("tictactoe", "text", "is not a model that hansu trained for tictactoe"),
    ],
)
def test_a_model_that_does_not_fit_is_one_sentence(which, model, said, tmp_path):
    games = ("tictactoe", "go")
    places = {name: find_model("shipped", hansu.game(name)).path for name in games}
    places["text"] = tmp_path / "text.onnx"
    places["text"].write_text("not a model")
    places["giant"] = tmp_path / "giant.onnx"  # its network would take 700 TB
    places["giant"].write_bytes(
        with_facts(places["tictactoe"].read_bytes(), {"network": "R9999x99"})
    )
    with pytest.raises(HansuError, match=said):
        read_network(Path(places.get(model, model)), hansu.game(which))


def test_a_model_that_sees_the_board_in_another_way_is_refused():
    game = hansu.game("microchess")
    with pytest.raises(HansuError, match="was trained with --mirror: leave out --no-mirror"):
        read_network(find_model("shipped", game).path, game, mirror=False)
