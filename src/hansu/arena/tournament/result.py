"""What a tournament came to."""

from dataclasses import dataclass
from html import escape
from typing import Any

from hansu.arena.match_result import MatchGame, MatchResult
from hansu.arena.tournament.plan import Plan
from hansu.arena.tournament.standings import CrossTable, Standing, disqualifications
from hansu.records.record import GameRecord


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
        """Who scored how much against whom."""
        return CrossTable(self.plan.agents, self.games)

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
        return MatchResult(self.plan.game, a, b, played)

    def facts(self) -> dict[str, Any]:
        """The numbers, as programs read them."""
        return {
            "games": len(self.records),
            "scheduled": self.plan.scheduled,
            "game": self.plan.game,
            "format": self.plan.format,
            "standings": [standing.facts() for standing in self.standings],
            "disqualified": self.disqualified,
        }

    def rows(self) -> list[tuple[str, ...]]:
        """The table: a line of titles, then a line for each agent."""
        swiss = self.plan.format == "swiss"
        known = any(s.accuracy for s in self.standings)
        tie_break = "Buchholz" if swiss else "S-B"
        titles = ("", "agent", "score", "+ = -", "Elo", "±", tie_break)
        found: list[tuple[str, ...]] = [(*titles, "accuracy", "blunders/game") if known else titles]
        for s in self.standings:
            row: tuple[str, ...] = (
                str(s.rank),
                s.agent,
                f"{s.score:g} / {s.games}" + (f" (bye {s.byes})" if s.byes else ""),
                f"+{s.wins} ={s.draws} -{s.losses}",
                f"{s.rating.elo:+.0f}",
                f"{s.rating.error:.0f}",
                f"{s.buchholz if swiss else s.sonneborn_berger:g}",
            )
            if known:
                row += _accuracy(s)
            found.append(row)
        return found

    def __str__(self) -> str:
        rows = self.rows()
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]
        count = f"{len(self.records)} of {self.plan.scheduled} games"
        return "\n".join([f"{self.plan.game}, {self.plan.format}, {count}", *lines])

    def _repr_html_(self) -> str:
        titles, *lines = [[escape(cell) for cell in row] for row in self.rows()]
        head = "".join(f"<th>{cell}</th>" for cell in titles)
        body = "".join(f"<tr>{''.join(f'<td>{c}</td>' for c in line)}</tr>" for line in lines)
        return f"<table><tr>{head}</tr>{body}</table>"


def _accuracy(standing: Standing) -> tuple[str, str]:
    found = standing.accuracy
    return (f"{found.share:.1%}", f"{found.blunders_per_game:.2f}") if found else ("", "")
