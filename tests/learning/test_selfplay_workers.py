"""Workers: they bring games, are replaced when they are killed, and end when nobody learns."""

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import hansu
from hansu.errors import HansuError
from hansu.learning.replay_buffer import sample_type

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'hansu[learn]'")
pytest.importorskip("onnx", reason="onnx is not installed: pip install 'hansu[learn]'")

from hansu.learning.finished_games import FinishedGames  # noqa: E402
from hansu.learning.network import make_network  # noqa: E402
from hansu.learning.selfplay_workers import SelfPlayWorkers  # noqa: E402
from hansu.learning.settings import preset  # noqa: E402
from hansu.learning.stopping import Stop  # noqa: E402
from hansu.learning.training import Training  # noqa: E402
from tests.learning.test_training import TINY  # noqa: E402

PATIENCE = 120  # seconds, for processes that must load PyTorch first


def until(true: Callable[[], object]) -> None:
    """Wait for something that happens in another process."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def test_what_is_handed_over_arrives():
    kind = sample_type(hansu.game("tictactoe").features)
    games = [np.zeros(length, kind) for length in (5, 9, 6)]
    for number, samples in enumerate(games):
        samples["action"] = number
    shown = [np.arange(length, dtype=np.int16) for length in (7, 5)]
    found = FinishedGames.restored(FinishedGames(games, [1, 0, -1], 3, 2, 77, 1.5, shown).saved())
    assert found.samples == 20
    assert (found.results, found.played_on, found.false_resignations) == ([1, 0, -1], 3, 2)
    assert (found.simulations, found.seconds) == (77, 1.5)
    for mine, theirs in zip(games, found.games, strict=True):
        assert np.array_equal(mine, theirs)
    assert [actions.tolist() for actions in found.shown] == [list(range(7)), list(range(5))]
    nothing = FinishedGames.restored(FinishedGames().saved())
    assert (nothing.games, nothing.samples, nothing.shown) == ([], 0, [])


@pytest.mark.slow
def test_workers_play_and_a_killed_one_is_replaced(tmp_path):
    game = hansu.game("tictactoe")
    run = Training(game, tmp_path, device="cpu", changes=TINY, workers=2)
    try:
        report = run.run_round()
        assert report.games > 0
        assert report.simulations_per_second > 0
        one, other = run._playing._processes.values()
        os.kill(one.pid, signal.SIGKILL)
        one.join()
        with pytest.warns(UserWarning, match=r"worker 1 has ended \(-9\): another takes its place"):
            run.run_round()
        assert run.run_round().games > report.games
        third, still_other = run._playing._processes.values()
        assert third.pid != one.pid
        assert still_other is other
    finally:
        run.close()
    assert not (tmp_path / "workers").exists()
    assert not third.is_alive()
    assert not other.is_alive()
    # One process goes on with what they left.
    alone = Training(game, tmp_path, device="cpu", changes=TINY)
    assert alone.run_round().round == run.round + 1


@pytest.mark.slow
def test_what_workers_have_is_kept_when_a_round_is_left(tmp_path):
    """Finished games are counted, and games in progress go on in other workers."""
    changes = {**TINY, "samples": 10_000}
    game = hansu.game("tictactoe")
    run = Training(game, tmp_path, device="cpu", changes=changes, workers=1)
    assert run.run_round(stop=Stop(seconds=0)) is None  # they have begun, at least
    assert not (tmp_path / "workers").exists()
    first = Training(game, tmp_path, device="cpu", changes=changes, workers=1)
    assert [len(np.load(io.BytesIO(piece))["turns"]) for piece in first._in_progress] == [16]
    before = first._finished.samples
    stop = Stop()

    def progress(what, share):
        stop.asked = share > before / 10_000  # more has come in

    assert first.run_round(progress, stop) is None
    again = Training(game, tmp_path, device="cpu", changes=changes, workers=1)
    assert again._finished.samples > before
    assert again.unfinished == 1
    alone = Training(game, tmp_path, device="cpu", changes={**TINY, "samples": 1})
    assert alone.run_round().games >= len(again._finished.games)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
def test_workers_that_cannot_work_are_told(tmp_path):
    game = hansu.game("tictactoe")
    chosen = preset(game, "modern", on_gpu=False)
    how = (chosen, chosen.control, torch.device("cpu"), (1,))
    workers = SelfPlayWorkers(1, game, tmp_path / "workers", *how)
    other = make_network("R8x1", game.features)  # workers expect R32x2
    try:
        workers.begin(other)
        with (
            pytest.warns(UserWarning, match="worker 1 has ended"),
            pytest.raises(HansuError, match="workers end before they finish a game"),
        ):
            list(workers.play(FinishedGames(), 100))
    finally:
        workers.close()


TRAIN_WITH_WORKERS = ["train", "tictactoe", "--workers", "2", "--device", "cpu", "--out"]


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_the_run(how, tmp_path):
    """SIGINT reaches all processes of a terminal; SIGKILL only the one that learns."""
    command = [sys.executable, "-m", "hansu", *TRAIN_WITH_WORKERS, str(tmp_path)]
    learner = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    until(lambda: list(tmp_path.glob("checkpoint-*.pt")))
    workers = _children(learner.pid)
    assert len(workers) >= 2
    (os.killpg if how == signal.SIGINT else os.kill)(learner.pid, how)
    _, complaints = learner.communicate(timeout=PATIENCE)
    assert learner.returncode == (130 if how == signal.SIGINT else -how)
    assert "Traceback" not in complaints
    until(lambda: not any(map(_lives, workers)))


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
