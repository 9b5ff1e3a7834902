"""The memory that grows: nothing is lost, whoever writes and however he ends."""

import os
import signal
import subprocess
import sys
import time

import pytest

import hansu
from hansu.agents.memory import Memory, Tally

WRITER = """
import sys
from hansu.agents.memory import Memory, Tally
memory = Memory(sys.argv[1])
for number in range(int(sys.argv[2])):
    memory.add({"shared": Tally(1, 0, 0), f"{sys.argv[3]} {number % 50}": Tally(0, 1, 0)})
    print(number, flush=True)
"""


def writer(file, count, name):
    command = [sys.executable, "-c", WRITER, str(file), str(count), name]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_two_writers_at_once_lose_nothing(tmp_path):
    file = tmp_path / "memory.sqlite"
    writers = [writer(file, 300, name) for name in ("a", "b")]
    assert [process.communicate(timeout=120) and process.returncode for process in writers] == [
        0,
        0,
    ]
    known = dict(Memory(file).items())
    assert known["shared"] == Tally(600, 0, 0)
    assert sum(tally.draws for tally in known.values()) == 600


def test_a_killed_writer_leaves_every_finished_update(tmp_path):
    file = tmp_path / "memory.sqlite"
    for _ in range(5):
        before = Memory(file).recall(["shared"])["shared"].wins
        process = writer(file, 10**6, "a")
        process.stdout.readline()
        time.sleep(0.15)
        os.kill(process.pid, signal.SIGKILL)
        told = int(process.communicate()[0].split()[-1] or 0) + 1
        known = dict(Memory(file).items())
        wins = known["shared"].wins
        assert before + told <= wins <= before + told + 1
        assert sum(tally.draws for tally in known.values()) == wins


def test_memories_merge_and_are_pruned(tmp_path):
    here, there = Memory(tmp_path / "a"), Memory(tmp_path / "b")
    here.add({"x": Tally(1, 0, 0), "y": Tally(0, 2, 0)})
    there.add({"y": Tally(5, 0, 0), "z": Tally(0, 0, 1)})
    here.merge(there)
    assert dict(here.items()) == {"x": Tally(1), "y": Tally(5, 2, 0), "z": Tally(0, 0, 1)}
    assert here.prune(fewer_than=2) == 2
    assert list(dict(here.items())) == ["y"]


def test_a_file_that_is_no_memory_is_refused(tmp_path):
    (tmp_path / "text").write_text("not a database, but long enough to look like a file " * 20)
    with pytest.raises(hansu.HansuError, match=r"cannot use .* as a memory"):
        Memory(tmp_path / "text")


def test_the_agent_tops_every_move_up_and_then_adds_one(tmp_path):
    file = tmp_path / "memory.sqlite"
    state = hansu.game("connect4").start()
    for visits in (30, 31, 32):
        agent = hansu.agent(f"mcts_memory:memory={file}", "connect4", seed=1)
        agent.reset()
        agent.act(state)
        agent.close()
        assert [line.visits for line in agent.info.lines] == [visits] * 7


def test_with_scope_game_nothing_is_kept():
    agent = hansu.agent("mcts_memory:scope=game", "connect4", seed=1)
    for _ in range(2):
        agent.reset()
        agent.act(hansu.game("connect4").start())
        assert sum(line.visits for line in agent.info.lines) == 250 // 7 * 7
        agent.close()
