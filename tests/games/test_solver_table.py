"""Transposition tables: their room, and their files."""

import math
import os
import sys
import tracemalloc

import numpy as np
import pytest

import hansu
from hansu.errors import HansuError
from hansu.games.connect4.solver import Connect4Solver
from hansu.games.solver import NoRoom, memory_of_machine, new_table
from tests.command_line import hansu as command

CONNECT4 = hansu.game("connect4")
IMPOSSIBLE = 2**20  # megabytes


@pytest.mark.parametrize("memory", [IMPOSSIBLE, 2 * IMPOSSIBLE])
def test_a_table_larger_than_all_memory_is_refused(memory):
    with pytest.raises(NoRoom, match=f"no room for a table of {memory:,} MB: choose a smaller"):
        new_table(memory)


def test_a_table_that_the_system_refuses_is_refused(monkeypatch):
    def full(*_):
        raise MemoryError

    monkeypatch.setattr(np, "zeros", full)
    with pytest.raises(NoRoom, match="no room for a table of 1 MB"):
        new_table(1)


@pytest.mark.skipif(sys.platform != "linux", reason="others do not say")
def test_the_memory_of_the_machine_is_what_the_system_says():
    main = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 0.95 * main < memory_of_machine() < math.inf


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "connect4", "--memory", str(IMPOSSIBLE)),
        ("solve", "othello", "--memory", str(IMPOSSIBLE), "--seconds", "1"),
        ("analyze", "connect4", "--agent", f"perfect:memory={IMPOSSIBLE}"),
    ],
)
def test_commands_say_that_there_is_no_room(words):
    said = command(*words, code=2).stderr
    assert "no room for a table of 1,048,576 MB: choose a smaller memory" in " ".join(said.split())


def test_files_of_tables_are_written_and_read_without_a_copy(tmp_path):
    first, second = Connect4Solver(CONNECT4, 16), Connect4Solver(CONNECT4, 16)
    first.table[:] = np.arange(len(first.table))
    tracemalloc.start()
    try:
        first.save(tmp_path / "table")
        second.load(tmp_path / "table")
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (second.table == first.table).all()
    assert most < first.table.nbytes / 8


def test_a_file_that_was_cut_is_refused(tmp_path):
    solver, file = Connect4Solver(CONNECT4, 1), tmp_path / "table"
    solver.save(file)
    whole = file.read_bytes()
    for part in (b"", whole[:50], whole[:-8], whole + b"12345678"):
        file.write_bytes(part)
        with pytest.raises(HansuError, match="holds another game's table or one of another size"):
            solver.load(file)


def test_a_file_that_cannot_be_written_or_read_is_a_sentence(tmp_path):
    solver, file = Connect4Solver(CONNECT4, 1), tmp_path / "no" / "table"
    with pytest.raises(HansuError, match=r"cannot write .*table: No such file or directory$"):
        solver.save(file)
    with pytest.raises(HansuError, match=r"cannot read .*table: No such file or directory$"):
        solver.load(file)
