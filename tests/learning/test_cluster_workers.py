"""Self-play on the machines of a cluster; what local workers can do is tested with those."""

import os
import signal
import subprocess
import sys
import warnings

import pytest

pytest.importorskip("torch")

import hansu
from hansu.learning.stopping import Stop
from hansu.learning.training import Training
from tests.arena.cluster.conftest import nodes  # noqa: F401 - a cluster
from tests.learning.test_training import TINY


@pytest.mark.slow
def test_a_round_is_played_on_every_machine(nodes, tmp_path):  # noqa: F811 - a fixture
    run = Training(hansu.game("tictactoe"), tmp_path, device="cpu", changes=TINY, on="ray")
    try:
        first = run.run_round()
        assert first.games > 0
        assert first.simulations_per_second > 0
        assert len(run._playing._processes) == 2
        before = {worker.weights for worker in run._playing._remote()}
        nodes.kill(nodes.nodes[0])
        nodes.add()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for _ in range(3):
                last = run.run_round()
        assert last.games > first.games
        assert before.isdisjoint(worker.weights for worker in run._playing._remote())
    finally:
        run.close()
    assert not (tmp_path / "workers").exists()
    # One process goes on with what they left.
    alone = Training(hansu.game("tictactoe"), tmp_path, device="cpu", changes=TINY)
    assert alone.run_round().round == last.round + 1


@pytest.mark.slow
def test_what_workers_have_is_kept_when_a_round_is_left(nodes, tmp_path):  # noqa: F811 - a fixture
    changes = {**TINY, "samples": 10_000}
    run = Training(hansu.game("tictactoe"), tmp_path, device="cpu", changes=changes, on="ray")
    assert run.run_round(stop=Stop(seconds=0)) is None  # they have begun, at least
    again = Training(hansu.game("tictactoe"), tmp_path, device="cpu", changes=changes, on="ray")
    assert again.unfinished == 1
    assert len(again._in_progress) == 2
    assert all(again._in_progress)
    before = again._finished.samples
    stop = Stop()

    def progress(what, share):
        stop.asked = share > before / 10_000  # more has come in

    assert again.run_round(progress, stop) is None
    last = Training(hansu.game("tictactoe"), tmp_path, device="cpu", changes=changes)
    assert last._finished.samples > before


@pytest.mark.slow
def test_a_killed_learner_goes_on(nodes, tmp_path):  # noqa: F811 - a fixture
    words = ["train", "tictactoe", "--device", "cpu", "--out", str(tmp_path), "--on", "ray"]
    command = [sys.executable, "-m", "hansu", *words, "--rounds"]
    log = tmp_path / "log.csv"
    for seconds in (30, 45):
        running = subprocess.Popen([*command, "50"], stdout=subprocess.DEVNULL,
                                   start_new_session=True)  # fmt: skip
        try:
            running.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
    before = len(log.read_text().splitlines()) if log.exists() else 0
    done = subprocess.run([*command, "1"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    rounds = [int(line.split(",")[0]) for line in log.read_text().splitlines()[1:]]
    assert rounds == list(range(1, len(rounds) + 1))
    assert len(rounds) + 1 > before
