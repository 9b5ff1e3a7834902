"""The database of an event, when a signal comes in the middle of a transaction."""

import signal

import pytest
import sqlalchemy as sql

from hansu.arena.tournament.database import TOURNAMENTS, Database


@pytest.fixture
def database(tmp_path):
    return Database(f"sqlite:///{tmp_path}/event.sqlite", "spring")


@pytest.fixture(params=[signal.SIGINT, signal.SIGTERM])
def stopping(request):
    """A signal that raises KeyboardInterrupt wherever the program is, as the commands let it."""
    before = signal.signal(request.param, signal.default_int_handler)
    yield request.param
    signal.signal(request.param, before)


@pytest.mark.parametrize("moment", ["begin", "commit", "checkin", "reset", "close"])
def test_a_signal_during_a_transaction_is_heard_after_it(database, stopping, moment, caplog):
    engine = database._engine
    row = sql.insert(TOURNAMENTS).values(name="spring", plan="{}")
    sql.event.listen(engine, moment, lambda *_: signal.raise_signal(stopping), once=True)
    with pytest.raises(KeyboardInterrupt):
        database.run(lambda connection: connection.execute(row))
    assert not caplog.records  # SQLAlchemy tells the log, and it the terminal, with a traceback
    assert database.run(lambda connection: connection.execute(sql.select(TOURNAMENTS)).all())
