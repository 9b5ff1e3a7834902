"""Thousands of games with good and hostile agents mixed: nothing grows, nothing is left."""

import gc
import os
import random
from collections import Counter

import pytest

import hansu
from hansu.arena.isolation.limits import MIB, SandboxLimits
from hansu.arena.player import LocalPlayer
from hansu.arena.referee import play
from hansu.records.record import TimeControl
from tests.arena.isolation.conftest import descriptors

PLAYED = ("line", "board_full")  # how tic-tac-toe ends when nobody misbehaves
GAMES = int(os.environ.get("HANSU_SOAK_GAMES", "10000"))
HOSTILE = {
    "raise_in_act": "crash",
    "none": "illegal_move",
    "os_exit": "crash",
    "segfault": "crash",
    "fork_in_c": "disqualified",
    "socket_inet": "disqualified",
    "flood_stdout": "disqualified",
    "memory_bomb": "disqualified",
    "thread_bomb": "disqualified",
    "to_the_wire:way=huge": "disqualified",
    "loop_in_c": "timeout",
}
EVERY = 10  # one game in so many is against a hostile agent: each needs a new process


def resident_mib() -> float:
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MIB


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_left")
def test_a_long_mixed_run_leaves_nothing_behind(good, make_hostile):
    game = hansu.game("tictactoe")
    draw = random.Random(1)
    local = LocalPlayer(hansu.agent(game, "random"))
    limits = SandboxLimits(memory_bytes=512 * MIB)
    before = descriptors()
    found: Counter[str] = Counter()
    expected: Counter[str] = Counter()
    memory = []
    for number in range(GAMES):
        if number % EVERY == 0:
            file = draw.choice(list(HOSTILE))
            hostile = make_hostile(file, limits=limits)
            control = TimeControl(seconds=0.2 if file == "loop_in_c" else 20.0)
            record = play(game.start(), hostile, good, control, seed=number)
            hostile.close()
            expected[HOSTILE[file]] += 1
            found[record.outcome.reason] += 1
            assert record.winner == good.name
        else:
            players = (good, local) if number % 2 else (local, good)
            record = play(game.start(), *players, seed=number)
            expected["played"] += 1
            found["played"] += record.outcome.reason in PLAYED
        if number % max(1, GAMES // 20) == 0:
            memory.append(resident_mib())
    assert found == expected
    assert descriptors() == before
    assert memory[-1] - memory[len(memory) // 4] < 8.0, memory  # after the first quarter: flat
