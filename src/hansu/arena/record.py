"""What is kept of a game: enough to play it again, and from which every table is counted."""

import json
from dataclasses import dataclass, field
from typing import Any

import hansu
from hansu.errors import HansuError
from hansu.games.state import Outcome

FORMAT = 1  # of the JSON; raised when an older reader could misunderstand what is written

_COLORS = {True: "white", False: "black", None: None}


@dataclass(frozen=True)
class Turn:
    """One move, as it was played."""

    move: str
    seconds: float


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

    def as_json(self) -> str:
        """The record as one line of JSON: what every file of games and every database holds.

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
            "first_color": _COLORS[self.first_color],
            "start": self.start,
            "seed": self.seed,
            "moves": self.moves,
            "seconds": [turn.seconds for turn in self.turns],
            "winner": _COLORS[self.outcome.winner],
            "reason": self.outcome.reason,
            "margin": self.outcome.margin,
            "evidence": self.evidence,
            "final": self.final,
        }
        return json.dumps(facts, ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> "GameRecord":
        """The record that ``as_json`` wrote."""
        try:
            facts = json.loads(line)
            if facts["format"] > FORMAT:
                raise HansuError(
                    f"this record has format {facts['format']}, this hansu reads up to {FORMAT}: "
                    "a newer hansu is needed"
                )
            return cls(
                game=_text(facts, "game"),
                first=_text(facts, "first"),
                second=_text(facts, "second"),
                start=_text(facts, "start"),
                first_color=_color(facts["first_color"]) is True,
                seed=int(facts["seed"]),
                turns=[
                    Turn(str(move), float(seconds))
                    for move, seconds in zip(facts["moves"], facts["seconds"], strict=True)
                ],
                outcome=Outcome(_color(facts["winner"]), _text(facts, "reason"), facts["margin"]),
                evidence=_text(facts, "evidence"),
                final=_text(facts, "final"),
            )
        except HansuError:
            raise
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
            raise HansuError(
                f"this is no game record, a line of JSON as hansu writes it: {error!r}"
            ) from None


def _text(facts: dict[str, Any], key: str) -> str:
    if not isinstance(facts[key], str):
        raise TypeError(f"{key} is not a text")
    return str(facts[key])


def _color(name: str | None) -> bool | None:
    return {"white": True, "black": False, None: None}[name]
