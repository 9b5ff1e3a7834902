"""What the tests of engines share: fake ones, real ones, and who is still alive."""

import os
import sys
import time
from pathlib import Path

import pytest

from hansu.protocols.program import PACKAGES, MissingProgram, find_program

FAKE = Path(__file__).with_name("fake_engine.py")
MATE = "k3/4/1K2/4/3R w - - 0 1"  # d1d5


def fake(protocol: str, habit: str, *rest: str) -> str:
    """An agent that is a fake engine."""
    words = " ".join(f"'{word}'" for word in (habit, *rest))
    return f"{protocol}:{sys.executable} {FAKE} {protocol} {words};move_time=0.1"


def needs(program: str) -> pytest.MarkDecorator:
    """Skip a test where an engine is not installed."""
    try:
        find_program(program)
    except MissingProgram as error:
        return pytest.mark.skipif(True, reason=str(error))
    assert program in PACKAGES
    return pytest.mark.skipif(False, reason="")


def processes(marker: str) -> list[int]:
    """The running processes that have a text in their command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if marker.encode() in words and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


def none_left(marker: str) -> bool:
    """Whether all processes with a marker end within some seconds."""
    deadline = time.monotonic() + 60
    while processes(marker) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not processes(marker)


linux_only = pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="looks into /proc")
