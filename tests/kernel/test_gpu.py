"""Playouts on a GPU: the same functions on the CPU, compiled for the card, and on a card."""

import importlib.util
import re

import numpy as np
import pytest
from numba import types

import hansu
from hansu.errors import HansuError
from hansu.kernel import JIT, gpu, kernel, seeded
from hansu.kernel.gpu import has_card
from hansu.search.playout import POLICIES, make_playouts, playout_form, playouts
from hansu.search.playouts_gpu import (
    make_playouts_on_card,
    make_share,
    playouts_on_gpu,
    thread_seed,
)
from tests.small_games import SMALL_GAMES, all_but_slow

QUICK = [("connect4", "heavy"), ("go:size=5", "light"), ("tictactoe", "light")]
CASES = [(name, policy) for name in SMALL_GAMES for policy in POLICIES]
SOME_CASES = [
    case if case in QUICK else pytest.param(*case, marks=pytest.mark.slow) for case in CASES
]


HAS_COMPILER = importlib.util.find_spec("numba_cuda") is not None and JIT
COMPILER = pytest.mark.skipif(not HAS_COMPILER, reason="numba-cuda, of the extra gpu, is needed")


def middle_of(name):
    state = hansu.game(name).start()
    for _ in range(4):
        state.push(next(iter(state.legal_moves)))
    return state


def counted(state, policy, rngs, games):
    """Play the shares of some threads on the CPU, one after another."""
    rules, pick, words = playout_form(state, policy)
    share = make_share(rules, pick)
    counts = np.zeros(4, np.int64)
    moves = np.empty(rules.MAX_MOVES, np.int64)
    for rng in rngs:
        own = np.empty_like(words)
        share(words, own, state.path_with_room(), moves, rng, games, counts)
    return counts.tolist()


@pytest.mark.parametrize(("name", "policy"), SOME_CASES)
def test_a_threads_share_is_what_the_cpu_plays(name, policy):
    state = middle_of(name)
    found = counted(state, policy, [seeded(5)], 40)
    rules, pick, words = playout_form(state, policy)
    expected = np.zeros(4, np.int64)
    make_playouts(rules, pick)(words, state.path_with_room(), 40, seeded(5), expected)
    assert found == expected.tolist()
    assert found == list(playouts(state, 40, 5, policy))
    assert found[3] > 40


@pytest.mark.parametrize(("name", "policy"), SOME_CASES)
@COMPILER
def test_every_game_compiles_for_a_card(name, policy):
    """No card is needed for that: the compiler is asked for the code of one."""
    state = hansu.game(name).start()
    rules, pick, own = playout_form(state, policy)
    room = len(state.path_with_room())
    run = make_playouts_on_card(rules, pick, len(own), room)
    words, counts = types.uint64[:, ::1], types.int64[:, ::1]
    takes = (words, words, types.int64, types.uint64, counts)
    text = gpu.compiled_for_card(run, *takes, is_kernel=True)
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
    pair = playouts_on_gpu([later] * 2, policy, threads // 2, 9)
    assert pair == [counted(later, policy, rngs(range(n, threads, 2)), 1) for n in range(2)]


@pytest.mark.skipif(not has_card(), reason="there is no NVIDIA card here, or no numba-cuda")
@pytest.mark.parametrize("name", SMALL_GAMES)
def test_a_card_maps_win_rates_as_the_cpu_does(name):
    state = middle_of(name)
    found = hansu.win_rate_map(state, 100_000, device="cuda")
    expected = hansu.win_rate_map(state, 2_000)
    assert found == {move: pytest.approx(rate, abs=0.06) for move, rate in expected.items()}


def test_win_rates_are_of_every_legal_move():
    state = hansu.game("connect4").start()
    rates = hansu.win_rate_map(state, 400, seed=1)
    assert list(rates) == list(state.legal_moves)
    assert max(rates, key=rates.get) == state.parse_move("4")
    assert "<svg" in state.svg(arrows=rates)
    with pytest.raises(HansuError, match="the game is over"):
        hansu.win_rate_map(hansu.game("tictactoe").parse("XXX OO. ..."), 10)


@pytest.mark.skipif(has_card(), reason="there is a card here")
def test_without_a_card_one_sentence_says_so():
    with pytest.raises(HansuError, match=r"device=cuda needs (numba-cuda|an NVIDIA card)"):
        playouts(hansu.game("tictactoe").start(), 10, device="cuda")


def test_an_unknown_device_is_refused():
    with pytest.raises(HansuError, match=r"there is no device .tpu."):
        playouts(hansu.game("tictactoe").start(), 10, device="tpu")


# What a rules author must keep to ----------------------------------------------------------------


@COMPILER
@pytest.mark.parametrize("name", all_but_slow("go:size=5", "hex:size=5", "microchess", "othello"))
def test_the_functions_of_every_game_can_run_on_a_card(name):
    hansu.check_game(name, games=1, device="cuda")


@kernel
def collects(pos):
    found = [pos, pos + 1]
    return len(found)


@kernel
def copies(pos):
    return np.zeros(pos)


@kernel
def formats(pos):
    return f"{pos}"


@COMPILER
@pytest.mark.parametrize("function", [collects, copies, formats])
def test_what_cannot_run_on_a_card_is_named(function):
    with pytest.raises(HansuError, match=f"{function.__name__} cannot run on a card: "):
        gpu.compiled_for_card(function, types.int64)


@COMPILER
def test_a_product_and_a_sum_are_rounded_twice_as_on_the_cpu():
    text = gpu.compiled_for_card(kernel(lambda a, b, c: a * b + c), *3 * [types.float64])
    assert "mul.rn.f64" in text
    assert "fma" not in text


@pytest.mark.skipif(HAS_COMPILER, reason="numba-cuda is installed")
def test_checking_for_a_card_needs_the_compiler():
    with pytest.raises(HansuError, match=r"device=cuda needs numba-cuda \(pip install [^:]*\)$"):
        hansu.check_game("tictactoe", games=1, device="cuda")


def test_checking_for_an_unknown_device_is_refused():
    with pytest.raises(HansuError, match=r"there is no device .tpu."):
        hansu.check_game("tictactoe", games=1, device="tpu")
