"""The result of a tournament."""

from dataclasses import dataclass
from typing import Any

from hansu.arena.accuracy import TITLES
from hansu.arena.match_result import MatchGame, MatchResult
from hansu.arena.match_table import match_table
from hansu.arena.tournament.plan import Plan
from hansu.arena.tournament.standings import CrossTable, Cycle, Standing, disqualifications
from hansu.display.markup import Markup, joined, tag
from hansu.records.record import GameRecord
from hansu.statistics.stats import shown, signed


@dataclass
class TournamentResult:
    """The games of a tournament and everything counted from them."""

    plan: Plan
    records: dict[int, GameRecord]  # by number
    standings: list[Standing]

    @property
    def games(self) -> list[GameRecord]:
        """The records, in the order of the schedule."""
        return list(self.records.values())

    @property
    def cross_table(self) -> CrossTable:
        """The points of each agent against each."""
        return CrossTable(self.plan.agents, self.games)

    @property
    def cycle(self) -> Cycle | None:
        """Agents that beat each other in a cycle, which no rating can express."""
        return self.cross_table.cycle()

    @property
    def disqualified(self) -> list[dict[str, Any]]:
        """Games lost by breaking the rules of the arena, with the evidence."""
        return disqualifications(self.records)

    @property
    def match(self) -> MatchResult | None:
        """The same games as a match, where only two play and have begun."""
        if len(self.plan.agents) > 2 or not self.records:
            return None
        a, b = self.plan.agents
        played = [MatchGame(n, record.first == a, record) for n, record in self.records.items()]
        return MatchResult(self.plan.game, a, b, played, seed=self.plan.seed)

    @property
    def isolation(self) -> dict[str, str]:
        """How each agent that has played ran."""
        ran: dict[str, str] = {}
        for record in self.games:
            if record.isolation is not None:
                ran |= zip((record.first, record.second), record.isolation, strict=True)
        return ran

    @property
    def distinct_games(self) -> int:
        """How many games differ: agents without chance play the same one again and again."""
        return len({(game.start, *(turn.move for turn in game.turns)) for game in self.games})

    @property
    def machines(self) -> list[str]:
        """The machines that played, each with its processor."""
        made = (game.provenance for game in self.games)
        return sorted({f"{each.machine} ({each.cpu})" for each in made if each is not None})

    def facts(self) -> dict[str, Any]:
        """Return the numbers as JSON facts."""
        match, cycle, cross = self.match, self.cycle, self.cross_table
        order = [standing.agent for standing in self.standings]
        return {
            "games": len(self.records),
            "scheduled": self.plan.scheduled,
            "game": self.plan.game,
            "format": self.plan.format,
            "seed": self.plan.seed,
            "isolation": self.isolation,
            "distinct_games": self.distinct_games,
            "machines": self.machines,
            "standings": [standing.facts() for standing in self.standings],
            "match": match.facts() if match else None,
            "cross": [[cross.against(us, them) for them in order] for us in order],
            "cycle": cycle._asdict() if cycle else None,
            "disqualified": self.disqualified,
        }

    def rows(self) -> list[tuple[str, ...]]:
        """Return the table: a line of titles, then a line for each agent."""
        swiss = self.plan.format == "swiss"
        known = any(s.accuracy for s in self.standings)
        tie_break = "Buchholz" if swiss else "S-B"
        titles = ("", "agent", "score", "+ = -", "Elo", "±", tie_break)
        found: list[tuple[str, ...]] = [(*titles, *TITLES) if known else titles]
        for s in self.standings:
            row: tuple[str, ...] = (
                str(s.rank),
                s.agent,
                f"{s.score:g} / {s.games}" + (f" (bye {s.byes})" if s.byes else ""),
                str(s.tally),
                signed(s.rating.elo),
                shown(s.rating.error),
                f"{s.buchholz if swiss else s.sonneborn_berger:g}",
            )
            if known:
                row += s.accuracy.cells() if s.accuracy else ("",) * len(TITLES)
            found.append(row)
        return found

    def cross_rows(self) -> list[tuple[str, ...]]:
        """Return the cross-table: a line of titles, then each agent's points against each."""
        cross, order = self.cross_table, [standing.agent for standing in self.standings]
        found: list[tuple[str, ...]] = [("", "agent", *(str(n + 1) for n in range(len(order))))]
        for rank, us in enumerate(order, 1):
            scores = [cross.against(us, them) for them in order]
            cells = [f"{sum(s):g}/{len(s)}" if s else "" for s in scores]
            cells[rank - 1] = "·"
            found.append((str(rank), us, *cells))
        return found

    @property
    def verdict(self) -> str | None:
        """What the table does not say: a match's verdict, or a cycle."""
        if self.match:
            return self.match.verdict
        return str(self.cycle) if self.cycle else None

    def __str__(self) -> str:
        rows = self.rows()
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]
        count = f"{len(self.records)} of {self.plan.scheduled} games"
        verdict = [self.verdict] if self.verdict else []
        return "\n".join([f"{self.plan.game}, {self.plan.format}, {count}", *lines, *verdict])

    def _repr_html_(self) -> str:
        if self.match:
            return joined(_table(self.rows()), match_table(self.match))
        verdict = tag("p", self.verdict) if self.verdict else None
        return joined(_table(self.rows()), _table(self.cross_rows()), verdict)


def _table(rows: list[tuple[str, ...]]) -> Markup:
    titles, *lines = rows
    head = tag("tr", *(tag("th", cell) for cell in titles))
    return tag("table", head, *(tag("tr", *(tag("td", cell) for cell in line)) for line in lines))
