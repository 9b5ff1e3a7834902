"""One process at a time runs a tournament, and a database server may restart meanwhile."""

import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import hansu
from hansu.arena.tournament import database as database_module

TAKEN = "another process is running"


def command(folder: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "hansu", "tournament", "tictactoe", "random", "first_move",
            "--out", str(folder), *words]  # fmt: skip


@pytest.fixture
def running(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A tournament that is being played in the folder ``cup``."""
    started = subprocess.Popen(
        command(tmp_path / "cup", "--rounds", "100000"), stderr=subprocess.PIPE, text=True
    )
    started.stderr.readline()
    yield started
    started.kill()
    started.communicate()


def test_a_second_process_is_told_at_once(running, tmp_path):
    second = subprocess.run(
        command(tmp_path / "cup", "--rounds", "100000"), capture_output=True, text=True, timeout=300
    )
    assert second.returncode == 2
    assert second.stderr.startswith(f"hansu: {TAKEN}")
    assert len(second.stderr.splitlines()) == 1
    assert running.poll() is None
    running.kill()
    running.wait()
    with pytest.raises(hansu.HansuError, match="rounds 100000 there"):  # and no longer taken
        hansu.tournament("tictactoe", "random", "first_move", out=tmp_path / "cup")


def test_a_second_tournament_of_this_process_is_told_too(tmp_path):
    def again(record, done, planned):
        with pytest.raises(hansu.HansuError, match=TAKEN):
            hansu.tournament("tictactoe", "random", "first_move", out=tmp_path)

    result = hansu.tournament("tictactoe", "random", "first_move", out=tmp_path, progress=again)
    assert len(result.games) == 2


def test_two_folders_of_one_name_in_one_database(tmp_path):
    url = f"sqlite:///{tmp_path / 'shared.sqlite'}"

    def again(record, done, planned):
        with pytest.raises(hansu.HansuError, match=TAKEN):
            hansu.tournament(
                "tictactoe", "random", "first_move", out=tmp_path / "b" / "cup", database=url
            )

    hansu.tournament(
        "tictactoe", "random", "first_move", out=tmp_path / "a" / "cup", database=url,
        progress=again,
    )  # fmt: skip


# PostgreSQL --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_server_that_restarts_is_waited_for(server, tmp_path, monkeypatch):
    monkeypatch.setattr(database_module, "PAUSE", 0.1)

    def restart(record, done, planned):
        if done in (3, 6, 9):
            server.stop()
            starting.append(pool.submit(lambda: (time.sleep(1.0), server.start())))

    starting = []
    with ThreadPoolExecutor(1) as pool, pytest.warns(UserWarning, match="waiting for it"):
        result = hansu.tournament(
            "tictactoe", "random", "first_move", rounds=6, out=tmp_path / "cup",
            database=server.url, progress=restart, concurrency=2,
        )  # fmt: skip
    assert len(starting) == 3
    assert sorted(result.records) == list(range(12))


@pytest.mark.slow
def test_on_a_server_too_only_one_process_at_a_time(server, tmp_path):
    def second():
        words = command(tmp_path / "b" / "cup", "--rounds", "2", "--database", server.url)
        return subprocess.run(words, capture_output=True, text=True, timeout=300)

    def look(record, done, planned):
        if done in (1, 3):
            tried.append(second())
        if done == 1:
            server.stop()  # which ends the claim
            server.start()

    tried: list[subprocess.CompletedProcess[str]] = []
    hansu.tournament(
        "tictactoe", "random", "first_move", rounds=2, out=tmp_path / "a" / "cup",
        database=server.url, seed=1, progress=look,
    )  # fmt: skip
    assert [(done.returncode, TAKEN in done.stderr) for done in tried] == [(2, True)] * 2
    assert second().returncode == 0
