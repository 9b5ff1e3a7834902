"""The table of a tournament, counted from nothing but its game records."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

from hansu.arena.accuracy import Accuracy, accuracies
from hansu.arena.match_result import Countable, played
from hansu.arena.ratings import Anchor, Encounter, Rating, ratings
from hansu.records.evidence import evidence_facts
from hansu.records.record import GameRecord
from hansu.statistics.stats import Played, Stats, Tally, number, paired

BYE = 2.0  # points for a round without an opponent: those of a won encounter


class CrossTable:
    """Who scored how much against whom."""

    def __init__(self, agents: Sequence[str], records: Iterable[Countable]) -> None:
        self.agents = list(agents)
        self._games: dict[tuple[str, str], list[Played]] = {}
        self._stats: dict[tuple[str, str], Stats] = {}
        for record in records:
            for us, them, first in (
                (record.first, record.second, True),
                (record.second, record.first, False),
            ):
                self._games.setdefault((us, them), []).append(played(record, first))

    def games(self, us: str, them: str) -> list[Played]:
        """Return the games between two agents, in order, as the first of them sees them."""
        return self._games.get((us, them), [])

    def against(self, us: str, them: str) -> list[float]:
        """Return the points of each game between two agents, in order."""
        return [game.score for game in self.games(us, them)]

    def stats(self, us: str, them: str) -> Stats:
        """Return the statistics of the games between two agents."""
        if (us, them) not in self._stats:
            self._stats[us, them] = Stats.of(self.games(us, them))
        return self._stats[us, them]

    def points(self, us: str, opponents: Iterable[str] | None = None) -> float:
        """Return the points against some opponents, or against all."""
        chosen = self.agents if opponents is None else opponents
        return sum(sum(self.against(us, them)) for them in chosen)

    def total(self, us: str) -> Stats:
        """Return the statistics of all games of an agent."""
        return sum((self.stats(us, them) for them in self.agents), Stats())

    def pairs(self) -> list[tuple[str, str]]:
        """Return who has met whom, in the order of the agents."""
        place = {agent: i for i, agent in enumerate(self.agents)}
        met = [(a, b) for a, b in self._games if a in place and b in place and place[a] < place[b]]
        return sorted(met, key=lambda pair: (place[pair[0]], place[pair[1]]))

    def encounters(self) -> Iterator[Encounter]:
        """Yield the games in pairs with colours swapped: each pair is one observation."""
        for a, b in self.pairs():
            for together in paired(self.games(a, b)):
                yield Encounter(a, b, sum(game.score for game in together), len(together))

    def cycle(self) -> "Cycle | None":
        """Return the shortest cycle of agents who beat each other, a sure one if there is one."""
        for sure in (True, False):
            beaten = {
                us: [them for them in self.agents if self._beats(us, them, sure)]
                for us in self.agents
            }
            loops = [loop for us in self.agents if (loop := _loop(us, beaten))]
            if loops:
                return Cycle(min(loops, key=len), sure)
        return None

    def _beats(self, us: str, them: str, sure: bool) -> bool:
        stats = self.stats(us, them)
        return stats.score > 0.5 and (stats.decided or not sure)


class Cycle(NamedTuple):
    """Agents of whom each beats the next, and the last the first."""

    agents: tuple[str, ...]
    sure: bool  # each 95 % sure; otherwise on points, which may be chance

    def __str__(self) -> str:
        words = "each 95 % sure" if self.sure else "on points, which may be chance"
        return f"a cycle: {' beats '.join((*self.agents, self.agents[0]))} ({words})"


def _loop(start: str, beaten: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the shortest path from an agent over those it beat back to itself."""
    paths: list[tuple[str, ...]] = [(start,)]
    seen = {start}
    for path in paths:  # which grows
        for them in beaten[path[-1]]:
            if them == start:
                return path
            if them not in seen:
                seen.add(them)
                paths.append((*path, them))
    return ()


@dataclass(frozen=True)
class Standing:
    """One line of the table."""

    rank: int
    agent: str
    score: float  # points, with those for byes
    tally: Tally
    rating: Rating
    sonneborn_berger: float  # points against each opponent, times that opponent's score
    buchholz: float  # the scores of all opponents met, game by game
    byes: int = 0
    accuracy: Accuracy | None = None  # where perfect play is known

    @property
    def games(self) -> int:
        """The number of games."""
        return self.tally.games

    @property
    def wins(self) -> int:
        """Games won."""
        return self.tally.wins

    @property
    def draws(self) -> int:
        """Drawn games."""
        return self.tally.draws

    @property
    def losses(self) -> int:
        """Games lost."""
        return self.tally.losses

    def facts(self) -> dict[str, Any]:
        """Return the line as JSON facts."""
        found: dict[str, Any] = {
            "rank": self.rank,
            "agent": self.agent,
            "score": self.score,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "rating": round(self.rating.elo, 3),
            "error": number(self.rating.error),
            "sonneborn_berger": self.sonneborn_berger,
            "buchholz": self.buchholz,
            "byes": self.byes,
        }
        if self.accuracy is not None:
            found |= self.accuracy.facts()
        return found


def standings(
    agents: Sequence[str],
    records: Sequence[Countable],
    *,
    anchor: Anchor | None = None,
    byes: Mapping[str, int] | None = None,
    swiss: bool = False,
    judged: bool = True,
) -> list[Standing]:
    """Return all agents in order: by share of points, then by the tie-breaks.

    Unless they are ``judged``, records may lack their moves, and nobody's accuracy is told: where
    perfect play is known, computing it takes much longer than all the rest.

    The tie-breaks are Buchholz (Swiss tournaments only), Sonneborn-Berger, the games among those
    who are still level, the number of wins, and last the order in which the agents were named.
    """
    cross = CrossTable(agents, records)
    rested = Counter(byes or {})
    total = {agent: cross.points(agent) + BYE * rested[agent] for agent in agents}
    rated = rate(cross, anchor)
    whole = [record for record in records if isinstance(record, GameRecord)]
    accuracy = accuracies(whole) if judged else {}

    def line(agent: str) -> Standing:
        return Standing(
            rank=0,
            agent=agent,
            score=total[agent],
            tally=cross.total(agent).tally,
            rating=rated[agent],
            sonneborn_berger=sum(cross.points(agent, [them]) * total[them] for them in agents),
            # As FIDE has it, a bye counts like an opponent who scored as much as oneself.
            buchholz=sum(len(cross.against(agent, them)) * total[them] for them in agents)
            + BYE * rested[agent] * total[agent],
            byes=rested[agent],
            accuracy=accuracy.get(agent),
        )

    ranked = _in_order([line(agent) for agent in agents], cross, swiss)
    return [replace(standing, rank=rank) for rank, standing in enumerate(ranked, 1)]


def _in_order(lines: list[Standing], cross: CrossTable, swiss: bool) -> Iterator[Standing]:
    def before(line: Standing) -> tuple[float, ...]:
        share = line.score / max(1.0, line.games + BYE * line.byes)
        return (-share, -line.buchholz if swiss else 0.0, -line.sonneborn_berger)

    for _, group in groupby(sorted(lines, key=before), before):
        level = list(group)
        names = [line.agent for line in level]
        among = {name: cross.points(name, names) for name in names}
        yield from sorted(level, key=lambda line: (-among[line.agent], -line.wins))


def rate(cross: CrossTable, anchor: Anchor | None = None) -> dict[str, Rating]:
    """Return the ratings of all agents.

    Two agents have the numbers of their match: the second one has 0 unless an anchor is given.
    """
    if len(cross.agents) == 2:
        return _rate_two(cross, anchor)
    total = sum((cross.stats(a, b) for a, b in cross.pairs()), Stats())
    share = total.distinct_games / total.games if total.games else 1.0
    return ratings(cross.agents, list(cross.encounters()), anchor, distinct_share=share)


def _rate_two(cross: CrossTable, anchor: Anchor | None) -> dict[str, Rating]:
    a, b = cross.agents
    fixed = anchor or Anchor(b)
    other = a if fixed.player == b else b
    stats = cross.stats(other, fixed.player)
    return {
        other: Rating(fixed.elo + stats.elo, stats.elo_error),
        fixed.player: Rating(fixed.elo, 0.0),
    }


def disqualifications(records: Mapping[int, GameRecord]) -> list[dict[str, Any]]:
    """Games lost by breaking the rules of the arena, with the evidence."""
    return [
        {
            "game": number + 1,
            "agent": record.second if record.winner == record.first else record.first,
            "opponent": record.winner,
            "reason": record.outcome.reason,
            "evidence": record.evidence,
            "facts": evidence_facts(record.evidence),
        }
        for number, record in records.items()
        if record.evidence
    ]
