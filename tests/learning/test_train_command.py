"""``hansu train`` as a person uses it, and what it leaves for TensorBoard."""

import json
import re
import subprocess
import time
from dataclasses import asdict
from pathlib import Path

import pytest

import hansu
from hansu.errors import HansuError
from hansu.learning.log import Log, read_reports
from hansu.learning.replay_buffer import TRAINING, VALIDATION, ReplayBuffer, sample_type
from hansu.learning.settings import changed, preset
from hansu.records.formats import format_by_suffix, save_games
from tests import command_line

pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'hansu[learn]'")
pytest.importorskip("onnx", reason="onnx is not installed: pip install 'hansu[learn]'")


def train(folder: Path, *words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    where = ("--device", "cpu", "--out", str(folder))
    return command_line.hansu("train", "tictactoe", *where, *words, code=code)


def test_a_run_begins_with_records_and_goes_on(tmp_path):
    records = tmp_path / "games.jsonl"
    played = hansu.match("tictactoe", "minimax", "random", games=20, seed=3).games
    save_games(played, records, format_by_suffix(records))
    with records.open("a") as file:
        file.write("this is not a game\n")
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "control.json").write_text('{"simulations": 2}')  # quick, not good

    done = train(folder, "--records", str(records), "--rounds", "1", "--json")
    told = json.loads(done.stdout)
    assert told["round"] == 1
    assert told["model"] == str(folder / "model.onnx")
    assert "left out 1 games; the first: " in done.stderr
    memory = ReplayBuffer(folder / "replay", sample_type(hansu.game("tictactoe").features), 10**6)
    own = memory.count(TRAINING) + memory.count(VALIDATION) - sum(len(r.moves) for r in played)
    assert 2048 <= own < 2048 + 9 * 256  # as many as a round has, and games that ended together

    # The same command again: the records are not learnt twice.
    again = json.loads(train(folder, "--records", str(records), "--rounds", "1", "--json").stdout)
    assert again["round"] == 2
    assert again["games"] > told["games"]
    reports = read_reports(folder / "log.csv")
    assert [report.round for report in reports] == [1, 2]
    assert asdict(reports[-1]) == {key: again[key] for key in asdict(reports[-1])}


def test_the_time_is_kept_and_the_network_can_be_chosen(tmp_path):
    """Far less than a round: it is left, said so, and resumed by the same command."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "control.json").write_text('{"simulations": 10000}')
    words = ("--preset", "historic", "--net", "L1024r", "--minutes", "0.001")
    done = train(tmp_path / "run", *words)
    assert "tictactoe, L1024r on cpu" in done.stdout
    assert "time is up in round 1; re-run the same command to resume" in done.stdout
    assert "no model to play with" in done.stdout
    again = json.loads(train(tmp_path / "run", *words, "--rounds", "1", "--json").stdout)
    assert again["unfinished_round"] == 1
    other = train(tmp_path / "run", "--preset", "historic", "--net", "L512r", code=2)
    assert "whose network is L1024r, not L512r" in other.stderr


def test_a_run_starts_from_the_model_of_another(tmp_path):
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "control.json").write_text('{"simulations": 2}')
    train(tmp_path / "first", "--net", "R8x1", "--rounds", "1")
    model = str(tmp_path / "first" / "model.onnx")
    done = train(tmp_path / "second", "--from", model, "--rounds", "1")
    assert "tictactoe, R8x1 on cpu" in done.stdout
    other = train(tmp_path / "third", "--from", model, "--net", "R16x1", code=2)
    assert f"the network of {model} is R8x1, not R16x1: leave out --net or --from" in other.stderr
    assert not (tmp_path / "third").exists()


@pytest.mark.parametrize("command", ["train", "learn"])
@pytest.mark.parametrize("minutes", ["0", "-1", "nan"])
def test_a_time_that_is_none_is_refused(command, minutes, tmp_path):
    records = [str(tmp_path)] if command == "learn" else []
    words = (command, "tictactoe", *records, "--out", str(tmp_path / "run"), "--minutes", minutes)
    done = command_line.hansu(*words, code=2)
    assert "more than 0 is expected" in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("command", ["train", "learn"])
def test_a_device_that_is_none_is_refused(command, tmp_path):
    records = [str(tmp_path)] if command == "learn" else []
    words = (command, "tictactoe", *records, "--out", str(tmp_path / "run"), "--device", "tpu")
    assert "there is no device 'tpu'" in command_line.hansu(*words, code=2).stderr
    assert not (tmp_path / "run").exists()


def test_settings_are_set_by_name(tmp_path):
    train(tmp_path / "run", "--rounds", "1", *SMALL, "--set", "passes=1.5", "--set", "cpuct=2")
    begun = json.loads((tmp_path / "run" / "run.json").read_text())["settings"]
    assert (begun["passes"], begun["control"]["cpuct"]) == (1.5, 2)


SMALL = ("--set", "samples=200", "--set", "gate_games=4", "--set", "simulations=8")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("speed=3", "'speed' is no setting of a training run: batch, capacity, cpuct, "),
        ("passes", "passes=: a number is expected"),
        ("passes=many", "passes=many: a number is expected"),
        ("passes=-1", "passes=-1: 0 or more is expected"),
        ("batch=1.5", "batch=1.5: a whole number is expected"),
        ("batch=0", "batch=0: 1 or more is expected"),
        ("full_share=2", "full_share=2: a share from 0 to 1 is expected"),
        ("proofs=1", "proofs=1: true or false is expected"),
        ("learning_rate=7", "learning_rate 7 is not above 0 and at most 1"),
        ("noise_alpha=0", "noise_alpha=0: more than 0 is expected"),
        ("passes=1e999", "a number is expected"),
    ],
)
def test_a_setting_that_is_none_is_refused(given, said):
    with pytest.raises(HansuError, match=re.escape(said)):
        changed(preset(hansu.game("tictactoe"), "modern", on_gpu=False), [given])


def test_a_whole_number_may_be_written_in_any_way():
    usual = preset(hansu.game("tictactoe"), "modern", on_gpu=False)
    found = changed(usual, ["batch=1e3", "passes=2"])
    assert (found, type(found["batch"])) == ({"batch": 1000, "passes": 2}, int)


def test_more_games_than_fit_into_memory_are_one_sentence(tmp_path):
    done = train(tmp_path / "run", "--set", "games=1e12", code=2)
    assert done.stderr.endswith("hansu: this machine has too little memory for that\n")
    assert "Traceback" not in done.stderr


def test_a_setting_that_its_game_has_no_use_for_begins_no_run(tmp_path):
    done = train(tmp_path / "run", "--set", "ownership=0.5", code=2)
    assert "tictactoe has no owners" in done.stderr
    assert not (tmp_path / "run").exists()


def test_records_without_a_game_of_this_kind_are_one_sentence(tmp_path):
    records = tmp_path / "games.jsonl"
    played = hansu.match("connect4", "random", "random", games=2, seed=3).games
    save_games(played, records, format_by_suffix(records))
    done = train(tmp_path / "run", "--records", str(records), "--rounds", "1", code=2)
    assert "the records hold no game of tictactoe to start from" in done.stderr


def test_tensorboard_sees_every_round_once(tmp_path):
    """A process that was killed had written a round that is played again."""
    reading = pytest.importorskip(
        "tensorboard.backend.event_processing.event_accumulator",
        reason="TensorBoard is not installed: pip install 'hansu[learn]'",
    )
    rounds = read_reports(Path(__file__).parents[2] / "docs" / "learning" / "lesson" / "log.csv")
    log = Log(tmp_path, 0)
    for report in rounds[:3]:
        log.add(report)
    time.sleep(1.1)  # TensorBoard orders files by the second
    log = Log(tmp_path, 2)
    for report in rounds[2:5]:
        log.add(report)
    events = reading.EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    for name in ("policy_loss", "value_loss", "elo", "simulations_per_second"):
        seen = [(event.step, event.value) for event in events.Scalars(name)]
        wanted = [(report.step, getattr(report, name)) for report in rounds[:5]]
        assert [step for step, _ in seen] == [step for step, _ in wanted]
        assert [value for _, value in seen] == pytest.approx([value for _, value in wanted])
    assert len(events.Scalars("gate_score")) == 1
