"""Playouts on a GPU: the same functions on the CPU, compiled for the card, and on a card."""

import re
import types as simple

import numpy as np
import pytest

import hansu
from hansu.errors import HansuError
from hansu.kernel import gpu, seeded
from hansu.search.playout import POLICIES, make_policy, playouts
from hansu.search.playouts_gpu import (
    make_playouts_on_card,
    make_share,
    playouts_on_gpu,
    thread_seed,
)
from tests.small_games import SMALL_GAMES

QUICK = [("connect4", "heavy"), ("go:size=5", "light"), ("tictactoe", "light")]
CASES = [(name, policy) for name in SMALL_GAMES for policy in POLICIES]
SOME_CASES = [
    case if case in QUICK else pytest.param(*case, marks=pytest.mark.slow) for case in CASES
]


def has_card():
    try:
        gpu.card()
    except HansuError:
        return False
    return True


def middle_of(name):
    state = hansu.game(name).start()
    for _ in range(4):
        state.push(next(iter(state.legal_moves)))
    return state


def counted(state, policy, rngs, games):
    """Play the shares of some threads on the CPU, one after another."""
    share = make_share(state.game.rules, make_policy(state.game, policy))
    counts = np.zeros(4, np.int64)
    moves = np.empty(state.game.rules.MAX_MOVES, np.int64)
    for rng in rngs:
        own = np.empty_like(state.words)
        share(state.words, own, state.path_with_room(), moves, rng, games, counts)
    return counts.tolist()


@pytest.mark.parametrize(("name", "policy"), SOME_CASES)
def test_a_threads_share_is_what_the_cpu_plays(name, policy):
    state = middle_of(name)
    found = counted(state, policy, [seeded(5)], 40)
    assert found == list(playouts(state, 40, 5, policy))
    assert found[3] > 40


@pytest.mark.parametrize(("name", "policy"), SOME_CASES)
def test_every_game_compiles_for_a_card(name, policy, monkeypatch):
    """No card is needed for that: the compiler is asked for the code of one."""
    pytest.importorskip("numba_cuda", reason="numba-cuda, of the extra gpu, is not installed")
    cuda = gpu.compiler()
    from numba import types
    from numba.cuda import dispatcher

    card = simple.SimpleNamespace(compute_capability=(8, 0))
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: card)
    state = hansu.game(name).start()
    pick = make_policy(state.game, policy)
    room = len(state.path_with_room())
    code = make_playouts_on_card(state.game.rules, pick, len(state.words), room).py_func
    words, counts = types.uint64[:, ::1], types.int64[:, ::1]
    takes = types.void(words, words, types.int64, types.uint64, counts)
    text, _ = cuda.compile_ptx(code, takes, cc=(8, 0))
    assert ".entry" in text
    assert not re.search(r"\.const .*\[\d+\]", text)  # 64 kB of it are too few for our tables


@pytest.mark.skipif(not has_card(), reason="there is no NVIDIA card here, or no numba-cuda")
@pytest.mark.parametrize(("name", "policy"), CASES)
def test_a_card_plays_the_games_of_the_cpu(name, policy):
    state, threads = middle_of(name), gpu.BLOCK
    later = state.forward(next(iter(state.legal_moves)))

    def rngs(numbers):
        return [np.array([thread_seed(np.uint64(9), n)], np.uint64) for n in numbers]

    found = playouts(state, threads, 9, policy, device="cuda")
    assert list(found) == counted(state, policy, rngs(range(threads)), 1)
    pair = playouts_on_gpu([later] * 2, make_policy(state.game, policy), threads // 2, 9)
    assert pair == [counted(later, policy, rngs(range(n, threads, 2)), 1) for n in range(2)]


@pytest.mark.skipif(has_card(), reason="there is a card here")
def test_without_a_card_one_sentence_says_so():
    with pytest.raises(HansuError, match=r"device=cuda needs (numba-cuda|an NVIDIA card)"):
        playouts(hansu.game("tictactoe").start(), 10, device="cuda")


def test_an_unknown_device_is_refused():
    with pytest.raises(HansuError, match=r"there is no device .tpu."):
        playouts(hansu.game("tictactoe").start(), 10, device="tpu")
