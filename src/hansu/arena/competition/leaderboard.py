"""The leaderboard: each participant's version of now, rated by all games of all versions."""

from dataclasses import dataclass
from typing import Any

from hansu.arena.competition.register import Entry, Participant, Register, current
from hansu.arena.competition.results import Results
from hansu.arena.ratings import Rating
from hansu.arena.tournament.ledger import Ledger
from hansu.statistics.stats import Tally, number


@dataclass(frozen=True)
class Line:
    """One participant."""

    rank: int
    participant: str
    version: int
    entry: int
    is_staff: bool
    rating: Rating
    tally: Tally  # of this version

    def facts(self) -> dict[str, Any]:
        """Return it as JSON facts."""
        return {
            "rank": self.rank,
            "participant": self.participant,
            "version": self.version,
            "staff": self.is_staff,
            "rating": round(self.rating.elo, 3),
            "error": number(self.rating.error),
            "games": self.tally.games,
            "wins": self.tally.wins,
            "draws": self.tally.draws,
            "losses": self.tally.losses,
        }


class Leaderboard:
    """Counted again from the database whenever something is new."""

    def __init__(self, register: Register) -> None:
        self.register = register
        self.results = Results(Ledger(register.database))
        self.entries: dict[int, Entry] = {}
        self.people: dict[str, Participant] = {}
        self._lines: list[Line] = []

    def update(self) -> bool:
        """Read what is new; return whether something was."""
        entries, people = self.register.entries(), self.register.participants()
        changed = self.results.update() or (entries, people) != (self.entries, self.people)
        if changed:
            self.entries, self.people = entries, people
            self._lines = self._count()
        return changed

    def lines(self) -> list[Line]:
        """Return everybody who takes part, the best first."""
        return self._lines

    def _count(self) -> list[Line]:
        chosen = current(self.entries, self.people)
        met = {name for line in self.results.lines.values() for name in (line.first, line.second)}
        names = [
            each.name
            for each in self.entries.values()
            if each.name in met or chosen.get(each.participant) == each
        ]
        cross = self.results.cross_table(names)
        rated = self.results.ratings(names)
        nothing = Rating(0.0, float("inf"))
        order = sorted(chosen.values(), key=lambda e: -rated.get(e.name, nothing).elo)
        return [
            Line(
                rank,
                each.participant,
                each.version,
                each.number,
                self.people[each.participant].is_staff,
                rated.get(each.name, nothing),
                cross.total(each.name).tally,
            )
            for rank, each in enumerate(order, 1)
        ]
