"""What is kept of a game: enough to play it again, and from which every table is counted."""

import math
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from hansu.errors import RecordError
from hansu.games.game import BLACK, WHITE
from hansu.games.state import Outcome

FORMAT = 1  # the version of the JSON form; a reader refuses a later one

T = TypeVar("T")


@dataclass(frozen=True)
class TimeControl:
    """How much time there is. None means no limit."""

    seconds: float | None = 400.0  # a player, for the whole game
    move_seconds: float | None = None  # for each move
    increment: float = 0.0  # added after each move

    def full(self) -> "Remaining":
        """The clocks at the start of a game."""
        return {WHITE: self.seconds, BLACK: self.seconds}

    def left_after(self, left: float | None, used: float) -> float | None:
        """What is left of a player's seconds after a move.

        >>> TimeControl(increment=2.0).left_after(10.0, 3.0)
        9.0
        """
        return None if left is None else max(0.0, left - used) + self.increment


Remaining = dict[bool, float | None]
"""The seconds left to each colour; None without a limit."""

UNTIMED = TimeControl(seconds=None)


@dataclass(frozen=True)
class Turn:
    """One move, as it was played."""

    move: str  # in the game's notation, or "resign"
    seconds: float = 0.0
    value: float | None = None  # the share the mover expected, 0 (lost) to 1 (won), if it said so


@dataclass
class GameRecord:
    """One finished game. ``first`` is the player who has the game's first colour."""

    game: str
    first: str
    second: str
    start: str
    first_color: bool
    seed: int
    turns: list[Turn] = field(default_factory=list)
    outcome: Outcome = field(default_factory=lambda: Outcome(None, "unfinished"))
    evidence: str = ""  # why somebody was disqualified
    final: str = ""  # the last position
    control: TimeControl = TimeControl()

    @property
    def moves(self) -> list[str]:
        """The moves in the game's notation."""
        return [turn.move for turn in self.turns]

    @property
    def score_first(self) -> float:
        """1, a half or 0 for the player with the first colour."""
        if self.outcome.winner is None:
            return 0.5
        return float(self.outcome.winner == self.first_color)

    @property
    def winner(self) -> str | None:
        """The name of the winner."""
        return {1.0: self.first, 0.0: self.second}.get(self.score_first)

    def player(self, color: bool) -> str:
        """The name of the player who has a colour."""
        return self.first if color == self.first_color else self.second

    def as_json(self) -> dict[str, Any]:
        """The record as JSON holds it."""
        return {
            "format": FORMAT,
            "game": self.game,
            "first": self.first,
            "second": self.second,
            "first_color": self.first_color,
            "start": self.start,
            "seed": self.seed,
            "control": asdict(self.control),
            "turns": [_turn_json(turn) for turn in self.turns],
            "outcome": asdict(self.outcome),
            "evidence": self.evidence,
            "final": self.final,
        }

    @classmethod
    def from_json(cls, data: Any) -> "GameRecord":
        """The record that JSON holds; the moves are not checked. Raises RecordError."""
        if _take(data, "format", int) > FORMAT:
            raise RecordError(
                f"the record is of format {data['format']}, which is newer than this program"
            )
        control, outcome = (_take(data, name, dict) for name in ("control", "outcome"))
        return cls(
            game=_take(data, "game", str),
            first=_take(data, "first", str),
            second=_take(data, "second", str),
            start=_take(data, "start", str),
            first_color=_take(data, "first_color", bool),
            seed=_take(data, "seed", int),
            turns=[_read_turn(turn) for turn in _take(data, "turns", list)],
            outcome=Outcome(
                _take_or_none(outcome, "winner", bool),
                _take(outcome, "reason", str),
                _take_or_none(outcome, "margin", float),
            ),
            evidence=_take(data, "evidence", str),
            final=_take(data, "final", str),
            control=TimeControl(
                _take_or_none(control, "seconds", float),
                _take_or_none(control, "move_seconds", float),
                _take(control, "increment", float),
            ),
        )


def _turn_json(turn: Turn) -> list[Any]:
    shown = [turn.move, turn.seconds]
    return shown if turn.value is None else [*shown, turn.value]


def _read_turn(data: Any) -> Turn:
    if not isinstance(data, list) or len(data) not in (2, 3):
        raise RecordError(f"a turn is [move, seconds], not {str(data)[:40]}")
    named = dict(zip(("move", "seconds", "value"), data, strict=False))
    value = _take_or_none(named, "value", float) if len(data) == 3 else None
    return Turn(_take(named, "move", str), _take(named, "seconds", float), value)


def _take(data: Any, name: str, kind: type[T]) -> T:
    """A field of a JSON object, which must be there and of its kind."""
    if not isinstance(data, dict) or name not in data:
        raise RecordError(f"the record has no {name!r}")
    value = data[name]
    if kind is float and type(value) is int and abs(value) < 2**53:
        value = float(value)
    if type(value) is not kind or (isinstance(value, float) and not math.isfinite(value)):
        raise RecordError(f"{name!r} of a record is a {kind.__name__}, not {str(value)[:40]!r}")
    return value


def _take_or_none(data: Any, name: str, kind: type[T]) -> T | None:
    return None if isinstance(data, dict) and data.get(name, 0) is None else _take(data, name, kind)
