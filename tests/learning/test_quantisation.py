"""Models in eight bits: computed with integers, close to the model, still good to train from."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import hansu
from hansu.cli.main import app
from hansu.errors import HansuError
from hansu.learning import quantisation
from hansu.learning.model import Model, find_model
from hansu.learning.quantisation import answers_of, fidelity, quantise, searched_positions

onnx = pytest.importorskip("onnx", reason="onnx is not installed: pip install 'hansu[learn]'")
onnxruntime = pytest.importorskip("onnxruntime")

CONNECT4 = hansu.game("connect4")


@pytest.fixture(scope="module")
def model():
    return find_model("shipped", CONNECT4)


@pytest.fixture(scope="module")
def leaves(model):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quantisation, "SHARE", 8)
        return searched_positions(model, 512)


@pytest.fixture(scope="module")
def rounded(model, leaves, tmp_path_factory):
    """The file of a model in eight bits, and what was told meanwhile."""
    out = tmp_path_factory.mktemp("models") / "rounded.onnx"
    told = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quantisation, "ROUNDS", 1)
        quantise(model, out, leaves[:256], told.append)
    return out, told


def test_moving_the_clips_brings_the_answers_closer(rounded):
    _, told = rounded
    first, last = told
    assert last.loss < 0.7 * first.loss


def test_it_answers_as_the_model_on_positions_that_it_was_not_fitted_to(model, leaves, rounded):
    unseen = leaves[256:]
    found = fidelity(answers_of(model, unseen), answers_of(Model(rounded[0], CONNECT4), unseen))
    assert found.divergence < 0.02
    assert found.value_error < 0.03
    assert found.same_move > 0.85


def test_all_convolutions_are_computed_with_integers(rounded, tmp_path):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.optimized_model_filepath = str(tmp_path / "optimised.onnx")
    onnxruntime.InferenceSession(str(rounded[0]), options, providers=["CPUExecutionProvider"])
    kinds = [node.op_type for node in onnx.load(options.optimized_model_filepath).graph.node]
    assert kinds.count("QLinearConv") == 12  # stem, five blocks of two, head
    assert not any(kind.endswith("Conv") and kind != "QLinearConv" for kind in kinds)


def test_it_keeps_the_weights_and_the_facts_of_the_model(model, rounded):
    before, after = (onnx.load(str(path)).graph.initializer for path in (model.path, rounded[0]))
    kept = {each.name: each for each in after}
    assert all(kept[each.name] == each for each in before)
    assert Model(rounded[0], CONNECT4).facts == {**model.facts, "bits": "8"}


def test_positions_are_those_of_a_seed():
    model = find_model("shipped", hansu.game("tictactoe"))
    one, same, other = (searched_positions(model, 64, seed) for seed in (0, 0, 1))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_positions_are_of_many_kinds(leaves):
    assert len(np.unique(leaves, axis=0)) > 400


def test_equal_answers_are_at_no_distance():
    answers = np.random.default_rng(0).normal(size=(50, 8)).astype(np.float32)
    assert fidelity(answers, answers) == (0, 0, 1)
    shifted = answers.copy()
    shifted[:, :-1] += 3  # the same policy
    shifted[:, -1] += 0.5
    found = fidelity(answers, shifted)
    assert found.divergence == pytest.approx(0, abs=1e-6)
    assert found.value_error == pytest.approx(0.5)


def test_what_cannot_be_rounded_is_one_sentence(rounded, tmp_path, leaves):
    with pytest.raises(HansuError, match="is in eight bits already"):
        quantise(Model(rounded[0], CONNECT4), tmp_path / "again.onnx", leaves, print)
    assert not (tmp_path / "again.onnx").exists()


def run(*words):
    return CliRunner().invoke(app, ["quantise", *map(str, words)])


def test_the_command_writes_a_model_that_plays(tmp_path, monkeypatch):
    monkeypatch.setattr("hansu.cli.quantise.SECONDS", 0.01)
    monkeypatch.setattr(quantisation, "ROUNDS", 1)
    monkeypatch.chdir(tmp_path)
    told = run("tictactoe", "shipped", "--positions", 64, "--json")
    assert told.exit_code == 0, told.output
    facts = json.loads(told.stdout)
    assert facts["model"] == "tictactoe-int8.onnx"
    assert facts["same_move"] > 0.8
    start = hansu.game("tictactoe").start()
    text = f"self_learning:model={tmp_path / facts['model']},n_simulations=20"
    assert hansu.agent("tictactoe", text).act(start) in start.legal_moves


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("connect4", "none.onnx"), "cannot read the model none.onnx"),
        (("connect4", "shipped", "--out", "nowhere/a.onnx"), "there is no folder nowhere"),
    ],
)
def test_a_mistake_is_one_sentence(words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert said in str(run(*words).exception)
