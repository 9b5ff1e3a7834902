"""The record of a game: enough to replay it; all statistics are counted from records."""

import functools
import json
import math
import re
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import hansu
from hansu.errors import OptionError, RecordError
from hansu.games.game import BLACK, COLOR_NAMES, WHITE
from hansu.games.state import RESIGN, Outcome, State, Timing
from hansu.records.provenance import Provenance

FORMAT = 1  # of the JSON; raised when an older reader could misunderstand what is written
MAX_BRANCHES = 50_000  # moves in variations of one game
MAX_COMMENT = 20_000  # letters of one comment
RESIGNED = "resign"  # the move of a turn in which a player resigned
FAULTS = ("crash", "timeout", "disqualified", "illegal_move")  # an agent's, not the game's

_NO_RECORD = "this is no game record, a line of JSON as hansu writes it"


@dataclass(frozen=True)
class TimeControl:
    """The time control of a game. None means no limit."""

    seconds: float | None = 400.0  # per player per game
    move_seconds: float | None = None  # for each move
    increment: float = 0.0  # added after each move

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is None and name != "increment":
                continue
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise OptionError(f"{name}: {value!r} is not a number")
            if not 0 <= value < math.inf:
                raise OptionError(f"{name}: {value} is no length of time in seconds")

    def full(self) -> "Remaining":
        """Return the clocks at the start of a game."""
        return {WHITE: self.seconds, BLACK: self.seconds}

    def left_after(self, left: float | None, used: float) -> float | None:
        """Return what is left of a player's seconds after a move.

        >>> TimeControl(increment=2.0).left_after(10.0, 3.0)
        9.0
        """
        return None if left is None else max(0.0, left - used) + self.increment

    def show_on(self, state: State, left: "Remaining") -> None:
        """Set the clocks and the limits of a state."""
        white, black = left[WHITE], left[BLACK]
        state.white_remain_sec = math.inf if white is None else white
        state.black_remain_sec = math.inf if black is None else black
        state.timing = self._timing

    @functools.cached_property
    def _timing(self) -> Timing:
        limit = math.inf if self.move_seconds is None else self.move_seconds
        return Timing(self.increment, limit)


Remaining = dict[bool, float | None]
"""The seconds left to each colour; None without a limit."""

UNTIMED = TimeControl(seconds=None)


def written(state: State, move: Any) -> str:
    """Return a move, or RESIGN, as a record has it."""
    return RESIGNED if move is RESIGN else state.move_text(move)


class Turn(NamedTuple):
    """One move, as it was played."""

    move: str  # in the game's notation, or RESIGNED
    seconds: float = 0.0
    value: float | None = None  # the mover's win probability, 0 to 1, if it gave one
    depth: int | None = None  # plies of the mover's search, if it gave them
    nodes: int | None = None  # positions or simulations of that search
    cpu: float | None = None  # seconds of CPU time beside those of the clock, where known


class Branch(NamedTuple):
    """A move of a variation."""

    parent: int  # the position that it is played from, see ``GameRecord.branches``
    move: str


def tidy_comment(text: str) -> str:
    """Return a comment as every format can hold it: plain line ends, no blanks around it.

    >>> tidy_comment(" good\\r\\nmove ")
    'good\\nmove'
    """
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")
    return plain.encode(errors="replace").decode().strip()[:MAX_COMMENT].rstrip()


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
    evidence: str = ""  # for a disqualification, or the stones agreed to be dead
    final: str = ""  # the last position
    control: TimeControl = TimeControl()
    isolation: tuple[str, str] | None = None  # how both players ran, if it is known
    # Positions have numbers: 0 is the start, n the position after n turns, and beyond the turns
    # the branches are counted on.
    branches: list[Branch] = field(default_factory=list)  # variations; jsonl, sgf and pgn hold them
    comments: dict[int, str] = field(default_factory=dict)  # on positions
    provenance: Provenance | None = field(default=None, compare=False)  # JSON alone holds it

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

    @property
    def variations(self) -> int:
        """How many lines there are beside the game: as many as branches that end one."""
        beyond = len(self.turns) + 1
        ends = set(range(beyond, beyond + len(self.branches)))
        return len(ends - {branch.parent for branch in self.branches})

    def player(self, color: bool) -> str:
        """Return the name of the player who has a colour."""
        return self.first if color == self.first_color else self.second

    def as_json(self) -> str:
        """Return the record as one line of JSON, as files of games and databases hold it.

        >>> record = GameRecord("tictactoe", "a", "b", ".........", True, 1, [Turn("b2", 0.5)])
        >>> GameRecord.from_json(record.as_json()) == record
        True
        """
        facts = {
            "format": FORMAT,
            "hansu": hansu.__version__,
            "game": self.game,
            "first": self.first,
            "second": self.second,
            "first_color": COLOR_NAMES[self.first_color],
            "start": self.start,
            "seed": self.seed,
            "isolation": self.isolation,
            "control": asdict(self.control),
            "moves": self.moves,
            "seconds": [turn.seconds for turn in self.turns],
            "values": [turn.value for turn in self.turns],
            "depths": [turn.depth for turn in self.turns],
            "nodes": [turn.nodes for turn in self.turns],
            "cpu": [turn.cpu for turn in self.turns],
            "winner": COLOR_NAMES[self.outcome.winner],
            "reason": self.outcome.reason,
            "margin": self.outcome.margin,
            "evidence": self.evidence,
            "final": self.final,
        }
        if self.branches:
            facts["variations"] = self.branches
        if self.comments:
            facts["comments"] = self.comments
        if self.provenance is not None:
            facts["provenance"] = vars(self.provenance)
        return json.dumps(facts, ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> "GameRecord":
        """Return the record that ``as_json`` wrote, moves unchecked; raises RecordError."""
        try:
            facts = json.loads(line)
            if facts["format"] > FORMAT:
                raise RecordError(
                    f"this record has format {facts['format']}, this hansu reads up to {FORMAT}: "
                    "a newer hansu is needed"
                )
            control, turns = facts["control"], _turns(facts)
            branches = _branches(facts.get("variations", []), len(turns))
            return cls(
                game=_text(facts, "game"),
                first=_text(facts, "first"),
                second=_text(facts, "second"),
                start=_text(facts, "start"),
                first_color=_color(facts["first_color"]) is True,
                seed=int(facts["seed"]),
                turns=turns,
                outcome=Outcome(
                    _color(facts["winner"]), _text(facts, "reason"), _or_none(facts["margin"])
                ),
                evidence=_text(facts, "evidence"),
                final=_text(facts, "final"),
                control=TimeControl(
                    _or_none(control["seconds"]),
                    _or_none(control["move_seconds"]),
                    _number(control["increment"]),
                ),
                isolation=_two_texts(facts.get("isolation")),  # older records do not tell
                branches=branches,
                comments=_comments(facts.get("comments", {}), len(turns) + len(branches)),
                provenance=Provenance.from_facts(facts.get("provenance")),
            )
        except RecordError:
            raise
        except KeyError as error:
            raise RecordError(f"{_NO_RECORD}: it has no {error}") from None
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            raise RecordError(f"{_NO_RECORD}: {str(error)[:200]}") from None


def isolation_text(isolation: tuple[str, str] | None) -> str:
    """Return how both players ran, the first player first, for formats that hold texts.

    >>> isolation_text(("isolated", "trusted"))
    'isolated, trusted'
    """
    return ", ".join(isolation or ())


def read_isolation(text: str) -> tuple[str, str] | None:
    """Return what ``isolation_text`` wrote; None for anything else.

    >>> read_isolation("isolated, trusted")
    ('isolated', 'trusted')
    """
    found = re.fullmatch("([a-z]{1,20}), ([a-z]{1,20})", text)
    return (found[1], found[2]) if found else None


def _turns(facts: dict[str, Any]) -> list[Turn]:
    moves = facts["moves"]
    nothing = [None] * len(moves)  # older records have neither depths nor nodes nor CPU time
    columns = {name: facts[name] for name in ("seconds", "values")}
    columns |= {name: facts.get(name, nothing) for name in ("depths", "nodes", "cpu")}
    for name, column in columns.items():
        if len(column) != len(moves):
            raise ValueError(f"{name} has {len(column)} entries, moves has {len(moves)}")
    return [
        Turn(
            *(str(move), _number(seconds), _or_none(value), _count(depth), _count(nodes)),
            _or_none(cpu),
        )
        for move, seconds, value, depth, nodes, cpu in zip(moves, *columns.values(), strict=True)
    ]


def _branches(found: Any, turns: int) -> list[Branch]:
    if not isinstance(found, list) or len(found) > MAX_BRANCHES:
        raise ValueError(f"variations is a list of at most {MAX_BRANCHES} moves")
    branches = []
    for number, (parent, move) in enumerate(found, turns + 1):
        if type(parent) is not int or not 0 <= parent < number or not isinstance(move, str):
            raise ValueError(
                f"variations: {[parent, move]!r:.40} is not an earlier place and a move"
            )
        branches.append(Branch(parent, move))
    return branches


def _comments(found: Any, last: int) -> dict[int, str]:
    if not isinstance(found, dict):
        raise ValueError("comments is not an object")
    comments = {}
    for place, text in found.items():
        if not re.fullmatch("[0-9]{1,9}", place) or int(place) > last or not isinstance(text, str):
            raise ValueError(f"comments: {place!r:.20} is not a position with its comment")
        if tidy := tidy_comment(text):
            comments[int(place)] = tidy
    return comments


def _text(facts: dict[str, Any], key: str) -> str:
    if not isinstance(facts[key], str):
        raise TypeError(f"{key} is not a text")
    return str(facts[key])


def _two_texts(value: Any) -> tuple[str, str] | None:
    if value is None:
        return None
    if not isinstance(value, list) or list(map(type, value)) != [str, str]:
        raise TypeError("isolation is not two texts")
    return value[0], value[1]


def _color(name: str | None) -> bool | None:
    for color, known in COLOR_NAMES.items():
        if name == known:
            return color
    raise ValueError(f"{name!r} is not white, black or null")


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError(f"{str(value)[:20]!r} is not a number")
    return float(value)


def _count(value: Any) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise TypeError(f"{str(value)[:20]!r} is not a count")
    return value


def _or_none(value: Any) -> float | None:
    return None if value is None else _number(value)
