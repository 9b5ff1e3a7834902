"""Engine programs: find them, start them, and make sure that they end."""

import atexit
import os
import shlex
import shutil
import sys
import weakref
from collections import deque
from pathlib import Path
from typing import Any

from hansu.errors import HansuError

PLACES = ("/usr/games", "/usr/local/games")  # where Debian puts engines, often not on the PATH
WATCHDOG = Path(__file__).with_name("watchdog.py")
START_SECONDS = 60.0  # that an engine has to start and to answer anything but "your move"
POLITENESS = 2.0  # seconds that an engine has to end by itself
RUNNING: "weakref.WeakSet[Any]" = weakref.WeakSet()  # engines, which end with this process

PACKAGES = {
    "stockfish": "stockfish",
    "fairy-stockfish": "fairy-stockfish",
    "gnugo": "gnugo",
    "gtp-rhino": "grhino",
}
"""Program -> the package of Debian and Ubuntu that has it."""


@atexit.register
def _end_all() -> None:
    for engine in list(RUNNING):
        engine.close(politely=False)


class MissingProgram(HansuError):
    """An engine that is not installed; the message says how to get it."""


class EngineFailure(HansuError):
    """An engine that died, fell silent or does not speak its protocol."""


def find_program(name: str) -> str:
    """Return the file of a program, on the PATH or where Debian puts games.

    >>> find_program("no-such-engine")
    Traceback (most recent call last):
    ...
    hansu.protocols.program.MissingProgram: there is no program no-such-engine: ...
    """
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *PLACES])
    found = shutil.which(name, path=path)
    if found is None and name in PACKAGES:
        raise MissingProgram(
            f"{name} is not installed; on Debian and Ubuntu: sudo apt install {PACKAGES[name]}"
        )
    if found is None:
        raise MissingProgram(
            f"there is no program {name}: give its path, or put it on the PATH or in {PLACES[0]}"
        )
    return found


def split_command(text: str) -> list[str]:
    """Split a command as a shell does; quote names with blanks.

    >>> split_command('"/opt/my engine" --threads 2')
    ['/opt/my engine', '--threads', '2']
    """
    try:
        parts = shlex.split(text, posix=os.name != "nt")
    except ValueError as error:
        raise HansuError(f"the command {text!r} cannot be read: {error}") from None
    if not parts:
        raise HansuError("a command is expected after uci: or gtp:, such as uci:/path/to/engine")
    return parts if os.name != "nt" else [part.strip('"') for part in parts]


def under_watchdog(command: list[str]) -> list[str]:
    """Return the command that runs an engine so that it never outlives this process."""
    if os.name == "nt":  # no process groups there: a well-behaved engine ends with its input
        return command
    return [sys.executable, "-I", "-S", str(WATCHDOG), str(os.getpid()), *command]


class LastWords:
    """The last lines that an engine wrote to its standard error."""

    LINES, LENGTH = 20, 500

    def __init__(self) -> None:
        self.lines: deque[str] = deque(maxlen=self.LINES)

    def add(self, line: str) -> None:
        """Keep a line, cut to a sensible length."""
        if line.strip():
            self.lines.append(line.strip()[: self.LENGTH])

    def __str__(self) -> str:
        """They follow a sentence about what went wrong."""
        return f"; its last words: {' | '.join(list(self.lines)[-5:])}" if self.lines else ""
