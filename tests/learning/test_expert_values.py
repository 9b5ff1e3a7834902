"""Values learnt from records: the historic network, the patterns, and the runs that learn them."""

import functools
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hansu
from hansu.cli.learn import learn
from hansu.errors import HansuError
from hansu.games.features import board_symmetries
from hansu.games.othello import patterns, rules
from hansu.games.rules_on_words import rules_on_words
from hansu.kernel import kernel
from hansu.learning.experts import perceptron
from hansu.learning.experts.games import read_expert_games
from hansu.learning.experts.positions import Positions, Table
from hansu.learning.experts.value import SHIPPED_FILES, find_value, read_value, write_value
from hansu.learning.log import LOG, read_reports
from hansu.learning.replay_buffer import DamagedFile
from hansu.learning.stopping import Stop
from tests import command_line
from tests.learning.expert_games import random_games, transcripts
from tests.search.positions import random_positions

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'hansu[learn]'")

from hansu.learning import checkpoint  # noqa: E402
from hansu.learning.experts.fitting import PatternRun  # noqa: E402
from hansu.learning.experts.historic import (  # noqa: E402
    HistoricRun,
    cells_of,
    cost,
    flat,
    make_perceptron,
)


def evaluated(evaluate, state, weights):
    return make_judge(evaluate)(state.words, weights)


@functools.cache
def make_judge(evaluate):
    unpack = rules_on_words(rules).unpack

    @kernel(variant=(evaluate,))
    def judge_words(words, weights):
        return evaluate(unpack(words), weights)

    return judge_words


def table_of(folder, games, **options):
    (folder / "games.txt").write_text(transcripts(games))
    positions = Positions(**options)
    for found in read_expert_games([folder / "games.txt"], []):
        positions.add(found)
    return positions.table()


# The historic network ---------------------------------------------------------------------------


def test_the_historic_network_has_the_published_size():
    network = make_perceptron()
    assert [tuple(w.shape) for w in network.parameters() if w.dim() == 2] == [
        (128, 64),
        (256, 128),
        (64, 256),
        (1, 64),
    ]
    assert sum(w.numel() for w in network.parameters()) == 57_857 == perceptron.SIZE


def squares(discs):
    return torch.from_numpy(np.array([discs], np.uint64).view(np.int64))


def test_cells_are_0_empty_1_black_2_white():
    state = hansu.game("othello").parse("f5")
    black, white = (squares(discs) for discs in state.discs())
    (cells,) = cells_of(black, white)
    assert cells.nonzero().squeeze().tolist() == [27, 28, 35, 36, 37]  # d4 e4 d5 e5 f5
    assert cells[[27, 28, 35, 36, 37]].tolist() == [2, 1, 1, 1, 1]


def test_the_cost_is_weighted_by_how_often_a_position_was_seen():
    chance, share = torch.tensor([0.5, 0.25]), torch.tensor([1.0, 0.75])
    n = torch.tensor([3.0, 1.0])
    assert float(cost(chance, share, n)) == pytest.approx(0.75 * 0.25 + 0.25 * 0.25)


def test_the_compiled_network_agrees_with_pytorch():
    torch.manual_seed(3)
    network = make_perceptron()
    for weights in network.parameters():
        weights.data *= 1.5  # so that the answers are far from a half
    answers = []
    for state in random_positions("othello", 50, seed=4):
        black, white = (squares(discs) for discs in state.discs())
        with torch.inference_mode():
            expected = float(torch.sigmoid(network(cells_of(black, white))))
        assert evaluated(perceptron.evaluate, state, flat(network)) == pytest.approx(
            expected, abs=1e-4
        )
        answers.append(expected)
    assert max(answers) - min(answers) > 0.05


def historic_run(folder, table, epochs=300):
    return HistoricRun(table, folder, {"games": 40}, epochs, seed=2)


def test_the_historic_loss_goes_down_on_a_few_games(tmp_path):
    run = historic_run(tmp_path / "run", table_of(tmp_path, random_games(5)))
    losses = [run.run_epoch().training_loss for _ in range(40)]
    assert losses[-1] < 0.5 * losses[0]


def test_a_resumed_historic_run_is_the_same_run(tmp_path):
    table = table_of(tmp_path, random_games(40))
    whole = historic_run(tmp_path / "whole", table)
    for _ in range(4):
        whole.run_epoch()
    historic_run(tmp_path / "parts", table).run_epoch()
    historic_run(tmp_path / "parts", table).run_epoch()
    again = historic_run(tmp_path / "parts", table)
    assert (again.epoch, again.step) == (2, 4)
    again.run_epoch()
    again.run_epoch()
    assert np.array_equal(flat(again.network), flat(whole.network))
    written = read_value(tmp_path / "parts" / "value.npz")
    assert (written.net, written.facts["games"]) == ("historic", 40)
    rows = (tmp_path / "parts" / "log.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in rows] == ["epoch", "1", "2", "3", "4"]


def learn_in_pieces(make, epochs):
    """Do one batch of work in each process, as it were; how often the run was left."""
    pauses, run = 0, make()
    while run.epoch < epochs:
        pauses += run.run_epoch(stop=Stop(seconds=0)) is None
        run = make()
    return run, pauses


def test_a_historic_run_that_is_left_after_every_batch_is_the_same_run(tmp_path):
    table = table_of(tmp_path, random_games(60))
    whole = historic_run(tmp_path / "whole", table)
    reports = [whole.run_epoch() for _ in range(2)]
    parts, pauses = learn_in_pieces(lambda: historic_run(tmp_path / "parts", table), 2)
    assert pauses >= 6  # of each epoch, the batches and the validation
    assert np.array_equal(flat(parts.network), flat(whole.network))
    told = [replace(report, seconds=0) for report in read_reports(tmp_path / "parts" / LOG)]
    assert told == [replace(report, seconds=0) for report in reports]


@pytest.mark.parametrize("part", ["log.add", "write", "checkpoint.save"])
def test_an_epoch_that_was_cut_off_is_learnt_again(tmp_path, monkeypatch, part):
    table = table_of(tmp_path, random_games(10))
    run = historic_run(tmp_path / "run", table)
    run.run_epoch()

    def killed(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        owner, _, name = part.rpartition(".")
        patched.setattr({"": run, "log": run.log, "checkpoint": checkpoint}[owner], name, killed)
        with pytest.raises(KeyboardInterrupt):
            run.run_epoch()
    again = historic_run(tmp_path / "run", table)
    assert again.epoch == 1
    report = again.run_epoch()
    assert report.best_epoch == 2  # else it would not be written
    assert read_value(tmp_path / "run" / "value.npz").facts["epochs"] == 2
    rows = (tmp_path / "run" / "log.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in rows] == ["epoch", "1", "2"]


def test_a_run_without_a_whole_checkpoint_is_not_begun_anew(tmp_path):
    table = table_of(tmp_path, random_games(2))
    historic_run(tmp_path / "run", table).run_epoch()
    historic_run(tmp_path / "run", table).run_epoch()
    for file in (tmp_path / "run").glob("checkpoint-*"):
        file.write_bytes(b"damaged")
    with (
        pytest.warns(DamagedFile),
        pytest.raises(HansuError, match="has a log but no whole checkpoint"),
    ):
        historic_run(tmp_path / "run", table)


def test_what_is_no_value_is_one_sentence(tmp_path):
    place = tmp_path / "value.npz"
    np.save(tmp_path / "value.npy", np.zeros(3))
    array = (tmp_path / "value.npy").read_bytes()
    for content in (b"", array, b"PK\x03\x04 but no more", b"text"):
        place.write_bytes(content)
        with pytest.raises(HansuError, match="is not a value as"):
            read_value(place)


def test_learning_stops_when_nothing_gets_better(tmp_path):
    """Results by chance cannot be learnt: what fits one half does not fit the other."""
    rng = np.random.default_rng(1)
    sets = rng.integers(2**63, size=2000, dtype=np.uint64)
    n, wins = np.ones(2000, np.int32), rng.integers(2, size=2000, dtype=np.int32)
    run = historic_run(tmp_path, Table(sets, ~sets, n, wins, wins))
    while not run.finished:
        run.run_epoch()
    assert run.epoch == run.best_epoch + 10 < 100


def test_a_folder_of_another_run_is_refused(tmp_path):
    table = table_of(tmp_path, random_games(2))
    HistoricRun(table, tmp_path / "run", {"games": 2, "draws": "drop"}, 300)
    with pytest.raises(HansuError, match="another run, whose draws is drop, not count: choose"):
        HistoricRun(table, tmp_path / "run", {"games": 2, "draws": "count"}, 300)


# Patterns ---------------------------------------------------------------------------------------


def test_places_in_the_tables_are_numbers_to_base_three():
    for state in random_positions("othello", 20, seed=6):
        mine, theirs = state.words[2:]
        places = np.empty(patterns.PADDED, np.uint16)
        patterns.look_up(mine, theirs, places)
        for place, (_, squares) in zip(places, patterns.PLACINGS, strict=False):
            digits = [
                1 if int(mine) >> square & 1 else 2 if int(theirs) >> square & 1 else 0
                for square in squares
            ]
            assert place == sum(digit * 3**power for power, digit in enumerate(digits))


def turned(state, symmetry):
    board, side = state.text().split()
    letters = "".join(board[cell] for cell in symmetry.cells)
    return hansu.game("othello").parse(f"{letters} {side}")


def other_colors(state):
    return hansu.game("othello").parse(state.text().translate(str.maketrans("XO", "OX")))


def test_the_strong_value_knows_symmetry_and_colours():
    value = find_value("shipped", "strong").evaluator
    for state in random_positions("othello", 10, seed=7):
        expected = evaluated(*(value.evaluate, state, value.weights))
        for symmetry in board_symmetries(8, 8):
            again = evaluated(value.evaluate, turned(state, symmetry), value.weights)
            assert again == pytest.approx(expected, abs=1e-5)
        swapped = evaluated(value.evaluate, other_colors(state), value.weights)
        assert swapped == pytest.approx(1 - expected, abs=1e-5)


def test_the_strong_fit_gets_better_and_a_resumed_run_is_the_same_run(tmp_path):
    training = table_of(tmp_path, random_games(200), by_mover=True)
    validation = table_of(tmp_path, random_games(30, seed=9), by_mover=True)

    def run(name):
        return PatternRun(training, validation, tmp_path / name, {"games": 230}, 300, seed=2)

    whole = run("whole")
    reports = [whole.run_epoch() for _ in range(2)]
    assert reports[1].training_loss < reports[0].training_loss
    run("parts").run_epoch()
    again = run("parts")
    again.batch = 1000  # so that there is something to leave
    assert again.run_epoch(stop=Stop(seconds=0)) is None
    again = run("parts")
    again.batch = 1000
    again.run_epoch()
    assert np.array_equal(again.weights, whole.weights)
    value = read_value(tmp_path / "parts" / "value.npz")
    assert value.net == "strong"
    assert np.abs(value.evaluator.weights - whole.best).max() < 1 / 256


# Files ------------------------------------------------------------------------------------------


def test_a_wrong_file_is_one_sentence(tmp_path):
    path = tmp_path / "value.npz"
    with pytest.raises(HansuError, match=r"cannot read the model .*: No such file"):
        read_value(path)
    path.write_bytes(b"nonsense")
    with pytest.raises(HansuError, match="is not a value as `hansu learn othello` writes it"):
        read_value(path)
    write_value(path, "historic", np.zeros(3, np.float32), {})
    with pytest.raises(HansuError, match="is of another version"):
        read_value(path)


@pytest.mark.parametrize("net", ["historic", "strong"])
def test_shipped_values_are_small_and_say_how_they_were_made(net):
    assert Path(str(SHIPPED_FILES[net])).stat().st_size < 8_000_000
    models = Path(hansu.__file__).parent / "learning" / "models"
    assert (models / f"othello-records-{net}.md").exists()
    facts = find_value("shipped", net).facts
    assert {"games", "positions", "epochs", "seconds"} <= set(facts)


# The command ------------------------------------------------------------------------------------


def test_learning_by_the_command_line(tmp_path):
    (tmp_path / "games.txt").write_text(transcripts(random_games(20)) + "f5f5\n")
    command = [sys.executable, "-m", "hansu", "learn", "othello", str(tmp_path / "games.txt")]
    command += ["--epochs", "2", "--out", str(tmp_path / "run"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["epoch"], told["left_out"], told["net"]) == (2, 1, "historic")
    assert "game 21: move 2 is not legal" in done.stderr
    assert "validation loss" in done.stderr
    assert read_value(Path(told["model"])).facts["games"] == told["games"]


def test_the_time_is_kept_in_the_middle_of_an_epoch(tmp_path):
    """It is left, said so, resumed by the same command, and can be drawn in the end."""
    (tmp_path / "games.txt").write_text(transcripts(random_games(40)))
    run = ("--out", str(tmp_path / "run"), "--minutes", "0.0001")
    words = ("learn", "othello", str(tmp_path / "games.txt"), *run)
    said = command_line.hansu(*words).stdout
    left = "time is up in epoch 1; re-run the same command to resume"
    assert f"{left}; no epoch is complete yet" in said
    assert "hansu play" not in said
    steps = 0
    while not (tmp_path / "run" / "value.npz").exists():
        told = json.loads(command_line.hansu(*words, "--json").stdout)
        steps += 1
        assert steps < 9
    assert (told["epoch"], told["unfinished_epoch"]) == (1, None)
    assert "1 epochs in" in command_line.hansu("curves", str(tmp_path / "run")).stdout


@pytest.mark.parametrize(
    ("game", "place", "options", "sentence"),
    [
        ("othello", "nothing", {}, "there is no file or folder .*nothing"),
        ("othello", ".", {}, "too few games to learn from, 0: at least 1 "),
        ("othello", ".", {"net": "deep"}, "there is no net 'deep' for othello: historic or strong"),
    ],
)
def test_what_cannot_be_learnt_is_one_sentence(game, place, options, sentence, tmp_path):
    with pytest.raises(HansuError, match=sentence):
        learn(game, [tmp_path / place], out=tmp_path / "run", **options)
