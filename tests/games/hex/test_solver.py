"""The solver of small Hex boards against plain search, and what is published."""

import functools
import random

import pytest

import hansu
from hansu.errors import HansuError
from hansu.kernel import JIT
from hansu.search.solve import make_solver, solve
from tests.games.hex.plain_board import joined

EVERY_MOVE = hansu.Limits(exact=True)
compiled = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")


@functools.cache
def plain_score(mine: frozenset, theirs: frozenset, across: int, size: int) -> int:
    """For the side to move, which joins the edges ``across``; sets of cells and nothing else."""
    cells, stones = size * size, len(mine) + len(theirs)
    if joined(set(theirs), size, 1 - across):
        return -((cells + 2 - stones) // 2)
    empty = {(c, r) for c in range(size) for r in range(size)} - mine - theirs
    return max(-plain_score(theirs, mine | {cell}, 1 - across, size) for cell in empty)


def plain(state) -> int:
    size = state.game.size
    sides = {state.turn: set(), not state.turn: set()}
    for cell, owner in enumerate(state.stones()):
        if owner is not None:
            sides[owner].add((cell % size, cell // size))
    across = 1 if state.turn == hansu.BLACK else 0
    mine, theirs = frozenset(sides[state.turn]), frozenset(sides[not state.turn])
    return plain_score(mine, theirs, across, size)


def random_states(size, stones, count, seed):
    rng, game = random.Random(seed), hansu.game("hex", size=size)
    found = 0
    while found < count:
        state = game.start()
        for _ in range(rng.randrange(*stones)):
            if not state.is_game_over():
                state.push(rng.choice(state.legal_moves))
        if not state.is_game_over():
            found += 1
            yield state


@compiled
@pytest.mark.parametrize(
    ("size", "stones", "count"),
    [
        (3, (2, 9), 60),
        (4, (9, 16), 30),
        pytest.param(3, (0, 9), 300, marks=pytest.mark.slow),
        pytest.param(5, (17, 25), 300, marks=pytest.mark.slow),
    ],
)
def test_every_move_has_the_score_of_plain_search(size, stones, count):
    solver = make_solver(hansu.game("hex", size=size), 16)
    for state in random_states(size, stones, count, seed=size):
        truth = solve(state, EVERY_MOVE, solver=solver)
        assert truth.score == plain(state)
        for move in truth.moves:
            assert move.score == -plain(state.forward(move.move)), (state, move)


@compiled
def test_the_first_moves_that_win_are_those_that_are_known():
    """On 4x4 the short diagonal, and nothing else (published for all boards to 9x9)."""
    truth = solve(hansu.game("hex", size=4).start())
    assert truth.value == 1.0
    won = {move.text for move in truth.moves if move.value == 1.0}
    assert {"d1", "c2", "b3", "a4"} >= won >= set(truth.best)
    exact = solve(hansu.game("hex", size=4).start(), EVERY_MOVE)
    assert {move.text for move in exact.moves if move.value == 1.0} == {"d1", "c2", "b3", "a4"}


@compiled
def test_with_the_swap_the_second_player_wins():
    """Whatever is played first: a stone that wins is taken over."""
    truth = solve(hansu.game("hex", size=3, swap=True).start(), EVERY_MOVE)
    assert truth.value == 0.0
    assert all(move.value == 0.0 for move in truth.moves)
    after = hansu.game("hex", size=3, swap=True).parse("b2")
    assert solve(after, EVERY_MOVE).best == ("swap",)


def test_larger_boards_have_no_solver():
    with pytest.raises(HansuError, match="hex has an exact solver to"):
        make_solver(hansu.game("hex"), 1)


@compiled
@pytest.mark.parametrize("count", [100, pytest.param(3000, marks=pytest.mark.slow)])
def test_boards_that_were_set_up_have_the_score_of_plain_search(count):
    """Either side to move, with any number of stones."""
    rng, game, seen = random.Random(count), hansu.game("hex", size=3), 0
    solver = make_solver(game, 1)
    for _ in range(count):
        cells = [rng.choice("xo..") for _ in range(9)]
        rows = "/".join("".join(cells[at : at + 3]) for at in (0, 3, 6))
        try:
            state = game.parse(f"{rows} {rng.choice('xo')} to move")
        except HansuError:
            continue
        if not state.is_game_over():
            seen += 1
            truth = solve(state, EVERY_MOVE, solver=solver)
            assert truth.score == plain(state), state
    assert seen > count / 10
