"""Problems of a file that is read in part, each with its line; shared by all formats.

Foreign files are read as far as they make sense. A reader raises ``RecordError`` only when it finds
no game at all; every other problem goes to the caller's list, or, without one, becomes a warning.
"""

import math
import time
import warnings
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from hansu.errors import HansuError, RecordError, RecordWarning
from hansu.records.reading import MAX_GAME, Part
from hansu.records.record import GameRecord

MAX_PROBLEMS = 1000  # of one file that are listed one by one
MAX_WHAT = 300  # letters of one of them

Problems = list[RecordError] | None
"""Where a reader puts problems; None: it warns instead."""

T = TypeVar("T")


class Problem(RecordError):
    """A part of a file that is left out, with its place in the file."""

    def __init__(
        self, what: str, line: int | None = None, game: int | None = None, file: str = ""
    ) -> None:
        self.what = what if len(what) <= MAX_WHAT else f"{what[: MAX_WHAT - 3]}..."
        self.line = line
        self.game = game
        self.file = file
        places = [f"line {line}" if line else "", f"game {game}" if game else ""]
        place = ", ".join(filter(None, places))
        link = ", " if what.startswith("move ") else ": "
        super().__init__(f"{file and file + ': '}{place and place + link}{self.what}")

    def in_file(self, file: str) -> "Problem":
        """Return the same, with the file's name.

        >>> print(Problem("move 7: no", 3, 2).in_file("a.txt"))
        a.txt: line 3, game 2, move 7: no
        """
        return Problem(self.what, self.line, self.game, file)


class Most(NamedTuple):
    """How much of a file is read, for a caller with little time."""

    games: float = math.inf
    turns: float = math.inf  # of all games together
    seconds: float = math.inf  # of this thread's own time, whatever comes of it


EVERYTHING = Most()

Report = Callable[..., None]
"""``report(what, line=None)``: a part of the current game is left out."""


class Findings:
    """The problems of one file; bounded, whatever the file holds."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.more = 0

    def add(self, what: str, line: int | None = None, game: int | None = None) -> None:
        """Add a problem."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(what, line, game))
        else:
            self.more += 1

    def no_game_error(self) -> RecordError:
        """Return the error to raise when no game could be read."""
        if not self.problems:
            return RecordError("there are no games in it")
        first, others = self.problems[0], len(self.problems) + self.more - 1
        more = f" (and {others} more problems)" if others else ""
        return Problem(f"{first.what}{more}", first.line, first.game)

    def all(self) -> list[RecordError]:
        """Return the problems, and how many more there are."""
        more = [Problem(f"and {self.more} more problems")] if self.more else []
        return [*self.problems, *more]


def tell(found: list[RecordError], problems: Problems) -> None:
    """Add problems to the caller's list, or warn of them."""
    if problems is not None:
        problems += found
        return
    for line in shown(found):
        warnings.warn(line, RecordWarning, stacklevel=3)


def read_each(
    parts: Iterable[Part[T]],
    read: Callable[[T, Report], GameRecord],
    problems: Problems,
    findings: Findings | None = None,
    most: Most = EVERYTHING,
) -> list[GameRecord]:
    """Read every game of a file and report problems; raises RecordError without a game."""
    found = findings or Findings()
    games: list[GameRecord] = []
    turns, unread = 0, list[RecordError]()
    until = time.thread_time() + most.seconds
    for number, part in enumerate(parts, 1):
        is_late = number > 1 and time.thread_time() > until
        if number > most.games or turns >= most.turns or is_late:
            unread = [
                Problem(f"only the {number - 1:,} games before it are read", part.line, number)
            ]
            break

        def report(
            what: str, line: int | None = None, part: Part[T] = part, number: int = number
        ) -> None:
            found.add(what, line or part.line, number)

        try:
            if isinstance(part.content, str | bytes) and len(part.content) > MAX_GAME:
                raise RecordError(f"one game is longer than {MAX_GAME // 2**20} MiB")
            games.append(read(part.content, report))
            turns += len(games[-1].turns) + len(games[-1].branches)
        except Problem as problem:
            report(problem.what, problem.line)
        except HansuError as error:
            report(str(error))
    if not games:
        raise found.no_game_error()
    tell([*unread, *found.all()], problems)
    return games


def shown(problems: list[RecordError], most: int = 5) -> list[str]:
    """Return one line for each of the first problems, then how many more there are.

    >>> shown([Problem("no", line) for line in range(1, 8)], 2)
    ['line 1: no', 'line 2: no', 'and 5 more']
    """
    lines = [str(problem) for problem in problems[:most]]
    return lines + ([f"and {len(problems) - most} more"] if len(problems) > most else [])
