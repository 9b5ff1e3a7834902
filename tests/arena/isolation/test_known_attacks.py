"""Agents that once cheated (see the README beside them): nothing of it works any more."""

import ast
import itertools
import re
import shutil

import pytest

import hansu

MATCH = {"seconds": 60.0, "seed": 1}


@pytest.fixture
def attack(isolation, shared_data, tmp_path):
    """Plays one of them, in a folder with neighbours and secrets; the evidence of its loss."""

    def play(name: str, opponent: str = "mcts:n_simulations=3000") -> str:
        for file in shared_data("attacks").glob("*.py"):
            shutil.copy(file, tmp_path)
        (tmp_path / ".env").write_text("TOKEN=secret")
        record = hansu.play_game("connect4", f"{tmp_path}/{name}", opponent, **MATCH)
        assert record.winner == opponent
        return record.evidence

    return play


def test_a_timer_does_not_undo_a_stop(attack):
    found = attack("timer2.py:honest=0")
    log = ast.literal_eval(re.search(r"turns: (\[.*\])", found)[1])
    used = [after[0] - before[0] for before, after in itertools.pairwise(log)]
    assert max(used) < 0.1  # its own turn, and the way to the stop


def test_only_itself_is_there_to_read(attack):
    found = attack("neighbours.py", "random")
    assert "RuntimeError: {'neighbours.py': b'" in found
    assert found.count("b'") == 1


@pytest.mark.slow
def test_memory_without_pages_counts(attack):
    assert re.search(r"used \d+ MiB of memory", attack("shm_dontneed.py", "random"))
