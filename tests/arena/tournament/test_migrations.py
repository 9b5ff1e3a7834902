"""Databases of every older schema are brought to today's, on SQLite and on PostgreSQL."""

import threading
from pathlib import Path

import pytest
import sqlalchemy as sql
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.pool import NullPool

import hansu
from hansu.arena.tournament import database as database_module
from hansu.arena.tournament import migrations
from hansu.arena.tournament.database import Database
from hansu.arena.tournament.ledger import Ledger
from hansu.arena.tournament.migrations import REVISIONS, VERSION_TABLE

SCRIPTS = ScriptDirectory(Path(migrations.__file__).parent)


def engine_of(url: str) -> sql.Engine:
    url = url.replace("postgresql://", "postgresql+psycopg://", 1)
    return sql.create_engine(url, poolclass=NullPool)


def make_old(url: str, revision: str, is_written_down: bool) -> None:
    """Make the database that a hansu of a revision has made."""

    def steps(found, context):
        return SCRIPTS._upgrade_revs(revision, found)

    environment = EnvironmentContext(Config(), SCRIPTS, fn=steps)
    with engine_of(url).begin() as connection, environment:
        environment.configure(connection, version_table=VERSION_TABLE)
        environment.run_migrations()
        if not is_written_down:
            connection.exec_driver_sql(f"DROP TABLE {VERSION_TABLE}")


def check_current(url: str) -> None:
    """The tables are those of the program, and the revision says so."""
    with engine_of(url).begin() as connection:
        opts = {"version_table": VERSION_TABLE}
        context = MigrationContext.configure(connection, opts=opts)
        assert compare_metadata(context, database_module._META) == []
        assert context.get_current_heads() == (REVISIONS[-1],)


def tables_of(url: str) -> set[str]:
    with engine_of(url).begin() as connection:
        return set(sql.inspect(connection).get_table_names())


def add_game(url: str) -> str:
    """Put a game into an old database; return its record."""
    record = hansu.play_game("tictactoe", "random", "first_move", seed=1)
    row = {"t": "cup", "first": record.first, "second": record.second, "line": record.as_json()}
    with engine_of(url).begin() as connection:
        connection.execute(sql.text("INSERT INTO tournaments VALUES ('cup', '{}')"))
        connection.execute(
            sql.text("INSERT INTO games VALUES (:t, 0, :first, :second, 1.0, 'line', :line)"), row
        )
    return row["line"]


def test_the_revisions_are_those_of_the_scripts():
    assert tuple(each.revision for each in SCRIPTS.walk_revisions())[::-1] == REVISIONS


def check_every_schema(urls) -> None:
    Database(url := next(urls), "cup")
    check_current(url)
    for revision in REVISIONS:
        for is_written_down in (True, False):
            if not is_written_down and revision > "0002":
                continue  # every hansu that had this revision wrote it down
            make_old(url := next(urls), revision, is_written_down)
            line = add_game(url)
            kept = Ledger(Database(url, "cup")).record(0)
            assert kept is not None
            assert kept.as_json() == line
            check_current(url)
            assert Ledger(Database(url, "cup")).record(0) == kept  # and nothing is left to do


def test_every_older_schema_is_brought_to_todays(tmp_path):
    check_every_schema(f"sqlite:///{tmp_path / str(number)}" for number in range(100))


def test_the_same_on_postgresql(server):
    def urls():
        for number in range(100):
            with engine_of(server.url).connect() as connection:
                connection.execution_options(isolation_level="AUTOCOMMIT")
                connection.exec_driver_sql(f"CREATE DATABASE d{number}")
            yield server.url.replace("/postgres?", f"/d{number}?")

    check_every_schema(urls())


@pytest.mark.parametrize("is_new", [True, False])
def test_many_may_open_an_old_database_at_once(tmp_path, is_new):
    url, errors = f"sqlite:///{tmp_path / 'd'}", []
    if not is_new:
        make_old(url, "0001", False)

    def open_it() -> None:
        try:
            Database(url, "cup")
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    check_current(url)


def test_a_step_that_fails_changes_nothing(tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path / 'd'}"
    make_old(url, "0001", False)
    with engine_of(url).begin() as connection:
        connection.exec_driver_sql("CREATE TABLE snapshots (mine INTEGER)")  # in the way
    before = tables_of(url)
    with pytest.raises(hansu.HansuError, match=r"cannot be used: .*snapshots"):
        Database(url, "cup")
    assert tables_of(url) == before


def test_a_newer_database_is_refused(tmp_path):
    file = tmp_path / "cup" / "tournament.sqlite"
    hansu.tournament("tictactoe", "random", "first_move", out=file.parent)
    with engine_of(f"sqlite:///{file}").begin() as connection:
        connection.exec_driver_sql(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    with pytest.raises(hansu.HansuError, match=r"was written by a newer hansu: update this one$"):
        hansu.tournament("tictactoe", "random", "first_move", out=file.parent)
