"""Networks, the loss and the loop; without PyTorch nothing of this can run."""

import io
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import numpy as np
import pytest

import hansu
from hansu.errors import HansuError
from hansu.learning.model import Model, find_model
from hansu.learning.replay_buffer import TRAINING, VALIDATION, DamagedFile
from hansu.learning.shown_games import SHOWN
from hansu.records.formats import read_games
from tests.learning.samples import random_samples
from tests.search.positions import random_positions
from tests.small_games import SMALL_GAMES

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'hansu[learn]'")
pytest.importorskip("onnx", reason="onnx is not installed: pip install 'hansu[learn]'")

from hansu.learning import checkpoint  # noqa: E402
from hansu.learning.evaluator import NetworkEvaluator, pick_device  # noqa: E402
from hansu.learning.experts.imitation import expert_samples  # noqa: E402
from hansu.learning.export import export  # noqa: E402
from hansu.learning.gating import GatingMatch  # noqa: E402
from hansu.learning.log import Log, read_rows  # noqa: E402
from hansu.learning.loss import Batch, Batches, losses  # noqa: E402
from hansu.learning.network import folded, make_network  # noqa: E402
from hansu.learning.stopping import Stop  # noqa: E402
from hansu.learning.training import Training  # noqa: E402
from hansu.learning.unpacker import Unpacker  # noqa: E402

CPU = torch.device("cpu")
TINY = {
    "network": "R8x1",
    "games": 16,
    "samples": 100,
    "batch": 32,
    "gate_games": 4,
    "gate_simulations": 4,
    "gate_every": 2,
    "capacity": 250,
}


# Networks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_the_device_unpacks_as_numpy_does(name):
    features = hansu.game(name).features
    packed = np.stack([features.pack(state) for state in random_positions(name, 20, seed=2)])
    planes, vector = Unpacker(features, CPU)(torch.from_numpy(packed.view(np.int64)))
    seen = torch.cat([planes.flatten(1), vector], 1).numpy()
    assert np.array_equal(seen, features.packing.unpack(packed))


@pytest.mark.parametrize("network", ["R16x2", "C16r2L32r", "L32r"])
@pytest.mark.parametrize("name", SMALL_GAMES)
def test_onnx_and_pytorch_agree(name, network, tmp_path):
    game = hansu.game(name)
    torch.manual_seed(3)
    made = make_network(network, game.features)
    for weights in made.buffers():  # as if it had been trained: the normalisation does something
        if weights.dtype.is_floating_point:
            weights += torch.rand_like(weights)
    export(made, tmp_path / "model.onnx", {"game": name})
    model = Model(tmp_path / "model.onnx", game)
    packed = np.stack([game.features.pack(state) for state in random_positions(name, 9, seed=2)])
    evaluator = NetworkEvaluator(game.features, 9, CPU)
    evaluator.use(made)
    ours = evaluator(packed)
    assert np.abs(model(packed) - ours).max() < 1e-4
    assert np.abs(np.concatenate([model(one[None]) for one in packed]) - ours).max() < 1e-4
    assert model.facts == {"network": network, "game": name}
    assert np.abs(ours[:, -1]).max() <= 1


def test_the_historic_networks_have_their_layers():
    features = hansu.game("microchess").features
    convolutional = make_network("C64r6L1024r", features)
    layers = [m for m in convolutional.modules() if isinstance(m, torch.nn.Conv2d)]
    assert [(layer.out_channels, layer.kernel_size) for layer in layers] == [(64, (3, 3))] * 6
    linear = [m for m in convolutional.modules() if isinstance(m, torch.nn.Linear)]
    assert [layer.out_features for layer in linear] == [1024, 400, 1]
    assert linear[0].in_features == 64 * 20 + 4


def test_a_wrong_name_says_what_would_be_right():
    with pytest.raises(HansuError, match="R64x5, C64r6L1024r or L1024r"):
        make_network("resnet", hansu.game("tictactoe").features)
    with pytest.raises(HansuError, match="auto, cpu or cuda"):
        pick_device("abacus")


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_mirrored_samples_are_mirrored_positions_with_mirrored_policies(name):
    """Turned on the device they are what the symmetry's definition says, action for action."""
    game = hansu.game(name)
    features, samples = game.features, random_samples(hansu.game(name), 30)
    batches = Batches(features, CPU)
    plain = batches(samples)
    turned = batches(samples, np.random.default_rng(7))
    which = np.random.default_rng(7).integers(len(features.symmetries), size=len(samples))
    for i, at in enumerate(which):
        symmetry = features.symmetries[at]
        cells = plain.planes[i].flatten(1)[:, symmetry.cells].reshape(features.shape)
        assert torch.equal(turned.planes[i], cells)
        assert torch.equal(turned.policy[i], plain.policy[i][symmetry.actions])
        assert torch.equal(turned.legal[i], plain.legal[i][symmetry.actions])


# The loss ---------------------------------------------------------------------------------------


def test_the_historic_loss_is_its_formula():
    """Two positions and four outputs, the last of them illegal; computed by hand."""
    logits = torch.tensor([[0.0, math.log(3), 0.0, 9.0], [math.log(2), 0.0, 0.0, 9.0]])
    policy = torch.tensor([[0.5, 0.5, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])
    legal = torch.tensor([[True, True, True, False]] * 2)
    values, reward = torch.tensor([0.5, -1.0]), torch.tensor([1.0, 1.0])
    batch = Batch(torch.zeros(0), torch.zeros(0), legal, policy, reward)
    # p = (1/5, 3/5, 1/5) and (1/2, 1/4, 1/4)
    cross = 0.5 * math.log(5) + 0.5 * math.log(5 / 3) + math.log(2)
    square = (0.5**2 + 2.0**2) / 2
    historic = losses(logits, values, batch, historic=True).total
    assert float(historic) == pytest.approx(cross / (2 * 4) + 0.02 * square, rel=1e-6)
    modern = losses(logits, values, batch, historic=False).total
    assert float(modern) == pytest.approx(cross / 2 + square, rel=1e-6)


# The historic loss is divided by the number of outputs, so its steps are small.
@pytest.mark.parametrize(("preset", "share"), [("historic", 0.99), ("modern", 0.9)])
def test_the_loss_goes_down_on_a_few_samples(preset, share, tmp_path):
    game = hansu.game("tictactoe")
    changes = {"network": "R16x1" if preset == "modern" else "L64r"}
    run = Training(game, tmp_path, preset, "cpu", changes=changes)
    samples, rng = random_samples(game, 16), np.random.default_rng(1)
    found = [float(run.learn_from(samples, rng)[0]) for _ in range(150)]
    assert np.mean(found[-10:]) < share * np.mean(found[:5])
    assert run.step == 150


# The loop ---------------------------------------------------------------------------------------


def train(folder: Path, rounds: int, game: str = "tictactoe") -> Training:
    run = Training(hansu.game(game), folder, device="cpu", changes=TINY)
    for _ in range(rounds):
        run.run_round()
    return run


def test_a_round_leaves_everything_that_is_needed(tmp_path):
    run = train(tmp_path, 2)
    rows = run.log.read()
    assert [row["round"] for row in rows] == ["1", "2"]
    assert rows[0]["gate_score"] == ""
    assert 0 <= float(rows[1]["gate_score"]) <= 1
    assert all(0 < float(row["accuracy"]) < 1 for row in rows)
    assert 1 <= int(rows[1]["gate_distinct"]) <= 4
    model = Model(tmp_path / "model.onnx", run.game)
    assert model.facts["rounds"] == "2"
    again = Training(run.game, tmp_path, device="cpu", changes=TINY)
    assert (again.round, again.step, again.games) == (run.round, run.step, run.games)
    for old, new in zip(run.network.parameters(), again.network.parameters(), strict=True):
        assert torch.equal(old, new)
    assert str(again.optimiser.state_dict()) == str(run.optimiser.state_dict())
    agent = hansu.agent(
        "tictactoe", f"self_learning:model={tmp_path / 'model.onnx'},n_simulations=20"
    )
    assert agent.act(hansu.game("tictactoe").start()) in range(9)
    shown = read_games(tmp_path / "games.jsonl")
    assert len(shown) == SHOWN
    assert {record.first for record in shown} == {f"{run.settings.network} #1"}


def test_a_network_may_see_the_board_unturned(tmp_path):
    """Black's move is answered in Black's own squares, and not in those of a turned board."""
    changes = {**TINY, "mirror": False}
    run = Training(hansu.game("microchess"), tmp_path, device="cpu", changes=changes)
    run.export(tmp_path / "model.onnx")
    model = Model(tmp_path / "model.onnx", run.game)
    assert not model.mirror
    state = run.game.parse("startpos moves d2d4")
    agent = hansu.agent(run.game, f"self_learning:model={model.path},n_simulations=1")
    agent.act(state)
    absolute = run.game.make_features(mirror=False)
    logits = model(absolute.pack(state)[None])[0]
    likes = {move: float(logits[absolute.action(state, move)]) for move in state.legal_moves}
    order = sorted(likes, key=likes.get, reverse=True)
    found = sorted(agent.info.lines, key=lambda line: line.prior, reverse=True)
    assert [line.move for line in found] == order
    with pytest.raises(HansuError, match="whose mirror is False, not True"):
        Training(run.game, tmp_path, device="cpu", changes=TINY)
    with pytest.raises(HansuError, match="connect4 is shown in one way only"):
        Training(hansu.game("connect4"), tmp_path / "c4", device="cpu", changes=changes)


@pytest.mark.slow
def test_a_run_with_the_board_unturned_learns(tmp_path):
    changes = {**TINY, "mirror": False}
    run = Training(hansu.game("microchess"), tmp_path, device="cpu", changes=changes)
    losses = [run.run_round().policy_loss for _ in range(6)]
    assert min(losses[3:]) < losses[0]


def test_a_run_may_begin_with_the_games_of_experts(tmp_path):
    played = hansu.match("tictactoe", "minimax", "random", games=30, seed=3).games
    run = Training(hansu.game("tictactoe"), tmp_path, device="cpu", changes=TINY)
    games = expert_samples(run.game, played, bad := [])
    assert (len(games), bad) == (30, [])
    start = run.game.features.pack(run.game.start())
    before = policy_of(run, start)
    run.replay_buffer.add(games)  # and then somebody was killed: nothing is kept twice
    for _ in range(2):
        run = Training(hansu.game("tictactoe"), tmp_path, device="cpu", changes=TINY)
        if run.step == 0:
            run.pretrain(games)
        assert run.replay_buffer.count(TRAINING) + run.replay_buffer.count(VALIDATION) == sum(
            map(len, games)
        )
    first = np.bincount([samples["action"][0] for samples in games], minlength=9) / 30
    assert np.abs(policy_of(run, start) - first).sum() < np.abs(before - first).sum()
    run.run_round()
    with pytest.raises(HansuError, match="before round 1"):
        run.pretrain(games)


def policy_of(run, packed):
    """What a run's network would play, as shares."""
    evaluator = NetworkEvaluator(run.features, 1, CPU)
    evaluator.use(run.network)
    logits = evaluator(packed[None])[0, :-1]
    return np.exp(logits) / np.exp(logits).sum()


def left_by(folder: Path) -> dict[str, object]:
    """All that a run leaves, to the last bit, apart from times."""
    times = ("seconds", "simulations_per_second")
    state = checkpoint.load(folder)
    assert state is not None
    del state["seconds"]
    return {
        "log": [
            {k: v for k, v in row.items() if k not in times}
            for row in read_rows(folder / "log.csv")
        ],
        "replay": {p.name: zlib.crc32(p.read_bytes()) for p in (folder / "replay").iterdir()},
        "state": plain(state),
    }


def plain(content):
    """Tensors and saved games as values that can be compared."""
    if isinstance(content, dict):
        return {key: plain(value) for key, value in content.items()}
    if isinstance(content, list):
        return [plain(value) for value in content]
    if isinstance(content, bytes):
        return {name: value.tolist() for name, value in np.load(io.BytesIO(content)).items()}
    return content.tolist() if isinstance(content, torch.Tensor) else content


class Killed(BaseException):
    """Nothing may catch it."""


@pytest.mark.parametrize("late", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_run_that_is_stopped_at_every_step_on_disk_ends_as_if_it_were_not(
    late, tmp_path, monkeypatch
):
    """Whatever is moved into place, removed or noted: the process ends just before or after it."""
    train(tmp_path / "whole", 5)
    steps = stops = 0

    def fragile(change):
        def changed(*arguments, **options):
            nonlocal steps, stops
            steps += 1
            if steps < stops:  # so far it came the last time
                return change(*arguments, **options)
            steps, stops = 0, stops + 1
            if late:
                change(*arguments, **options)
            raise Killed

        return changed

    # A run that is stopped at its first, second, third... step on disk, until it comes to its end.
    monkeypatch.setattr(os, "replace", fragile(os.replace))
    monkeypatch.setattr(Path, "unlink", fragile(Path.unlink))
    monkeypatch.setattr(Log, "add", fragile(Log.add))
    run = None
    while run is None or run.round < 5:
        try:
            run = train(tmp_path / "stopped", 0)
            run.run_round()
        except Killed:
            run = None
    monkeypatch.undo()
    assert stops > 10
    assert left_by(tmp_path / "stopped") == left_by(tmp_path / "whole")


@pytest.mark.usefixtures("no_tensorboard")
@pytest.mark.parametrize("preset", ["modern", pytest.param("historic", marks=pytest.mark.slow)])
def test_a_run_that_is_left_after_every_step_ends_as_if_it_were_not(preset, tmp_path):
    """In the middle of a search, of learning, of validation and of a gating match."""

    def run(folder: str, **changes) -> Training:
        changes = {**TINY, "network": "L8r", "games": 4, **changes}
        return Training(hansu.game("tictactoe"), tmp_path / folder, preset, "cpu", changes=changes)

    (tmp_path / "whole").mkdir()
    (tmp_path / "whole" / "control.json").write_text('{"simulations": 4}')
    run("whole", samples=200).run_round()  # enough games for a validation set
    shutil.copytree(tmp_path / "whole", tmp_path / "parts")
    whole = run("whole", samples=12)
    reports = [whole.run_round() for _ in range(2)]
    assert reports[0].gate_score is not None
    assert reports[1].validation_policy_loss is not None
    seen, parts = [], run("parts", samples=12)
    while parts.round < 3:
        parts.run_round(lambda what, _: seen.append(what), Stop(seconds=0))
        parts = run("parts", samples=12)
    assert min(map(seen.count, ("playing", "learning", "comparing"))) > 2
    assert left_by(tmp_path / "parts") == left_by(tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.parametrize("game", SMALL_GAMES)
def test_every_game_can_be_left_at_any_step(game, tmp_path):
    changes = {**TINY, "games": 4, "samples": 20, "gate_every": 1, "gate_games": 2}
    rng, pauses, seconds = random.Random(1), 0, 0.0
    whole = Training(hansu.game(game), tmp_path / "whole", device="cpu", changes=changes)
    whole.run_round()
    parts = None
    while parts is None or parts.round < 1:
        parts = Training(hansu.game(game), tmp_path / "parts", device="cpu", changes=changes)
        pauses += parts.run_round(stop=Stop(seconds)) is None
        seconds = 0.0 if pauses < 3 else rng.choice([0.0, 0.5, 2.0])
    assert pauses >= 3
    assert left_by(tmp_path / "parts") == left_by(tmp_path / "whole")


def test_what_was_left_survives_a_kill_and_a_change_of_control(tmp_path):
    run = train(tmp_path, 0)
    assert run.run_round(stop=Stop(seconds=0)) is None
    assert run.run_round(stop=Stop(seconds=0)) is None
    assert (run.round, run.unfinished) == (0, 1)
    killed = train(tmp_path, 0)  # goes on, and is killed before anything is written
    killed._games_to_play().step(killed._finished)
    again = train(tmp_path, 0)
    assert again.unfinished == 1
    (tmp_path / "control.json").write_text('{"simulations": 8}')  # trees of another size
    changed = train(tmp_path, 0)
    assert changed.run_round().simulations == 8


@pytest.mark.usefixtures("no_tensorboard")
def test_studying_can_be_left_and_resumed(tmp_path):
    played = hansu.match("tictactoe", "minimax", "random", games=30, seed=3).games
    games = expert_samples(hansu.game("tictactoe"), played, [])
    whole = train(tmp_path / "whole", 0)
    assert whole.pretrain(games)
    whole.run_round()
    run = train(tmp_path / "parts", 0)
    assert not run.pretrain(games, stop=Stop(seconds=0))
    assert (run.unfinished, run.is_new) == (0, False)
    run = train(tmp_path / "parts", 0)
    assert run.run_round(stop=Stop(seconds=0)) is None
    assert (run.unfinished, run.step) == (0, 2)
    run = train(tmp_path / "parts", 0)
    assert run.run_round() is not None
    assert left_by(tmp_path / "parts") == left_by(tmp_path / "whole")


TRAIN_FOREVER = """
import sys
from pathlib import Path
import torch
from tests.learning.test_training import train
torch.set_num_threads(1)
run = train(Path(sys.argv[1]), 0, sys.argv[2])
print(run.round, flush=True)
while True:
    run.run_round()
    print(run.round, flush=True)
"""


def train_and_kill(folder: Path, game: str, rounds: int, delay: float) -> None:
    """Let a process train, and kill it some time after so many rounds."""
    command = [sys.executable, "-c", TRAIN_FOREVER, str(folder), game]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2])
    assert process.stdout is not None
    for _ in range(rounds + 1):
        assert process.stdout.readline()
    time.sleep(delay)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()


def test_a_killed_run_ends_as_if_it_were_not(tmp_path):
    train_and_kill(tmp_path / "killed", "tictactoe", 2, delay=random.uniform(0, 0.3))
    run = train(tmp_path / "killed", 1)
    assert run.round >= 3
    train(tmp_path / "whole", run.round)
    assert left_by(tmp_path / "killed") == left_by(tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.parametrize("game", SMALL_GAMES)
def test_a_run_that_is_killed_again_and_again_ends_as_if_it_were_not(game, tmp_path):
    for _ in range(4):
        train_and_kill(tmp_path / "killed", game, 1, delay=random.uniform(0, 2))
    run = train(tmp_path / "killed", 1, game)
    train(tmp_path / "whole", run.round, game)
    assert left_by(tmp_path / "killed") == left_by(tmp_path / "whole")


def test_a_damaged_checkpoint_is_named_and_the_one_before_is_used(tmp_path):
    run = train(tmp_path, 2)
    newest = max(tmp_path.glob("checkpoint-*.pt"))
    data = bytearray(newest.read_bytes())
    data[len(data) // 2] ^= 255
    newest.write_bytes(data)
    with pytest.warns(DamagedFile, match=newest.name):
        again = Training(run.game, tmp_path, device="cpu", changes=TINY)
    assert again.round == 1
    assert [row["round"] for row in again.log.read()] == ["1"]
    again.run_round()
    assert again.round == 2
    for path in tmp_path.glob("checkpoint-*.pt"):
        path.write_bytes(b"")
    with (
        pytest.warns(DamagedFile),
        pytest.raises(HansuError, match="has a log but no whole checkpoint"),
    ):
        Training(run.game, tmp_path, device="cpu", changes=TINY)


def test_games_go_on_where_another_number_of_simulations_is_asked_for(tmp_path):
    run = train(tmp_path, 1)
    (tmp_path / "control.json").write_text('{"simulations": 8}')
    before = np.load(io.BytesIO(run._state()["in_progress"][0]))["turns"]
    again = train(tmp_path, 0)
    after = np.load(io.BytesIO(again._games_to_play().saved()[0]))["turns"]
    assert np.array_equal(before, after)
    assert before.any()
    assert again.run_round().simulations == 8
    # On a machine that plays more games at the same time they begin anew.
    more = Training(run.game, tmp_path, device="cpu", changes={**TINY, "games": 20})
    assert more.run_round().round == 3


def test_only_the_last_checkpoints_are_kept(tmp_path):
    for number in range(1, 7):
        checkpoint.save(tmp_path, number, {"round": number})
    assert len(list(tmp_path.glob("*.pt"))) == 3
    assert checkpoint.load(tmp_path) == {"round": 6}


def test_the_control_file_is_obeyed_and_mistakes_are_told(tmp_path):
    run = train(tmp_path, 1)
    control = tmp_path / "control.json"
    wanted = json.loads(control.read_text())
    control.write_text(json.dumps({**wanted, "learning_rate": 0.5, "simulations": 8}))
    report = run.run_round()
    assert (report.learning_rate, report.simulations) == (0.5, 8)
    assert run.optimiser.param_groups[0]["lr"] == 0.5
    for text, part in (
        ("{", "is not used"),
        ('{"simulations": 1}', "not 2 to 10000"),
        ('{"simulations": 64.5}', "64.5 is not a whole number"),
        ('{"resign_below": null}', "resign_below None is not a number"),
        ('{"cpuct": "1"}', "cpuct '1' is not a number"),
        ('{"speed": 1}', "'speed' is not one of"),
    ):
        control.write_text(text)
        with pytest.warns(UserWarning, match=part):
            report = run.run_round()
        assert report.simulations == 8


@pytest.mark.parametrize("content", [b"[]", b"{", b"\xff\xfe"])
def test_a_damaged_description_of_the_run_is_one_sentence(tmp_path, content):
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(HansuError, match=r"run\.json is damaged: choose another folder"):
        train(tmp_path, 0)


def test_two_processes_do_not_train_in_one_folder(tmp_path):
    command = [sys.executable, "-c", TRAIN_FOREVER, str(tmp_path), "tictactoe"]
    other = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2])
    assert other.stdout is not None
    assert other.stdout.readline()  # it is at work
    with pytest.raises(HansuError, match="another process is at work in"):
        train(tmp_path, 0)
    os.kill(other.pid, signal.SIGKILL)
    other.communicate()
    assert train(tmp_path, 0).settings.network == "R8x1"


@pytest.mark.parametrize("name", ["cuda", "cuda:7", "meta", "tpu"])
def test_a_device_that_is_not_there_is_one_sentence(name):
    if name == "cuda" and torch.cuda.is_available():
        pytest.skip("there is one")
    with pytest.raises(HansuError, match="there is no device"):
        pick_device(name)


def test_a_folder_of_another_run_is_refused(tmp_path):
    train(tmp_path, 0)
    with pytest.raises(HansuError, match="another run, whose game is tictactoe, not connect4"):
        Training(hansu.game("connect4"), tmp_path, device="cpu")


def play_gate(*players, **how):
    match = GatingMatch(*players, **how)
    for _ in match.play():
        pass
    return match.result


def test_the_gate_counts_points_and_distinct_games():
    features = hansu.game("tictactoe").features

    def blind(leaves):  # sure of the sides, one after another, and that all is well
        answers = np.zeros((len(leaves), 10), np.float32)
        answers[:, [1, 3, 5, 7, 9]] = 80, 60, 40, 20, 0.9
        return answers

    def none(leaves):
        return np.zeros((len(leaves), 10), np.float32)

    result = play_gate(features, none, blind, games=20, simulations=60, seed=1)
    assert result.score > 0.6
    assert 1 <= result.distinct_games <= 20
    assert result.games == 20
    assert result.pairs == 10
    reverse = play_gate(features, blind, none, games=20, simulations=60, seed=1)
    assert reverse.score < 0.4
    assert reverse.elo < 0 < result.elo
    again = play_gate(features, blind, blind, games=20, simulations=8, seed=1)
    opened = play_gate(
        features, blind, blind, games=20, simulations=8, seed=1, random_opening_plies=6
    )
    assert (
        opened.distinct_games > 2 * again.distinct_games
    )  # who is always sure plays the same games otherwise


# Models -----------------------------------------------------------------------------------------


def test_a_wrong_model_says_so(tmp_path):
    game = hansu.game("tictactoe")
    export(make_network("R8x1", game.features), tmp_path / "a.onnx", {"game": "tictactoe"})
    with pytest.raises(HansuError, match="is a model for tictactoe, not for connect4"):
        Model(tmp_path / "a.onnx", hansu.game("connect4"))
    (tmp_path / "b.onnx").write_text("nonsense")
    with pytest.raises(HansuError, match="is not an ONNX model"):
        find_model(str(tmp_path / "b.onnx"), game)
    with pytest.raises(HansuError, match="cannot read the model"):
        find_model(str(tmp_path / "c.onnx"), game)


def test_folding_changes_nothing():
    features = hansu.game("othello").features
    network = make_network("R8x2", features).train()
    planes, vector = torch.rand(32, *features.shape), torch.zeros(32, 0)
    network(planes, vector)  # the normalisation has seen something
    with torch.inference_mode():
        whole, ready = network.eval()(planes, vector), folded(network)(planes, vector)
    assert all(torch.allclose(a, b, atol=1e-5) for a, b in zip(whole, ready, strict=True))


def test_a_run_keeps_the_network_it_was_begun_with(tmp_path):
    train(tmp_path, 0)
    elsewhere = Training(hansu.game("tictactoe"), tmp_path, device="cpu")
    assert elsewhere.network.name == elsewhere.settings.network == TINY["network"]
    with pytest.raises(HansuError, match="whose network is R8x1, not L1024r"):
        Training(elsewhere.game, tmp_path, device="cpu", changes={"network": "L1024r"})


@pytest.mark.parametrize(
    "name", ["L0r", "L1024", "C64L1024r", "R0x1", "R1x0", "l1024r", "L999999r"]
)
def test_a_network_that_cannot_be_made_leaves_no_folder(name, tmp_path):
    with pytest.raises(HansuError, match="is not a network: R64x5, C64r6L1024r or L1024r"):
        Training(hansu.game("tictactoe"), tmp_path / "run", changes={"network": name})
    assert not (tmp_path / "run").exists()
