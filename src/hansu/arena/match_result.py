"""The result of a match: its games and their statistics."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from hansu.arena.match_table import match_table
from hansu.arena.openings import VARIETY
from hansu.records.record import GameRecord
from hansu.statistics.sprt import Sprt
from hansu.statistics.stats import Played, Stats, percent

Conclusion = Literal["repeated", "elo0", "elo1", "undecided", "decided", "ahead", "open"]


@dataclass(frozen=True)
class MatchGame:
    """A game of a match, and whether A had the first move."""

    number: int
    a_first: bool
    record: GameRecord

    @property
    def score(self) -> float:
        """1, a half or 0 for A."""
        return played(self.record, self.a_first).score


@dataclass
class MatchResult:
    """The games of a match and everything counted from them, from A's point of view."""

    game: str
    a: str
    b: str
    played: list[MatchGame] = field(default_factory=list)
    sprt: Sprt | None = None
    seed: int | None = None  # of the event; game and player seeds follow from it
    _counted: tuple[int, Stats] = field(default=(0, Stats()), init=False, repr=False, compare=False)

    @property
    def games(self) -> list[GameRecord]:
        """The records, in the order of the games."""
        return [g.record for g in self.played]

    @property
    def stats(self) -> Stats:
        """The statistics, counted again when there are more games."""
        if self._counted[0] != len(self.played):
            counted = Stats.of(played(g.record, g.a_first) for g in self.played)
            self._counted = len(self.played), counted
        return self._counted[1]

    @property
    def wins(self) -> int:
        """Games that A won."""
        return self.stats.tally.wins

    @property
    def draws(self) -> int:
        """Drawn games."""
        return self.stats.tally.draws

    @property
    def losses(self) -> int:
        """Games that B won."""
        return self.stats.tally.losses

    @property
    def score(self) -> float:
        """A's mean score."""
        return self.stats.score

    @property
    def as_first(self) -> float:
        """A's mean score when moving first."""
        return self.stats.first.score

    @property
    def as_second(self) -> float:
        """A's mean score when moving second."""
        return self.stats.second.score

    @property
    def distinct_games(self) -> int:
        """The number of distinct games: repeated ones are no new evidence."""
        return self.stats.distinct_games

    @property
    def pentanomial(self) -> list[int]:
        """How many whole pairs gave A 0, a half, 1, one and a half, 2 points."""
        return list(self.stats.pentanomial)

    @property
    def elo(self) -> float:
        """The Elo difference, positive if A is stronger."""
        return self.stats.elo

    @property
    def elo_error(self) -> float:
        """The 95 % error of ``elo``, towards 0."""
        return self.stats.elo_error

    @property
    def superiority(self) -> float:
        """The likelihood of superiority: how sure one can be that A is stronger."""
        return self.stats.superiority

    @property
    def disqualified(self) -> list[dict[str, Any]]:
        """Games lost by breaking the rules of the arena, with the evidence."""
        return [
            {"game": g.number + 1, "reason": g.record.outcome.reason, "evidence": g.record.evidence}
            for g in self.played
            if g.record.evidence
        ]

    @property
    def isolation(self) -> tuple[str, str] | None:
        """How A and B ran; None before the first game."""
        for each in self.played:
            if each.record.isolation is not None:
                first, second = each.record.isolation
                return (first, second) if each.a_first else (second, first)
        return None

    @property
    def sprt_decision(self) -> Literal["elo0", "elo1"] | None:
        """The decision of the sequential test: "elo0", "elo1", or None so far."""
        return self.sprt.decision(self.stats.evidence) if self.sprt else None

    @property
    def conclusion(self) -> Conclusion:
        """What can be concluded, in one word."""
        stats = self.stats
        if stats.distinct_games < min(stats.games, 4):
            return "repeated"
        if self.sprt:  # only it is valid when a match may stop at any time
            return self.sprt_decision or "undecided"
        return "decided" if stats.decided else "ahead" if stats.sure > 0.5 else "open"

    @property
    def leader(self) -> str:
        """The agent more likely to be stronger."""
        return self.a if self.superiority >= 0.5 else self.b

    @property
    def verdict(self) -> str:
        """What can be concluded, in plain words."""
        stats, sure = self.stats, f"{percent(self.stats.sure)} sure"
        if self.sprt and self.conclusion in ("elo0", "elo1"):
            decided = self.conclusion == "elo1"
            by = f"at least {self.sprt.elo1:g}" if decided else f"no more than {self.sprt.elo0:g}"
            return f"SPRT: {self.a} is stronger by {by} Elo"
        return {
            "repeated": f"{stats.games} games, {stats.distinct_games} distinct: no evidence "
            f"(try openings={VARIETY!r})",
            "undecided": "SPRT: not decided yet",
            "decided": f"{self.leader} is stronger, {sure}",
            "ahead": f"no clear difference yet ({self.leader} ahead, {sure})",
            "open": "no clear difference yet",
        }[self.conclusion]

    def facts(self) -> dict[str, Any]:
        """Return the numbers as JSON facts."""
        return {
            "a": self.a,
            "b": self.b,
            **self.stats.facts(),
            "conclusion": self.conclusion,
            "leader": self.leader,
            "verdict": self.verdict,
            "seed": self.seed,
            "isolation": None if self.isolation is None else list(self.isolation),
            "disqualified": self.disqualified,
        }

    def rows(self) -> list[tuple[str, str]]:
        """Return the report, line by line."""
        return [
            *self.stats.rows(),
            *([("SPRT", self.sprt.shown(self.stats.evidence))] if self.sprt else []),
            ("disqualifications", str(len(self.disqualified))),
            *([] if self.isolation is None else [("isolation", ", ".join(self.isolation))]),
            *([] if self.seed is None else [("seed", str(self.seed))]),
            ("verdict", self.verdict),
        ]

    def __str__(self) -> str:
        width = max(len(name) for name, _ in self.rows())
        body = [f"  {name:<{width}}  {value}" for name, value in self.rows()]
        return "\n".join([f"{self.a} against {self.b}, {self.game}", *body])

    def _repr_html_(self) -> str:
        return match_table(self)


class Countable(Protocol):
    """What is counted of a game: a record has it."""

    @property
    def first(self) -> str:
        """The player with the first colour."""

    @property
    def second(self) -> str:
        """The other player."""

    @property
    def start(self) -> str:
        """The position it began with."""

    @property
    def score_first(self) -> float:
        """1, a half or 0 for the player with the first colour."""

    @property
    def moves(self) -> Sequence[object]:
        """What tells it from other games with the same start."""


def played(record: Countable, first: bool) -> Played:
    """Return a record as it is counted for the player who had the first move, or for the other."""
    score = record.score_first if first else 1.0 - record.score_first
    return Played(first, score, record.start, tuple(record.moves))
