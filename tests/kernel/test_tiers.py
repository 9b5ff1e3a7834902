"""Kernels that are interpreted until they are compiled, seen from new processes."""

import json
import os
import subprocess
import sys

import numba
import pytest

from hansu.games.game import GAMES, game

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")

KERNELS = """
import json, sys, threading, time
import numpy as np
from hansu.kernel import bit, borrowed, kernel, lowest
from hansu.kernel.tiers import compile_beside, interpret_first, is_compiled

@kernel
def wrapped(x):
    return ~bit(x) + np.uint64(2)  # machine integers wrap around

@kernel
def count(n):
    return n if n < 2 else count(n - 1) + count(n - 2)  # calls itself

@kernel
def both(values, n):
    return wrapped(n), count(lowest(borrowed(values)[0]))

def make(step):
    @kernel(variant=step)
    def more(x):
        return x + step
    return more

three = make(3)
values, begin, go_on = np.array([32], np.uint64), threading.Event(), threading.Event()

def hold():
    begin.set()
    go_on.wait()

compile_beside(hold)  # nothing is compiled meanwhile
begin.wait()
with interpret_first():
    found = [both(values, 0), three(4), type(wrapped(0)).__name__]
early = is_compiled(both) or is_compiled(three)
go_on.set()
while not (is_compiled(both) and is_compiled(three)):
    time.sleep(0.02)
with interpret_first():
    late = [both(values, 0), three(4), type(wrapped(0)).__name__]
print(json.dumps([found, late, early]))
"""

GAME = """
import json, random, sys
from numba.core.dispatcher import Dispatcher
from hansu.games.game import game
from hansu.kernel import tiers

def compile(*_):
    raise AssertionError("compiled")

Dispatcher.compile, tiers.compile_beside = compile, lambda job: None
from tests.kernel.test_tiers import told
with tiers.interpret_first():
    print(json.dumps([told(name) for name in sys.argv[1:]]))
"""


def told(name):
    """What a page is told of a game, whose moves are always the same."""
    state, moves = game(name).start(), []
    while state.outcome() is None and len(moves) < 40:
        legal = list(state.legal_moves)
        text = state.move_text(legal[len(moves) * 7 % len(legal)])
        move = state.parse_move(text)
        moves.append([state.move_name(move), len(legal), state.warning(), state.tally()])
        state.push(move)
    return json.loads(json.dumps([moves, state.text(), str(state.outcome()), state.key]))


def answer(tmp_path, code, *arguments):
    environment = {**os.environ, "HANSU_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_kernel_is_interpreted_until_it_is_compiled(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(KERNELS)
    found, late, early = answer(tmp_path, f"import runpy; runpy.run_path({str(file)!r})")
    assert not early
    assert found == late == [[0, 5], 7, "int"]


def test_games_are_the_same_interpreted_and_compiled(tmp_path):
    names = [*GAMES, "go:size=13,komi=6.5"]
    assert answer(tmp_path, GAME, *names) == [told(name) for name in names]
    assert not list(tmp_path.glob("*.nbc"))
