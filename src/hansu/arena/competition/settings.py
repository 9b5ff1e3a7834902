"""``competition.toml``: everything that an organiser decides, as one value."""

import difflib
import functools
import re
import unicodedata
from dataclasses import MISSING, dataclass, field, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from hansu.agents.loading import reference
from hansu.agents.registry import named_agent
from hansu.arena.isolation.limits import MIB, SandboxLimits
from hansu.arena.openings import VARIETY, Openings
from hansu.arena.tournament.plan import Format
from hansu.errors import HansuError, OptionError, why
from hansu.games.game import Game, game
from hansu.options import Count, make_options
from hansu.records.record import TimeControl
from hansu.statistics.stats import Tally
from hansu.toml_text import parse_toml

FILE = "competition.toml"
LONGEST_NAME = 40
_NAME = re.compile(r"[^\W_][\w.-]*")
_TITLE = re.compile(r"[^\W_][\w .-]{0,40}")


@dataclass(frozen=True)
class Time:
    """The time control of every game."""

    seconds: float = 60.0
    increment: float = 0.0
    move_seconds: float | None = None


@dataclass(frozen=True)
class Rules:
    """Who may submit what, and how often."""

    per_day: Count = 10  # in any 24 hours
    names: tuple[str, ...] = ()  # empty: any name
    requirements: tuple[str, ...] = ("numpy",)
    max_kib: Count = 1024
    anonymous: bool = False


@dataclass(frozen=True)
class Limits:
    """What an agent may use; the rest is as in every match."""

    memory_mib: Count = 2048
    threads: Count = 4
    start_seconds: float = 30.0


@dataclass(frozen=True)
class Rating:
    """When two neighbours of the table are told apart."""

    precision: float = 30.0  # Elo: closer than this they count as equal


@dataclass(frozen=True)
class Final:
    """What is played at a deadline."""

    format: Format = "round-robin"
    rounds: Count = 1
    points: tuple[float, ...] = (1.0, 0.5, 0.0)

    def score(self, tally: Tally, byes: int = 0) -> float:
        """Return the points of some games; a bye is a won encounter.

        >>> Final(points=(3.0, 1.0, 0.0)).score(Tally(2, 1, 4))
        7.0
        """
        win, draw, loss = self.points
        return win * (tally.wins + 2 * byes) + draw * tally.draws + loss * tally.losses


@dataclass(frozen=True)
class Marks:
    """A mark for each participant, from the last final."""

    rule: str = "rank"  # rank, points or staff
    most: float = 100.0
    least: float = 0.0


@dataclass(frozen=True)
class Deadline:
    """A moment at which the versions received so far play a final."""

    name: str
    at: datetime


@dataclass(frozen=True)
class Staff:
    """An opponent that the organiser provides."""

    name: str
    agent: str


@dataclass(frozen=True)
class Competition:
    """All of ``competition.toml``."""

    title: str
    game: str
    openings: str | None = VARIETY
    time: Time = field(default_factory=Time)
    submissions: Rules = field(default_factory=Rules)
    limits: Limits = field(default_factory=Limits)
    rating: Rating = field(default_factory=Rating)
    final: Final = field(default_factory=Final)
    marks: Marks = field(default_factory=Marks)
    deadlines: tuple[Deadline, ...] = ()
    staff: tuple[Staff, ...] = ()
    folder: Path = field(default=Path(), compare=False)

    @functools.cached_property
    def board(self) -> Game:
        """The game itself."""
        return game(self.game)

    @property
    def openings_source(self) -> str | None:
        """The openings; a file is named from the competition's folder."""
        if self.openings is None or self.openings.startswith("random:"):
            return self.openings
        return str(self.folder / self.openings)

    @property
    def control(self) -> TimeControl:
        """The clock of every game."""
        return TimeControl(self.time.seconds, self.time.move_seconds, self.time.increment)

    @property
    def sandbox(self) -> SandboxLimits:
        """What an agent may use."""
        limits = self.limits
        return SandboxLimits(
            memory_bytes=limits.memory_mib * MIB,
            threads=limits.threads,
            start_seconds=limits.start_seconds,
        )

    @property
    def closes(self) -> datetime | None:
        """The moment after which nothing is accepted; None: never."""
        return self.deadlines[-1].at if self.deadlines else None


_TABLES = {
    "time": Time,
    "submissions": Rules,
    "limits": Limits,
    "rating": Rating,
    "final": Final,
    "marks": Marks,
}
_LISTS = {"deadline": (Deadline, "deadlines"), "staff": (Staff, "staff")}
_TEXTS = ("title", "game", "openings")


def read_competition(folder: Path) -> Competition:
    """Return what ``competition.toml`` in a folder says.

    Raises:
        HansuError: It is missing or wrong; the message names the line.
    """
    file = folder / FILE
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise HansuError(
            f"there is no {FILE} in {folder}: hansu new competition {folder} writes one"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise HansuError(f"cannot read {file}: {why(error)}") from None
    return parse_competition(text, str(file), folder)


def parse_competition(text: str, source: str = FILE, folder: Path = Path()) -> Competition:
    """Return what the text of a ``competition.toml`` says; raises HansuError."""
    try:
        facts = parse_toml(text)
    except ValueError as error:
        raise HansuError(f"{source}: {error}") from None
    found = _Reader(text, source)
    values: dict[str, Any] = {"folder": folder}
    found.check_names("", facts, [*_TEXTS, *_TABLES, *_LISTS])
    for name in ("title", "game"):
        if name not in facts:
            raise HansuError(f'{source}: {name} is missing: add a line such as {name} = "..."')
    for name in _TEXTS:
        if name in facts:
            values[name] = found.text("", name, facts[name])
    for name, kind in _TABLES.items():
        values[name] = found.table(name, kind, facts.get(name, {}))
    for name, (kind, into) in _LISTS.items():
        rows = facts.get(name, [])
        if not isinstance(rows, list):
            found.complain("", name, f"begin each with [[{name}]]")
        values[into] = tuple(found.table(name, kind, row) for row in rows)
    return _checked(Competition(**values), found)


class _Reader:
    """Turns tables of TOML into dataclasses; an error names the line of the field."""

    def __init__(self, text: str, source: str) -> None:
        self.lines, self.source = text.splitlines(), source

    def complain(self, table: str, name: str, what: str) -> Any:
        line = self._line(table, name)
        where = f", line {line}" if line else ""
        raise HansuError(f"{self.source}{where}: {f'{table}.' if table else ''}{name}: {what}")

    def _line(self, table: str, name: str) -> int | None:
        """Return where a field is given: the first line of that name below its table."""
        inside = table == ""
        for number, line in enumerate(self.lines, 1):
            if head := re.match(r"\s*\[{1,2}\s*([\w.-]+)\s*\]", line):
                inside = head[1] == table or (table == "" and head[1] == name)
            if inside and re.match(rf'\s*(\[+\s*)?["\']?{re.escape(name)}\b', line):
                return number
        return None

    def check_names(self, table: str, given: Any, known: list[str]) -> None:
        for name in given:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                meant = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
                self.complain(table, name, f"there is no such setting; {meant}")

    def text(self, table: str, name: str, value: Any) -> str:
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            self.complain(table, name, f"{value!r} is not a text of one line")
        return str(value)

    def table(self, name: str, kind: type[Any], given: Any) -> Any:
        if not isinstance(given, dict):
            self.complain("", name, f"a table is expected: [{name}]")
        self.check_names(name, given, [each.name for each in fields(kind)])
        for each in fields(kind):
            if each.default is MISSING and each.name not in given:
                self.complain("", name, f"{each.name} is missing in one of them")
        values = {}
        for key, value in given.items():
            values[key] = self._value(name, key, kind, value)
        return kind(**values)

    def _value(self, table: str, key: str, kind: type[Any], value: Any) -> Any:
        wanted = kind.__annotations__[key]
        if wanted is datetime:
            if not isinstance(value, datetime):
                self.complain(table, key, "a date and time is expected: 2026-12-01T18:00:00+09:00")
            return value.astimezone()  # without an offset it is this machine's time
        if getattr(wanted, "__origin__", None) is tuple:
            return self._list(table, key, wanted.__args__[0], value)
        if wanted is str:
            return self.text(table, key, value)
        try:
            if isinstance(value, str) and wanted is not Format:
                raise OptionError(f": {value!r} is a text, a number or true or false is expected")
            return getattr(make_options(kind, table, {key: value}), key)
        except (OptionError, TypeError) as error:
            return self.complain(table, key, str(error).partition(": ")[2] or str(error))

    def _list(self, table: str, key: str, kind: type[Any], value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            self.complain(table, key, f"a list is expected: {key} = [...]")
        for each in value:
            numeric = isinstance(each, int | float) and not isinstance(each, bool)
            if (kind is float and not numeric) or (kind is str and not isinstance(each, str)):
                self.complain(table, key, f"{each!r} does not belong into this list")
        return tuple(kind(each) for each in value)


def _checked(found: Competition, reader: _Reader) -> Competition:
    """Raise HansuError for values that are well written but make no sense."""
    try:
        Openings(found.board, found.openings_source, 0)[0].copy()
    except HansuError as error:
        reader.complain("", "openings" if "opening" in str(error) else "game", str(error))
    try:
        control = found.control
    except HansuError as error:
        reader.complain("", "time", str(error))
    if control.seconds == 0 or control.move_seconds == 0:
        reader.complain("", "time", "a clock of 0 seconds has run out before the first move")
    if found.rating.precision <= 0:
        reader.complain("rating", "precision", "more than 0 Elo is expected")
    if found.limits.start_seconds <= 0:
        reader.complain("limits", "start_seconds", "more than 0 seconds are expected")
    if len(found.final.points) != 3 or sorted(found.final.points, reverse=True) != list(
        found.final.points
    ):
        reader.complain("final", "points", "three falling numbers are expected: [1, 0.5, 0]")
    if found.marks.rule not in ("rank", "points", "staff"):
        reader.complain("marks", "rule", "one of rank, points, staff is expected")
    for deadline in found.deadlines:
        if not _TITLE.fullmatch(deadline.name) or deadline.name == "rating":
            reader.complain("deadline", "name", "letters, digits and blanks, but not rating")
    times = [deadline.at for deadline in found.deadlines]
    titles = [deadline.name for deadline in found.deadlines]
    if times != sorted(set(times)) or len(set(titles)) != len(titles):
        reader.complain("deadline", "at", "deadlines are in order, each with a name of its own")
    _check_staff(found, reader)
    for name in found.submissions.names:
        try:
            check_name(name)
        except HansuError as error:
            reader.complain("submissions", "names", str(error))
    return found


def _check_staff(found: Competition, reader: _Reader) -> None:
    names = [check_name(staff.name).casefold() for staff in found.staff]
    names += [name.casefold() for name in found.submissions.names]
    if len(set(names)) != len(names):
        reader.complain("staff", "name", "every name stands for one participant")
    for staff in found.staff:
        try:
            if reference(staff.agent) is None:
                named_agent(staff.agent, found.board)
        except HansuError as error:
            reader.complain("staff", "agent", str(error))
    if found.final.format == "gauntlet" and not found.staff:
        reader.complain("final", "format", "a gauntlet is played against staff, and there is none")


def check_name(name: str) -> str:
    """Return a participant's name if it is one; raises HansuError.

    Letters of any script, digits, dots, dashes and underscores: nothing that steers a terminal,
    breaks a table or names another folder.

    >>> check_name("김하나"), check_name("team-7")
    ('김하나', 'team-7')
    """
    plain = unicodedata.normalize("NFC", name)
    if plain != name or len(name) > LONGEST_NAME or not _NAME.fullmatch(name):
        shown = ascii(name[: LONGEST_NAME + 1])
        raise HansuError(
            f"{shown} is no name: up to {LONGEST_NAME} letters, digits, dots, dashes and "
            "underscores are expected, a letter or digit first"
        )
    return name
