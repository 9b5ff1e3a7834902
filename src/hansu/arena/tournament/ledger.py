"""The results of one event, written game by game, so that a kill loses none."""

from collections.abc import Collection
from contextlib import AbstractContextManager
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError

from hansu.arena.tournament.database import GAMES, TOURNAMENTS, Database
from hansu.arena.tournament.plan import Plan
from hansu.errors import HansuError
from hansu.records.record import GameRecord


class Ledger:
    """The results of one tournament, or of one stage of a competition."""

    def __init__(self, database: Database, name: str = "") -> None:
        self.database, self.name = database, name or database.name

    def claimed(self) -> AbstractContextManager[None]:
        """Keep every other process from running this tournament, for as long as this lasts."""
        return self.database.claimed()

    def enter(self, plan: Plan) -> None:
        """Begin or resume the tournament; refuse a different plan."""

        def work(connection: sql.Connection) -> Plan:
            found = self._found(connection)
            if found is None:
                row = {"name": self.name, "plan": plan.as_json()}
                connection.execute(TOURNAMENTS.insert().values(row))
            return found or plan

        if differences := self.database.run(work).differences(plan):
            raise HansuError(
                f"another tournament is kept there: {'; '.join(differences)}; "
                "give the same options to resume it, or another --out"
            )

    def find_plan(self) -> Plan | None:
        """Return what is being played here; None if nothing has been entered yet."""
        return self.database.run(self._found)

    def plan(self) -> Plan:
        """Return the plan of the tournament; raises HansuError if there is none yet."""
        found = self.find_plan()
        if found is None:
            raise HansuError("no tournament has been entered here yet")
        return found

    def _found(self, connection: sql.Connection) -> Plan | None:
        chosen = sql.select(TOURNAMENTS.c.plan).where(TOURNAMENTS.c.name == self.name)
        found = connection.execute(chosen).scalar()
        return None if found is None else Plan.from_json(found)

    def add(self, number: int, record: GameRecord) -> None:
        """Keep a finished game: when this returns, it is on disk."""
        row = {
            "tournament": self.name,
            "number": number,
            "first": record.first,
            "second": record.second,
            "score_first": record.score_first,
            "reason": record.outcome.reason,
            "record": record.as_json(),
        }

        def work(connection: sql.Connection) -> None:
            connection.execute(GAMES.insert().values(row))

        try:
            self.database.run(work)
        except IntegrityError:
            if self._line(number) == row["record"]:
                return  # it was kept, and only the answer was lost
            raise HansuError(
                f"game {number + 1} has been entered by another process: only one at a time "
                "can run a tournament"
            ) from None

    def take_back(self, numbers: Collection[int]) -> None:
        """Forget finished games, all or none: they are missing, and are played again."""
        mine = (GAMES.c.tournament == self.name) & GAMES.c.number.in_(list(numbers))
        self.database.change(lambda open: open.execute(GAMES.delete().where(mine)))

    def results(self) -> dict[int, float]:
        """Number -> score of the player with the first colour, of all finished games."""
        chosen = self._mine(GAMES.c.number, GAMES.c.score_first)
        return self.database.run(lambda open: dict(iter(open.execute(chosen))))

    def records(self, reasons: Collection[str] = ()) -> dict[int, GameRecord]:
        """Return all finished games, or those with certain reasons, by number, in order."""
        chosen = self._mine(GAMES.c.number, GAMES.c.record)
        if reasons:
            chosen = chosen.where(GAMES.c.reason.in_(reasons))
        lines = self.database.run(lambda open: [tuple(row) for row in open.execute(chosen)])
        return {number: GameRecord.from_json(line) for number, line in lines}

    def record(self, number: int) -> GameRecord | None:
        """Return a finished game by its number."""
        line = self._line(number)
        return None if line is None else GameRecord.from_json(line)

    def _line(self, number: int) -> str | None:
        chosen = self._mine(GAMES.c.record).where(GAMES.c.number == number)
        return self.database.run(lambda open: open.execute(chosen).scalar())

    def _mine(self, *columns: Any) -> Any:
        chosen = sql.select(*columns).where(GAMES.c.tournament == self.name)
        return chosen.order_by(GAMES.c.number)
