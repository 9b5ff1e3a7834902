"""The table of a tournament, counted from nothing but its game records."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Any

from hansu.arena.accuracy import Accuracy, accuracies
from hansu.arena.ratings import Anchor, Encounter, Rating, ratings
from hansu.records.record import GameRecord

BYE = 2.0  # points for a round without an opponent: those of a won encounter


class CrossTable:
    """Who scored how much against whom."""

    def __init__(self, agents: Sequence[str], records: Iterable[GameRecord]) -> None:
        self.agents = list(agents)
        self._points: dict[tuple[str, str], list[float]] = {}
        for record in records:
            for us, them, score in (
                (record.first, record.second, record.score_first),
                (record.second, record.first, 1.0 - record.score_first),
            ):
                self._points.setdefault((us, them), []).append(score)

    def against(self, us: str, them: str) -> list[float]:
        """The points of each game between two agents, in the order of the games."""
        return self._points.get((us, them), [])

    def points(self, us: str, opponents: Iterable[str] | None = None) -> float:
        """The points against some opponents, or against all."""
        chosen = self.agents if opponents is None else opponents
        return sum(sum(self.against(us, them)) for them in chosen)

    def scores(self, us: str) -> list[float]:
        """The points of each game of an agent."""
        return [score for them in self.agents for score in self.against(us, them)]


@dataclass(frozen=True)
class Standing:
    """One line of the table."""

    rank: int
    agent: str
    score: float  # points, with those for byes
    games: int
    wins: int
    draws: int
    losses: int
    rating: Rating
    sonneborn_berger: float  # points against each opponent, times that opponent's score
    buchholz: float  # the scores of all opponents met, game by game
    byes: int = 0
    accuracy: Accuracy | None = None  # where perfect play is known

    def facts(self) -> dict[str, Any]:
        """The line as programs read it."""
        found: dict[str, Any] = {
            "rank": self.rank,
            "agent": self.agent,
            "score": self.score,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "rating": round(self.rating.elo, 1),
            "error": round(self.rating.error, 1),
            "sonneborn_berger": self.sonneborn_berger,
            "buchholz": self.buchholz,
            "byes": self.byes,
        }
        if self.accuracy is not None:
            found["accuracy"] = round(self.accuracy.share, 4)
            found["blunders_per_game"] = round(self.accuracy.blunders_per_game, 4)
        return found


def standings(
    agents: Sequence[str],
    records: Sequence[GameRecord],
    *,
    anchor: Anchor | None = None,
    byes: Mapping[str, int] | None = None,
    swiss: bool = False,
) -> list[Standing]:
    """Everybody in order: by the share of points, then by the tie-breaks.

    The tie-breaks are Buchholz (Swiss tournaments only), Sonneborn-Berger, the games among those
    who are still level, the number of wins, and last the order in which the agents were named.
    """
    cross = CrossTable(agents, records)
    rested = Counter(byes or {})
    total = {agent: cross.points(agent) + BYE * rested[agent] for agent in agents}
    rated = rate(agents, records, anchor)
    accuracy = accuracies(records)

    def line(agent: str) -> Standing:
        scores = cross.scores(agent)
        return Standing(
            rank=0,
            agent=agent,
            score=total[agent],
            games=len(scores),
            wins=scores.count(1.0),
            draws=scores.count(0.5),
            losses=scores.count(0.0),
            rating=rated[agent],
            sonneborn_berger=sum(cross.points(agent, [them]) * total[them] for them in agents),
            # As FIDE has it, a bye counts like an opponent who scored as much as oneself.
            buchholz=sum(len(cross.against(agent, them)) * total[them] for them in agents)
            + BYE * rested[agent] * total[agent],
            byes=rested[agent],
            accuracy=accuracy.get(agent),
        )

    ranked = _in_order([line(agent) for agent in agents], cross, swiss)
    return [Standing(**{**vars(s), "rank": rank}) for rank, s in enumerate(ranked, 1)]


def _in_order(lines: list[Standing], cross: CrossTable, swiss: bool) -> Iterator[Standing]:
    def before(line: Standing) -> tuple[float, ...]:
        share = line.score / max(1.0, line.games + BYE * line.byes)
        return (-share, -line.buchholz if swiss else 0.0, -line.sonneborn_berger)

    for _, group in groupby(sorted(lines, key=before), before):
        level = list(group)
        names = [line.agent for line in level]
        among = {name: cross.points(name, names) for name in names}
        yield from sorted(level, key=lambda line: (-among[line.agent], -line.wins))


def rate(
    agents: Sequence[str], records: Sequence[GameRecord], anchor: Anchor | None = None
) -> dict[str, Rating]:
    """The ratings of all agents."""
    different = {(r.first, r.second, r.start, *r.moves) for r in records}
    share = len(different) / len(records) if records else 1.0
    return ratings(agents, list(encounters(records)), anchor, distinct_share=share)


def encounters(records: Iterable[GameRecord]) -> Iterator[Encounter]:
    """The games in pairs with colours swapped: each pair is one observation."""
    sides: dict[tuple[str, str], tuple[list[float], list[float]]] = {}
    for record in records:
        a, b = sorted((record.first, record.second))
        a_first = record.first == a
        score = record.score_first if a_first else 1.0 - record.score_first
        sides.setdefault((a, b), ([], []))[0 if a_first else 1].append(score)
    for (a, b), (first, second) in sides.items():
        for pair in zip_longest(first, second):
            scores = [score for score in pair if score is not None]
            yield Encounter(a, b, sum(scores), len(scores))


def disqualifications(records: Mapping[int, GameRecord]) -> list[dict[str, Any]]:
    """Games lost by breaking the rules of the arena, with the evidence."""
    return [
        {
            "game": number + 1,
            "agent": record.second if record.winner == record.first else record.first,
            "opponent": record.winner,
            "reason": record.outcome.reason,
            "evidence": record.evidence,
        }
        for number, record in records.items()
        if record.evidence
    ]
