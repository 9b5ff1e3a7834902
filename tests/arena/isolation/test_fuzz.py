"""An agent that does anything at random, by a seed: no escape, no crash, nothing left behind."""

import os
import random
import time
from collections import Counter

import pytest

import hansu
from hansu.arena.isolation.limits import MIB, SandboxLimits
from hansu.arena.player import Fault, LocalPlayer
from hansu.arena.referee import play
from hansu.records.record import TimeControl

SECONDS = float(os.environ.get("HANSU_FUZZ_SECONDS", "180"))
SEED = int(os.environ.get("HANSU_FUZZ_SEED", "1"))
PLAYED = ("line", "board_full")
REASONS = {"crash", "disqualified", "timeout", "illegal_move", *PLAYED}
LIMITS = SandboxLimits(memory_bytes=1024 * MIB, start_seconds=10.0)


def fuzz(make_hostile, good, seed, way, seconds):
    """One game of the fuzzing agent; why it ended."""
    hostile = make_hostile(f"fuzz:seed={seed},way={way},seconds={seconds}", limits=LIMITS)
    game = hansu.game("tictactoe")
    try:
        record = play(game.start(), hostile, good, TimeControl(seconds=8.0), seed=seed)
    finally:
        hostile.close()
    assert record.outcome.reason in REASONS, record.evidence
    assert record.evidence.isprintable()
    return record.outcome.reason


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("way", ["calls", "harmless", "descriptors"])
def test_a_little_of_anything(good, make_hostile, way):
    fuzz(make_hostile, good, SEED, way, 0.3)


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_left")
def test_a_lot_of_anything(good, make_hostile, outside):
    """``HANSU_FUZZ_SECONDS`` says for how long, ``HANSU_FUZZ_SEED`` where to begin."""
    canary = outside / "canary"
    canary.write_text("sings")
    canary.chmod(0o666)
    draw = random.Random(SEED)
    ends: Counter[str] = Counter()
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        seed, way = draw.getrandbits(32), draw.choice(["calls", "harmless", "descriptors"])
        try:
            ends[f"{way}: {fuzz(make_hostile, good, seed, way, 1.0)}"] += 1
        except Fault as fault:  # the arena's own opponent must never be the one
            pytest.fail(f"seed {seed}, {way}: {fault}")
        assert [path.name for path in outside.iterdir()] == ["canary"]
        assert canary.read_text() == "sings"
    game = hansu.game("tictactoe")
    record = play(game.start(), good, LocalPlayer(hansu.agent(game, "random")))
    assert record.outcome.reason in PLAYED
    print(dict(ends))
