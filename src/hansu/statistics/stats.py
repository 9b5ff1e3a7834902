"""The result of many games between two players, as a value."""

import functools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, NamedTuple

from hansu.statistics.confidence import PAIR_SCORES, SURE, interval, superiority
from hansu.statistics.elo import elo_of

NORMALISED = 800.0 / math.log(10.0)  # Elo of one standard deviation of a game's score


class Played(NamedTuple):
    """A game as it is counted. Games with equal start and moves are the same game."""

    first: bool  # the player had the first move
    score: float  # 1, a half or 0
    start: str = ""
    moves: tuple[object, ...] = ()


@dataclass(frozen=True)
class Tally:
    """Wins, draws and losses of one side. Tallies add up; the other side's is the negative.

    >>> Tally(3, 1, 0) + -Tally(2, 0, 1)
    Tally(wins=4, draws=1, losses=2)
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def __neg__(self) -> "Tally":
        return Tally(self.losses, self.draws, self.wins)

    @property
    def games(self) -> int:
        """All games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A point for a win, half a point for a draw."""
        return self.wins + self.draws / 2.0

    @property
    def score(self) -> float:
        """The mean score; not a number without a game."""
        return self.points / self.games if self.games else math.nan

    @property
    def rate(self) -> float:
        """The score, and a half when nothing is known."""
        return self.score if self.games else 0.5

    def facts(self) -> dict[str, float]:
        """Return the counts and the rate as JSON facts."""
        counts = {"wins": self.wins, "draws": self.draws, "losses": self.losses}
        return {**counts, "rate": round(self.rate, 6)}

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}"


@dataclass(frozen=True)
class Stats:
    """Everything counted from one player's games, and what it says. Stats add; ``-`` swaps sides.

    Evidence comes from whole pairs only: a first move that decides looks like strength in a game
    without its counterpart.

    >>> stats = Stats.of([Played(n % 2 == 0, 1.0, moves=(n,)) for n in range(12)])
    >>> print(stats)
    12/12 (+12 =0 -0), Elo +559 ± 531, 96.9 % sure
    >>> -stats == Stats.of([Played(n % 2 == 1, 0.0, moves=(n,)) for n in range(12)])
    True
    """

    first: Tally = Tally()  # of the games in which the player moved first
    second: Tally = Tally()
    pentanomial: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)  # pairs of 0, ½, 1, 1½, 2 points
    distinct_pairs: int = 0
    distinct_games: int = 0

    @classmethod
    def of(cls, games: Iterable[Played]) -> "Stats":
        """Count games."""
        played = list(games)
        counts = [0] * 5
        distinct = set()
        for together in paired(played):
            if len(together) == 2:
                counts[round(2 * sum(game.score for game in together))] += 1
                distinct.add(together)
        return cls(
            _tally(game.score for game in played if game.first),
            _tally(game.score for game in played if not game.first),
            (counts[0], counts[1], counts[2], counts[3], counts[4]),
            len(distinct),
            len(set(played)),
        )

    def __add__(self, other: "Stats") -> "Stats":
        a, b = self.pentanomial, other.pentanomial
        return Stats(
            self.first + other.first,
            self.second + other.second,
            (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4]),
            self.distinct_pairs + other.distinct_pairs,
            self.distinct_games + other.distinct_games,
        )

    def __neg__(self) -> "Stats":
        lost, half, level, more, won = self.pentanomial
        mirrored = (won, more, level, half, lost)
        return Stats(-self.second, -self.first, mirrored, self.distinct_pairs, self.distinct_games)

    # Counts ---------------------------------------------------------------------------------------

    @property
    def tally(self) -> Tally:
        """All games, with either colour."""
        return self.first + self.second

    @property
    def games(self) -> int:
        """The number of games."""
        return self.tally.games

    @property
    def pairs(self) -> int:
        """The number of whole pairs."""
        return sum(self.pentanomial)

    @property
    def score(self) -> float:
        """The mean score; not a number without a game."""
        return self.tally.score

    # What they say --------------------------------------------------------------------------------

    @property
    def evidence(self) -> tuple[float, ...]:
        """The pairs, counted as many times as there are distinct ones: repeats say nothing new."""
        share = self.distinct_pairs / self.pairs if self.pairs else 0.0
        return tuple(count * share for count in self.pentanomial)

    @property
    def score_interval(self) -> tuple[float, float]:
        """The 95 % interval of the expected score."""
        return interval(self.evidence)

    @property
    def superiority(self) -> float:
        """How sure one can be that this player is the stronger one."""
        return _superiority(self.evidence)

    @property
    def sure(self) -> float:
        """How sure one can be which player is stronger; a half says nothing."""
        return max(self.superiority, 1.0 - self.superiority)

    @property
    def decided(self) -> bool:
        """Whether it is 95 % sure who is stronger; exactly then 0 is outside of the interval."""
        return self.sure >= SURE

    @property
    def elo(self) -> float:
        """The Elo difference of the score, positive if this player is stronger.

        A perfect score counts one drawn game more, so that it has an Elo too. Games without their
        counterpart move it no further than the pairs allow.
        """
        if not self.games:
            return 0.0
        perfect = self.score in (0.0, 1.0)
        score = (self.tally.points + 0.5) / (self.games + 1) if perfect else self.score
        low, high = self.elo_interval
        return min(max(elo_of(score), low), high)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95 % interval of ``elo``; one that has no bound is infinite."""
        low, high = self.score_interval
        return elo_of(low), elo_of(high)

    @property
    def elo_error(self) -> float:
        """From ``elo`` to the end of the 95 % interval that decides: the one towards 0."""
        return _error(self.elo, *self.elo_interval)

    @property
    def normalised_elo(self) -> float:
        """The Elo difference relative to how much the pairs scatter, as fastchess has it."""
        return self._normalised(self._paired_score)

    @property
    def normalised_elo_error(self) -> float:
        """As ``elo_error``, on that scale."""
        low, high = map(self._normalised, self.score_interval)
        return _error(self.normalised_elo, low, high)

    @property
    def score_error(self) -> float:
        """As ``elo_error``, of the score."""
        low, high = (end - 0.5 for end in self.score_interval)
        return _error(min(max(self.score - 0.5, low), high), low, high)

    @property
    def _paired_score(self) -> float:
        total = sum(c * x for c, x in zip(self.pentanomial, PAIR_SCORES, strict=True))
        return float(total / self.pairs) if self.pairs else math.nan

    def _normalised(self, score: float) -> float:
        mean = self._paired_score
        scatter = sum(
            c * (x - mean) ** 2 for c, x in zip(self.pentanomial, PAIR_SCORES, strict=True)
        )
        if not scatter:
            return math.nan
        return float((score - 0.5) / math.sqrt(2.0 * scatter / self.pairs) * NORMALISED)

    # How it is shown ------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """Return the numbers as JSON facts; what has no number is None."""
        low, high = self.elo_interval
        return {
            "games": self.games,
            "wins": self.tally.wins,
            "draws": self.tally.draws,
            "losses": self.tally.losses,
            "score": number(self.score, None),
            "elo": number(self.elo),
            "elo_error": number(self.elo_error),
            "elo_low": number(low),
            "elo_high": number(high),
            "normalised_elo": number(self.normalised_elo),
            "normalised_elo_error": number(self.normalised_elo_error),
            "los": number(self.superiority, 6),
            "decided": self.decided,
            "distinct_games": self.distinct_games,
            "as_first": number(self.first.score, None),
            "as_second": number(self.second.score, None),
            "pentanomial": list(self.pentanomial),
        }

    def rows(self) -> list[tuple[str, str]]:
        """Return the report, line by line."""
        low, high = (signed(end) for end in self.elo_interval)
        elo = f"{signed(self.elo)} ± {shown(self.elo_error)} (95 %: {low} to {high})"
        normalised = f"{signed(self.normalised_elo)} ± {shown(self.normalised_elo_error)}"
        return [
            ("score", f"{shown(self.score, 3)} ({self.tally})"),
            (
                "as first / as second",
                f"{shown(self.first.score, 3)} / {shown(self.second.score, 3)}",
            ),
            ("Elo difference", elo),
            ("normalised Elo", normalised),
            ("likelihood of superiority", f"{self.superiority:.1%}"),
            ("Ptnml(0-2)", str(list(self.pentanomial))),
            ("distinct games", f"{self.distinct_games} of {self.games}"),
        ]

    def __str__(self) -> str:
        elo = f"Elo {signed(self.elo)} ± {shown(self.elo_error)}"
        return (
            f"{self.tally.points:g}/{self.games} ({self.tally}), {elo}, {percent(self.sure)} sure"
        )


def paired(games: Iterable[Played]) -> Iterator[tuple[Played, ...]]:
    """Yield the games in pairs with colours swapped, and what is left over one by one.

    The games of a pair have the same opening wherever there are two such games.

    >>> games = [Played(True, 1, "a"), Played(True, 0, "b"), Played(False, 1, "b")]
    >>> [[game.start for game in together] for together in paired(games)]
    [['b', 'b'], ['a']]
    """
    by_start: dict[str, tuple[list[Played], list[Played]]] = {}
    for game in games:
        by_start.setdefault(game.start, ([], []))[0 if game.first else 1].append(game)
    left: tuple[list[Played], list[Played]] = ([], [])
    for first, second in by_start.values():
        yield from zip(first, second, strict=False)
        left[0].extend(first[len(second) :])
        left[1].extend(second[len(first) :])
    for together in zip_longest(*left):
        yield tuple(game for game in together if game)


def signed(value: float) -> str:
    """Return a whole number with its sign, as people read it.

    >>> signed(12.4), signed(-0.2), signed(float("-inf"))
    ('+12', '+0', '-∞')
    """
    if math.isinf(value):
        return "+∞" if value > 0.0 else "-∞"
    return "–" if math.isnan(value) else f"{0.0 if abs(value) < 0.5 else value:+.0f}"


def shown(value: float, digits: int = 0) -> str:
    """Return a number that is not negative as people read it.

    >>> shown(0.25, 2), shown(float("inf")), shown(float("nan"))
    ('0.25', '∞', '–')
    """
    if math.isinf(value):
        return "∞"
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def percent(share: float) -> str:
    """Return a share in percent, never more than 99.9.

    >>> percent(0.96875), percent(1.0), percent(0.5)
    ('96.9 %', '99.9 %', '50 %')
    """
    return f"{100 * min(share, 0.999):.3g} %"


def number(value: float, digits: int | None = 3) -> float | None:
    """Return a number as programs read it: None if it is not finite."""
    if not math.isfinite(value):
        return None
    return value if digits is None else round(value, digits)


@functools.lru_cache(maxsize=4096)
def _superiority(pairs: tuple[float, ...]) -> float:
    return float(superiority(pairs))


def _error(value: float, low: float, high: float) -> float:
    if value > 0.0:
        return value - low
    return high - value if value < 0.0 else max(high, -low)


def _tally(scores: Iterable[float]) -> Tally:
    found = list(scores)
    return Tally(found.count(1.0), found.count(0.5), found.count(0.0))
