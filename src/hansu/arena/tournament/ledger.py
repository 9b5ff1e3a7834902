"""The database of results, written game by game, so that a kill loses none.

SQLite beside the other files of the tournament by default, PostgreSQL by URL. A game is one row
whose ``record`` is the JSON line from which everything else can be counted again.
"""

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import sqlalchemy as sql
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.pool import NullPool

from hansu.arena.tournament.claim import HANDOVER, RETRY, TAKEN, claimed_file
from hansu.arena.tournament.plan import Plan
from hansu.errors import HansuError
from hansu.records.record import GameRecord

T = TypeVar("T")

PATIENCE = 600.0  # seconds that a tournament waits for a database server to come back
PAUSE = 1.0  # seconds between two attempts

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
        self._is_server = self._engine.dialect.name == "postgresql"
        self._patience = 0.0
        self._claim: sql.Connection | None = None
        self._run(_META.create_all)

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Keep every other process from running this tournament, for as long as this lasts.

        Meanwhile a database server that goes down, say for a restart, is waited for.

        Raises:
            HansuError: Another process is running it.
        """
        if self._is_server:
            self._claim_on_server()
            self._patience = PATIENCE
            try:
                yield
            finally:
                self._patience = 0.0
                self._drop_claim()
        else:
            with claimed_file(f"{self._engine.url.database}.{self.name}.lock"):
                yield

    def enter(self, plan: Plan) -> None:
        """Begin or resume the tournament; refuse a different plan."""

        def work(connection: sql.Connection) -> Plan:
            found = self._found(connection)
            if found is None:
                row = {"name": self.name, "plan": plan.as_json()}
                connection.execute(TOURNAMENTS.insert().values(row))
            return found or plan

        if differences := self._run(work).differences(plan):
            raise HansuError(
                f"another tournament is kept there: {'; '.join(differences)}; "
                "give the same options to resume it, or another --out"
            )

    def find_plan(self) -> Plan | None:
        """Return what is being played here; None if nothing has been entered yet."""
        return self._run(self._found)

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
            self._run(work)
        except IntegrityError:
            if self._line(number) == row["record"]:
                return  # it was kept, and only the answer was lost
            raise HansuError(
                f"game {number + 1} has been entered by another process: only one at a time "
                "can run a tournament"
            ) from None

    def results(self) -> dict[int, float]:
        """Number -> score of the player with the first colour, of all finished games."""
        chosen = self._mine(GAMES.c.number, GAMES.c.score_first)
        return self._run(lambda open: {number: score for number, score in open.execute(chosen)})

    def records(self) -> dict[int, GameRecord]:
        """Return all finished games by number, in order."""
        chosen = self._mine(GAMES.c.number, GAMES.c.record)
        lines = self._run(lambda open: [tuple(row) for row in open.execute(chosen)])
        return {number: GameRecord.from_json(line) for number, line in lines}

    def _line(self, number: int) -> str | None:
        chosen = self._mine(GAMES.c.record).where(GAMES.c.number == number)
        return self._run(lambda open: open.execute(chosen).scalar())

    def _mine(self, *columns: Any) -> Any:
        chosen = sql.select(*columns).where(GAMES.c.tournament == self.name)
        return chosen.order_by(GAMES.c.number)

    def _run(self, work: Callable[[sql.Connection], T]) -> T:
        """Do something in one transaction; try again while a server that was there is away."""
        deadline, is_told = time.monotonic() + self._patience, False
        while True:
            try:
                if self._patience:
                    self._keep_claim()
                with self._engine.begin() as connection:
                    return work(connection)
            except IntegrityError:
                raise
            except SQLAlchemyError as error:
                if time.monotonic() > deadline or not self._is_away(error):
                    raise HansuError(self._complaint(error)) from None
                if not is_told:
                    warnings.warn(f"{self._complaint(error)}; waiting for it", stacklevel=2)
                is_told = True
                self._drop_claim()  # it has ended with the server
                time.sleep(PAUSE)

    def _is_away(self, error: SQLAlchemyError) -> bool:
        """Whether an error says that the server does not answer for now."""
        lost = isinstance(error, DBAPIError) and error.connection_invalidated
        return self._is_server and (lost or isinstance(error, OperationalError | InterfaceError))

    def _complaint(self, error: SQLAlchemyError) -> str:
        shown = self._engine.url.render_as_string(hide_password=True)
        return f"the database {shown} cannot be used: {str(error).splitlines()[0]}"

    def _claim_on_server(self) -> None:
        """Take the server's lock of this name, which ends with this connection."""
        connection = self._engine.connect()
        wanted = sql.select(sql.func.pg_try_advisory_lock(sql.func.hashtext(self.name)))
        deadline = time.monotonic() + HANDOVER
        while not connection.execute(wanted).scalar():
            connection.rollback()
            if time.monotonic() > deadline:
                connection.close()
                raise HansuError(TAKEN.format(self.name))
            time.sleep(RETRY)
        connection.commit()
        self._claim = connection

    def _keep_claim(self) -> None:
        """Take the lock again if it has ended with the server since."""
        try:
            if self._claim is not None:
                self._claim.execute(sql.select(1))
                self._claim.rollback()
                return
        except SQLAlchemyError:
            self._drop_claim()
        self._claim_on_server()

    def _drop_claim(self) -> None:
        if self._claim is not None:
            with suppress(SQLAlchemyError):
                self._claim.close()
            self._claim = None
