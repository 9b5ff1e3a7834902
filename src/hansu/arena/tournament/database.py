"""The database behind every event: SQLite in a file by default, PostgreSQL by URL.

One schema for tournaments and competitions; a change of it needs a step in ``migrations``. A
finished game is one row whose ``record`` is the JSON line from which everything else can be counted
again.
"""

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

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
from hansu.arena.tournament.migrations import migrate
from hansu.deferred_signals import deferred_signals
from hansu.errors import HansuError

T = TypeVar("T")

PATIENCE = 600.0  # seconds that an event waits for a database server to come back
PAUSE = 1.0  # seconds between two attempts
BUSY = 60.0  # seconds that a process waits while another one writes to the same file
CONNECT = 10  # seconds in which a database server answers

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
PARTICIPANTS = sql.Table(
    "participants",
    _META,
    sql.Column("event", sql.String(200), primary_key=True),
    sql.Column("name", sql.String(200), primary_key=True),
    sql.Column("folded", sql.String(200), nullable=False),  # so that Kim is not kim
    sql.Column("token", sql.String(64)),  # its SHA-256, never the token itself
    sql.Column("is_staff", sql.Boolean, nullable=False),
    sql.Column("withdrawn", sql.Float),  # when; None: takes part
    sql.UniqueConstraint("event", "folded"),
    sql.UniqueConstraint("event", "token"),
)
ENTRIES = sql.Table(
    "entries",
    _META,
    sql.Column("event", sql.String(200), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("participant", sql.String(200), nullable=False),
    sql.Column("version", sql.Integer, nullable=False),
    sql.Column("digest", sql.String(64), nullable=False),  # SHA-256 of what was submitted
    sql.Column(
        "agent", sql.Text, nullable=False
    ),  # its file, seen from the folder; of staff, its name
    sql.Column("source", sql.Text, nullable=False),  # folder, page, command, staff
    sql.Column("received", sql.Float, nullable=False),
    sql.Column("status", sql.Text, nullable=False),  # received, accepted, rejected
    sql.Column("report", sql.Text, nullable=False),  # JSON: what the check found
    sql.UniqueConstraint("event", "participant", "version"),
)
ENCOUNTERS = sql.Table(
    "encounters",
    _META,
    sql.Column("event", sql.String(200), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("round", sql.Integer, nullable=False),
    sql.Column("a", sql.Integer, nullable=False),  # the numbers of two entries
    sql.Column("b", sql.Integer, nullable=False),
)
SNAPSHOTS = sql.Table(
    "snapshots",
    _META,
    sql.Column("event", sql.String(200), primary_key=True),
    sql.Column("round", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("at", sql.Float, nullable=False),
    sql.Column("ratings", sql.Text, nullable=False),  # JSON: entry -> [Elo, error]
)


class Database:
    """One event's place in a database."""

    def __init__(self, url: str, name: str) -> None:
        self.name = name
        if not isinstance(url, str):
            raise HansuError(f"{url!r} is not a database: text is expected")
        if url.startswith("postgresql://"):
            url = url.replace("postgresql://", "postgresql+psycopg://", 1)
        is_file = url.startswith("sqlite")
        waits = {"timeout": BUSY} if is_file else {"connect_timeout": CONNECT}
        try:
            # No connection outlives its transaction: none is open when a worker is forked.
            self._engine = sql.create_engine(url, poolclass=NullPool, connect_args=waits)
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
        self.run(lambda connection: migrate(connection, _META))

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Keep every other process from running this event, for as long as this lasts.

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

    def change(self, work: Callable[[sql.Connection], T]) -> T:
        """Read and write in one transaction while no other process writes."""

        def alone(connection: sql.Connection) -> T:
            if self._is_server:
                lock = sql.func.pg_advisory_xact_lock(sql.func.hashtext(f"write {self.name}"))
                connection.execute(sql.select(lock))
            else:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            return work(connection)

        return self.run(alone)

    def run(self, work: Callable[[sql.Connection], T]) -> T:
        """Do something in one transaction; try again while a server that was there is away."""
        deadline, is_told = time.monotonic() + self._patience, False
        while True:
            try:
                if self._patience:
                    self._keep_claim()
                # An interrupted one would leave SQLAlchemy's own traceback on the terminal.
                with deferred_signals(), self._engine.begin() as connection:
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
            with deferred_signals(), suppress(SQLAlchemyError):
                self._claim.close()
            self._claim = None
