"""Bring a database to the schema of this program, whichever hansu wrote it.

The steps are Alembic's scripts in ``versions``. Alembic is loaded only where there is a step to
take: a new database is made as it is today, and a current one is left alone.
"""

from pathlib import Path
from typing import Any

import sqlalchemy as sql

from hansu.errors import HansuError

REVISIONS = ("0001", "0002")  # of the scripts, in their order
VERSION_TABLE = "hansu_schema"  # a shared database may hold Alembic's usual one for another program

_VERSION = sql.Table(
    VERSION_TABLE, sql.MetaData(), sql.Column("version_num", sql.String(32), primary_key=True)
)


def migrate(connection: sql.Connection, schema: sql.MetaData) -> None:
    """Create or update the tables, in the transaction of a connection.

    Raises:
        HansuError: A newer program has written this database.
    """
    if _written_revision(connection) == REVISIONS[-1]:
        return
    _wait_for_others(connection)
    written = _written_revision(connection)  # another process may have been faster
    found = written or _unwritten_revision(connection)
    if found is None:
        schema.create_all(connection)
        _VERSION.create(connection, checkfirst=True)
        connection.execute(_VERSION.insert().values(version_num=REVISIONS[-1]))
    elif found not in REVISIONS:
        shown = connection.engine.url.render_as_string(hide_password=True)
        raise HansuError(f"the database {shown} was written by a newer hansu: update this one")
    elif written != REVISIONS[-1]:
        _upgrade(connection, found)


def _written_revision(connection: sql.Connection) -> str | None:
    """Return the revision that a database names; None if it names none."""
    if not sql.inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(sql.select(_VERSION.c.version_num)).scalar()


def _unwritten_revision(connection: sql.Connection) -> str | None:
    """Return the revision of a database from before they were written; None if it is empty."""
    tables = sql.inspect(connection).get_table_names()
    if "tournaments" not in tables:
        return None
    return "0002" if "participants" in tables else "0001"


def _wait_for_others(connection: sql.Connection) -> None:
    """Let one process at a time change the schema."""
    if connection.dialect.name == "postgresql":
        lock = sql.func.pg_advisory_xact_lock(sql.func.hashtext(VERSION_TABLE))
        connection.execute(sql.select(lock))
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _upgrade(connection: sql.Connection, found: str) -> None:
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(Path(__file__).parent)

    def steps(revision: Any, context: Any) -> Any:
        return scripts._upgrade_revs(REVISIONS[-1], revision)

    with EnvironmentContext(Config(), scripts, fn=steps) as environment:
        environment.configure(connection, version_table=VERSION_TABLE)
        context = environment.get_context()
        if not context.get_current_heads():
            context.stamp(scripts, found)
        environment.run_migrations()
