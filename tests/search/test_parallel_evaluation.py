"""A network in several threads: the same answers, and the same small trees."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hansu
from hansu.search.parallel_evaluation import ParallelEvaluation
from hansu.search.puct_search import ALIKE, PuctSearch, PuctSettings
from tests.search.networks import arbitrary
from tests.search.positions import random_positions


@given(st.integers(1, 40), st.integers(1, 9))
def test_the_answers_are_those_of_one_thread_in_their_order(count, threads):
    leaves = np.arange(count, dtype=np.uint64)[:, None]
    parallel = ParallelEvaluation(lambda part: part.astype(np.float32) + 1, threads)
    assert parallel(leaves).ravel().tolist() == list(range(1, count + 1))


def test_the_parts_are_evaluated_at_the_same_time():
    meeting = threading.Barrier(3, timeout=60)

    def evaluate(leaves):
        meeting.wait()
        return leaves.astype(np.float32)

    assert len(ParallelEvaluation(evaluate, 3)(np.zeros((6, 1), np.uint64))) == 6


def test_a_fault_in_any_thread_is_told():
    def evaluate(leaves):
        if 5 in leaves:
            raise ValueError("no answer")
        return leaves.astype(np.float32)

    with pytest.raises(ValueError, match="no answer"):
        ParallelEvaluation(evaluate, 2)(np.arange(6, dtype=np.uint64)[:, None])


def test_the_threads_end_with_the_search():
    before = set(threading.enumerate())
    search = PuctSearch(*position("connect4"), PuctSettings(threads=3))
    search.run(500)
    started = set(threading.enumerate()) - before
    assert 1 <= len(started) <= 2
    del search
    for thread in started:
        thread.join(60)
        assert not thread.is_alive()


@pytest.mark.parametrize("name", ["tictactoe", "connect4"])
def test_a_small_tree_is_the_same_with_any_number_of_threads(name):
    trees = [searched(name, threads, ALIKE - 1) for threads in (1, 2, 3)]
    assert trees[0] == trees[1] == trees[2]


@pytest.mark.parametrize("name", ["tictactoe", "connect4"])
def test_a_large_tree_is_whole_too(name):
    moves = searched(name, 4, 3 * ALIKE)
    assert sum(child["visits"] for child in moves) == 3 * ALIKE - 1
    assert all(0.0 <= child["value"] <= 1.0 for child in moves)


@pytest.mark.parametrize("game", ["go", "hex"])
def test_the_engine_evaluates_in_its_threads(game):
    start = hansu.game(game).start()
    agent = hansu.agent(game, "engine:threads=3,search_time=0.05")
    agent.act(start)
    assert agent.searcher.tree.settings.threads == 3


def position(name):
    state = random_positions(name, 1, seed=9)[0]
    return state, arbitrary(state.game)


def searched(name, threads, visits):
    search = PuctSearch(*position(name), PuctSettings(threads=threads))
    search.run(visits)
    return search.children()
