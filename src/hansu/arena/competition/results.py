"""What is counted of finished games: small enough to keep ten thousand of them in memory."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sql

from hansu.arena.ratings import Rating
from hansu.arena.tournament.database import GAMES
from hansu.arena.tournament.ledger import Ledger
from hansu.arena.tournament.plan import Plan
from hansu.arena.tournament.schedule import byes
from hansu.arena.tournament.standings import CrossTable, Standing, rate, standings

BATCH = 500  # games read in one go


@dataclass(frozen=True)
class GameLine:
    """A finished game as a table counts it."""

    number: int
    first: str
    second: str
    score_first: float
    reason: str
    start: str
    moves: tuple[object, ...]  # a hash of them: equal for equal games
    turns: int
    evidence: str  # for the one who lost alone


class Results:
    """The games of a ledger; reading again reads only those that are new."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.lines: dict[int, GameLine] = {}

    def update(self) -> bool:
        """Read what has been played since; return whether there was something."""
        missing = sorted(self._numbers() - self.lines.keys())
        for start in range(0, len(missing), BATCH):
            for number, record in self._read(missing[start : start + BATCH]):
                self.add(number, record)
        return bool(missing)

    def _numbers(self) -> set[int]:
        chosen = sql.select(GAMES.c.number).where(GAMES.c.tournament == self.ledger.name)
        return set(self.ledger.database.run(lambda at: at.execute(chosen).scalars().all()))

    def _read(self, numbers: list[int]) -> list[tuple[int, str]]:
        mine = (GAMES.c.tournament == self.ledger.name) & GAMES.c.number.in_(numbers)
        chosen = sql.select(GAMES.c.number, GAMES.c.record).where(mine)
        rows = self.ledger.database.run(lambda at: at.execute(chosen).all())
        return [(row.number, row.record) for row in rows]

    def add(self, number: int, record: str) -> None:
        """Count a game by the line of its record."""
        facts: dict[str, Any] = json.loads(record)
        winner = facts["winner"]
        score = 0.5 if winner is None else float(winner == facts["first_color"])
        played = hashlib.blake2b(json.dumps(facts["moves"]).encode(), digest_size=16).digest()
        self.lines[number] = GameLine(
            number,
            facts["first"],
            facts["second"],
            score,
            facts["reason"],
            facts["start"],
            (played,),
            len(facts["moves"]),
            facts["evidence"],
        )

    def standings(self, plan: Plan) -> list[Standing]:
        """Return the table of a final, without the accuracy of moves."""
        is_swiss = plan.format == "swiss"
        scores = {number: line.score_first for number, line in self.lines.items()}
        return standings(
            plan.agents,
            [self.lines[number] for number in sorted(self.lines)],
            byes=byes(plan, scores) if is_swiss else None,
            swiss=is_swiss,
            judged=False,
        )

    def cross_table(self, names: list[str]) -> CrossTable:
        """Return who scored how much against whom."""
        return CrossTable(names, [self.lines[number] for number in sorted(self.lines)])

    def ratings(self, names: list[str]) -> dict[str, Rating]:
        """Return the ratings of players, as a tournament's table has them."""
        return rate(self.cross_table(names)) if len(names) > 1 else {}
