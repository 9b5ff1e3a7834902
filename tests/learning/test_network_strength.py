"""What a benchmark measures of a network: the weights of a model, read back, are the model."""

import numpy as np
import pytest

import hansu
from hansu.learning.model import find_model
from tests.search.positions import random_positions

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'hansu[learn]'")
pytest.importorskip("onnx", reason="onnx is not installed: pip install 'hansu[learn]'")

from benchmarks.network_strength import network_of  # noqa: E402

from hansu.learning.evaluator import NetworkEvaluator  # noqa: E402


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "microchess", "othello", "go"])
def test_the_network_of_a_model_answers_as_the_model(name):
    game = hansu.game(name)
    model = find_model("shipped", game)
    evaluator = NetworkEvaluator(game.features, 8, torch.device("cpu"))
    evaluator.use(network_of(model.path, game))
    packed = np.stack([game.features.pack(state) for state in random_positions(name, 8)])
    assert np.abs(evaluator(packed) - model(packed)).max() < 1e-3
