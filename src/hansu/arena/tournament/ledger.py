"""The database of results, written game by game, so that a kill loses none.

SQLite beside the other files of the tournament by default, PostgreSQL by URL. A game is one row
whose ``record`` is the JSON line from which everything else can be counted again.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from hansu.arena.tournament.plan import Plan
from hansu.errors import HansuError
from hansu.records.record import GameRecord

_META = sql.MetaData()
TOURNAMENTS = sql.Table(
    "tournaments",
    _META,
    sql.Column("name", sql.String(200), primary_key=True),
    sql.Column("plan", sql.Text, nullable=False),
)
GAMES = sql.Table(
    "games",
    _META,
    sql.Column("tournament", sql.ForeignKey("tournaments.name"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("first", sql.Text, nullable=False),
    sql.Column("second", sql.Text, nullable=False),
    sql.Column("score_first", sql.Float, nullable=False),
    sql.Column("reason", sql.Text, nullable=False),
    sql.Column("record", sql.Text, nullable=False),
)


class Ledger:
    """The results of one tournament."""

    def __init__(self, url: str, name: str) -> None:
        self.name = name
        if not isinstance(url, str):
            raise HansuError(f"{url!r} is not a database: text is expected")
        if url.startswith("postgresql://"):
            url = url.replace("postgresql://", "postgresql+psycopg://", 1)
        try:
            # No connection outlives its transaction: none is open when a worker is forked.
            self._engine = sql.create_engine(url, poolclass=NullPool)
        except ArgumentError:
            raise HansuError(
                f"{url!r} is not a database: sqlite:///FILE or postgresql://USER@HOST/NAME expected"
            ) from None
        except ModuleNotFoundError as error:
            raise HansuError(
                f"this database needs the package {error.name}: pip install 'hansu[postgres]'"
            ) from None
        with self._transaction():
            _META.create_all(self._engine)

    def enter(self, plan: Plan) -> None:
        """Begin or resume the tournament; refuse a different plan."""
        with self._transaction() as connection:
            found = connection.execute(
                sql.select(TOURNAMENTS.c.plan).where(TOURNAMENTS.c.name == self.name)
            ).scalar()
            if found is None:
                row = {"name": self.name, "plan": plan.as_json()}
                connection.execute(TOURNAMENTS.insert().values(row))
                return
        if differences := Plan.from_json(found).differences(plan):
            raise HansuError(
                f"another tournament is kept there: {'; '.join(differences)}; "
                "give the same options to resume it, or another --out"
            )

    def plan(self) -> Plan:
        """Return the plan of the tournament; raises HansuError if there is none yet."""
        with self._transaction() as connection:
            found = connection.execute(
                sql.select(TOURNAMENTS.c.plan).where(TOURNAMENTS.c.name == self.name)
            ).scalar()
        if found is None:
            raise HansuError("no tournament has been entered here yet")
        return Plan.from_json(found)

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
        try:
            with self._transaction() as connection:
                connection.execute(GAMES.insert().values(row))
        except IntegrityError:
            raise HansuError(
                f"game {number + 1} has been entered by another process: only one at a time "
                "can run a tournament"
            ) from None

    def results(self) -> dict[int, float]:
        """Number -> score of the player with the first colour, of all finished games."""
        with self._transaction() as connection:
            rows = connection.execute(self._mine(GAMES.c.number, GAMES.c.score_first))
            return {number: score for number, score in rows}

    def records(self) -> dict[int, GameRecord]:
        """Return all finished games by number, in order."""
        with self._transaction() as connection:
            rows = connection.execute(self._mine(GAMES.c.number, GAMES.c.record))
            return {number: GameRecord.from_json(line) for number, line in rows}

    def _mine(self, *columns: Any) -> Any:
        chosen = sql.select(*columns).where(GAMES.c.tournament == self.name)
        return chosen.order_by(GAMES.c.number)

    @contextmanager
    def _transaction(self) -> Iterator[sql.Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except SQLAlchemyError as error:
            reason = str(error).splitlines()[0]
            shown = self._engine.url.render_as_string(hide_password=True)
            raise HansuError(f"the database {shown} cannot be used: {reason}") from None
