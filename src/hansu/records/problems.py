"""What a reader leaves out of a file, said with its line; every format does it in this way.

Files of others are read as far as they make sense. A reader raises ``RecordError`` only when it
finds no game at all; whatever else it does not understand goes to the list that its caller hands
in, or, without one, becomes a warning.
"""

import math
import warnings
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from hansu.errors import HansuError, RecordError, RecordWarning
from hansu.records.reading import MAX_GAME, Part
from hansu.records.record import GameRecord

MAX_PROBLEMS = 1000  # of one file that are told one by one
MAX_WHAT = 300  # letters of one of them

Problems = list[RecordError] | None
"""Where a reader puts what it left out; None: it warns instead."""

T = TypeVar("T")


class Problem(RecordError):
    """Something that a file says and its records do not, with its place in the file."""

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
        """The same, with the file's name.

        >>> print(Problem("move 7: no", 3, 2).in_file("a.txt"))
        a.txt: line 3, game 2, move 7: no
        """
        return Problem(self.what, self.line, self.game, file)


class Most(NamedTuple):
    """How much of a file is read, for a caller who must not be kept busy."""

    games: float = math.inf
    turns: float = math.inf  # of all games together


EVERYTHING = Most()

Report = Callable[..., None]
"""``report(what, line=None)``: something of the game at hand is left out."""


class Findings:
    """The problems of one file while it is read; a hostile one cannot fill the memory."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.more = 0

    def add(self, what: str, line: int | None = None, game: int | None = None) -> None:
        """One more problem."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(what, line, game))
        else:
            self.more += 1

    def why_nothing(self) -> RecordError:
        """The error to raise when no game could be read."""
        if not self.problems:
            return RecordError("there are no games in it")
        first, others = self.problems[0], len(self.problems) + self.more - 1
        more = f" (and {others} more problems)" if others else ""
        return Problem(f"{first.what}{more}", first.line, first.game)

    def all(self) -> list[RecordError]:
        """The problems, and how many more there are."""
        more = [Problem(f"and {self.more} more problems")] if self.more else []
        return [*self.problems, *more]


def tell(found: list[RecordError], problems: Problems) -> None:
    """Hand over what was left out, or warn of it."""
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
    """Read every game of a file and tell what was left out; raises when there is none."""
    found = findings or Findings()
    games: list[GameRecord] = []
    turns, unread = 0, list[RecordError]()
    for number, part in enumerate(parts, 1):
        if number > most.games or turns >= most.turns:
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
            turns += len(games[-1].turns)
        except Problem as problem:
            report(problem.what, problem.line)
        except HansuError as error:
            report(str(error))
    if not games:
        raise found.why_nothing()
    tell([*unread, *found.all()], problems)
    return games


def shown(problems: list[RecordError], most: int = 5) -> list[str]:
    """One line for each of the first problems, then how many more there are.

    >>> shown([Problem("no", line) for line in range(1, 8)], 2)
    ['line 1: no', 'line 2: no', 'and 5 more']
    """
    lines = [str(problem) for problem in problems[:most]]
    return lines + ([f"and {len(problems) - most} more"] if len(problems) > most else [])
