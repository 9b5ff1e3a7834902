"""Ctrl+C at any moment ends a command quietly."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hansu.learning.stopping import Stop
from tests import command_line

PATIENCE = 60  # seconds, for a busy machine; the work would take years
LOADING = 2  # seconds of a processor; an interrupt that comes earlier must be heard as well

STOPPED_WHILE_LOADING = """
import sys
from hansu.__main__ import main

class Stop:
    def find_spec(self, name, *_):
        if name == "hansu.cli.main":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Stop())
main()
"""


def test_a_command_stopped_while_it_loads_says_nothing():
    command = [sys.executable, "-c", STOPPED_WHILE_LOADING]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def start(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "hansu", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def interrupt(running: subprocess.Popen[str]) -> tuple[str, str]:
    """Ctrl+C; what it said in all."""
    running.send_signal(signal.SIGINT)
    try:
        out, said = running.communicate(timeout=PATIENCE)
    finally:
        running.kill()
    assert running.returncode == 130
    assert "Traceback" not in said
    return out, said


@pytest.mark.parametrize(
    "words",
    [
        ["perft", "connect4", "30"],
        pytest.param(["perft", "connect4", "30", "--divide"], marks=pytest.mark.slow),
        ["match", "connect4", "negamax:depth=30", "random", "--games", "2"],
        ["analyze", "connect4", "--agent", "negamax:depth=30", "--seconds", "1e6"],
    ],
    ids=lambda words: " ".join(words[:2] + words[3:4]),
)
def test_a_long_compiled_call_can_be_interrupted(words):
    command_line.hansu("perft", "connect4", "2")  # compiled before, where it is
    running = start(*words)
    while seconds_used(running.pid) < LOADING:
        assert running.poll() is None
        time.sleep(0.05)
    out, _ = interrupt(running)
    assert out == ""


def seconds_used(pid: int) -> float:
    """What a process has used of the processors: on a busy machine it loads for long."""
    if not sys.platform.startswith("linux"):
        time.sleep(2 * LOADING)
        return LOADING
    facts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(facts[11]) + int(facts[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
def test_training_that_is_interrupted_keeps_the_round_and_resumes_it(tmp_path):
    pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'hansu[learn]'")
    words = ("train", "tictactoe", "--preset", "historic", "--net", "L8r", "--device", "cpu")
    words += ("--out", str(tmp_path))
    running = start(*words)
    while not (tmp_path / "control.json").exists():
        assert running.poll() is None
        time.sleep(0.1)
    (tmp_path / "control.json").write_text('{"simulations": 10000}')  # a round takes for ever
    assert running.stdout is not None
    assert "tictactoe" in running.stdout.readline()  # it is at work
    time.sleep(1)
    out, _ = interrupt(running)
    assert "stopped in round 1; re-run the same command to resume" in out
    assert [p.name[:24] for p in tmp_path.glob("*.pt")] == ["checkpoint-000000.000001"]
    told = json.loads(command_line.hansu(*words, "--minutes", "0.001", "--json").stdout)
    assert told["unfinished_round"] == 1
    assert (tmp_path / "model.onnx").exists() is False


IGNORING = """
import signal, sys
from hansu.learning.stopping import Stop
with Stop().on_interrupt():
    print(signal.getsignal(signal.SIGINT) == signal.SIG_IGN)
print(signal.getsignal(signal.SIGINT) == signal.SIG_IGN)
"""


def test_who_was_started_to_ignore_interrupts_ignores_them():
    """``nohup`` and ``&`` in a script mean it."""
    done = subprocess.run(
        ["sh", "-c", 'trap "" INT; exec "$@"', "sh", sys.executable, "-c", IGNORING],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stdout.split() == ["True", "True"]


def test_the_second_interrupt_is_the_usual_one():
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        stop = Stop()
        with stop.on_interrupt():
            assert not stop()
            signal.raise_signal(signal.SIGINT)
            assert stop.asked
            assert stop()
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
