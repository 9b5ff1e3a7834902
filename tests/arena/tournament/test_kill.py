"""kill -9 at random moments, each followed by the same command: nothing is lost or played twice."""

import json
import os
import random
import shutil
import signal
import sqlite3
import sys
import time
from pathlib import Path

import pytest

import hansu
from hansu.cli.main import main

AGENTS = ["random", "one_step_search", "malfunction:p=0.1", "mcts:n_simulations=10"]


def words(folder, rounds, concurrency, format):
    return ["hansu", "tournament", "tictactoe", *AGENTS, "--rounds", str(rounds),
            "--out", str(folder), "--concurrency", str(concurrency), "--format", format,
            "--seed", "7", "--json"]  # fmt: skip


def start(command, answer) -> int:
    """Run a command in a forked process with a group of its own: that spares the imports."""
    child = os.fork()
    if child:
        return child
    try:
        os.setsid()
        out = os.open(answer, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        sys.argv = command
        sys.stdout = os.fdopen(1, "w")
        sys.stderr = os.fdopen(2, "w")
        main()
        sys.stdout.flush()
    except SystemExit as end:
        sys.stdout.flush()
        os._exit(int(end.code or 0))
    finally:
        os._exit(99)


def finish(command, answer) -> str:
    _, status = os.waitpid(start(command, answer), 0)
    assert os.waitstatus_to_exitcode(status) == 0
    return answer.read_text()


def killed(command, answer, moment, in_play) -> bool:
    """Kill the whole process group at a moment; whether there was still something to kill.

    The moment is counted from the start, or from the first new result: both need to be hit.
    """
    folder = Path(command[command.index("--out") + 1])
    before = finished_games(folder)
    child = start(command, answer)
    while in_play and finished_games(folder) == before:
        if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            break
        time.sleep(0.01)
    time.sleep(moment)
    done, _ = os.waitpid(child, os.WNOHANG)
    if done:
        return False
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def finished_games(folder) -> int:
    file = folder / "tournament.sqlite"
    if not file.exists():
        return 0
    with sqlite3.connect(file) as database:
        try:
            return database.execute("SELECT count(*) FROM games").fetchone()[0]
        except sqlite3.OperationalError:  # killed before the table was made
            return 0


def survive(tmp_path, kills, rounds, concurrency, format):
    """Kill a tournament so many times, then let it finish; compare with an undisturbed one."""
    answer = tmp_path / "answer"
    begin = time.monotonic()
    undisturbed = finish(words(tmp_path / "calm", rounds, concurrency, format), answer)
    whole = time.monotonic() - begin
    finish(words(tmp_path / "calm", rounds, concurrency, format), answer)  # plays nothing
    overhead = time.monotonic() - begin - whole
    share = (whole - overhead) / kills  # of the time to play: the last kill shall still hit it
    wild = tmp_path / "wild"
    command = words(wild, rounds, concurrency, format)
    rng = random.Random(kills)
    happened = grown = before = 0
    while happened < kills:
        in_play = rng.random() < 0.7
        if killed(command, answer, rng.uniform(0.0, share if in_play else overhead), in_play):
            now = finished_games(wild)
            assert now >= before
            happened, grown, before = happened + 1, grown + (now > before), now
        else:  # it was faster than we thought: once more from the beginning
            compare(command, answer, undisturbed)
            shutil.rmtree(wild)
            before = 0
    compare(command, answer, undisturbed)
    print(f"{happened} kills, {grown} of them after new games")
    assert grown >= kills / 4  # otherwise hardly anything was tested


def compare(command, answer, undisturbed):
    """Let it finish: the same table, and every game exactly once."""
    final = finish(command, answer)
    assert final == undisturbed
    facts = json.loads(final)
    assert facts["games"] == facts["scheduled"]
    folder = Path(command[command.index("--out") + 1])
    with sqlite3.connect(folder / "tournament.sqlite") as database:
        numbers = [row[0] for row in database.execute("SELECT number FROM games ORDER BY number")]
    assert numbers == list(range(facts["scheduled"]))


@pytest.mark.parametrize(("concurrency", "format"), [(1, "round-robin"), (2, "swiss")])
def test_kill_nine_loses_nothing(tmp_path, concurrency, format):
    survive(tmp_path, 6, {"round-robin": 6, "swiss": 18}[format], concurrency, format)


@pytest.mark.slow
@pytest.mark.parametrize("concurrency", [1, 2])
def test_kill_nine_two_hundred_times(tmp_path, concurrency):
    survive(tmp_path, 200, 60, concurrency, "round-robin")


def test_a_worker_does_not_outlive_a_killed_parent(tmp_path):
    command = words(tmp_path / "cup", 500, 2, "round-robin")
    child = start(command, tmp_path / "answer")
    while finished_games(tmp_path / "cup") < 4:
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)  # the parent only
    os.waitpid(child, 0)
    for _ in range(100):
        try:
            os.killpg(child, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("workers are still there ten seconds after their parent")


@pytest.fixture(autouse=True, scope="module")
def compiled():
    """What is used is imported and compiled here, once, and not in every forked process."""
    for name in AGENTS:
        hansu.play_game("tictactoe", name, "random")
    hansu.tournament("tictactoe", *AGENTS)
