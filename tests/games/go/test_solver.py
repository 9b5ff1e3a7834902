"""The solver of small boards against plain search of all moves, and what is published."""

import random

import numpy as np
import pytest

import hansu
from hansu.errors import HansuError
from hansu.games.solver import Bounds
from hansu.kernel import JIT
from hansu.search.solve import make_solver, solve
from tests.games.go.plain_go import worth

compiled = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")
EVERY_MOVE = hansu.Limits(exact=True)


def play_out(state):
    """The boards and sides to move of a game so far, as plain Python has them."""
    replayed, seen = state.game.start(), set()
    for move in state.move_stack:
        seen.add((drawn(replayed), side(replayed)))
        replayed.push(move)
    return frozenset(seen)


def drawn(state):
    signs = {None: ".", hansu.BLACK: "x", hansu.WHITE: "o"}
    return tuple(signs[stone] for stone in state.stones())


def side(state):
    return "x" if state.turn == hansu.BLACK else "o"


def plain(state):
    """Superko, passes and the turn limit counted; komi is 0."""
    left, points = state.game.max_turns - len(state.move_stack), state.pass_move
    has_passed = bool(state.move_stack) and state.move_stack[-1] == points
    return worth(
        *(drawn(state), side(state), state.game.width, left, -points, points, has_passed),
        play_out(state),
    )


PUBLISHED = {"2": 1, "3x2": 0, "2x3": 0, "4x2": 8, "3": 9, "3x4": 4}


@compiled
@pytest.mark.parametrize("size", [*PUBLISHED, pytest.param("4", marks=pytest.mark.slow)])
def test_small_boards_are_worth_what_is_published(size):
    """Van der Werf, Solving Go on small boards: with 4x4 worth 2."""
    truth = solve(hansu.game(f"go:size={size},komi=0").start(), memory=256)
    assert truth.score == (PUBLISHED | {"4": 2})[size]


@compiled
def test_every_first_move_of_three_by_three_is_worth_what_is_published():
    truth = solve(hansu.game("go:size=3,komi=0").start(), EVERY_MOVE)
    scores = {move.text: move.score for move in truth.moves}
    corners, sides = {"A1": -9, "A3": -9, "C1": -9, "C3": -9}, {"A2": 3, "B1": 3, "B3": 3, "C2": 3}
    assert scores == {"B2": 9, "pass": -9, **corners, **sides}


@compiled
@pytest.mark.parametrize("count", [10, pytest.param(1000, marks=pytest.mark.slow)])
def test_proofs_by_a_strategy_agree_with_a_search_of_every_path(count):
    """Two searches that share nothing but the rules of life; random games, so superko counts."""
    rng = random.Random(count)
    for _ in range(count):
        size, turns = rng.choice(["2x3", "3", "2x4", "3x4"]), rng.choice(["none", "20", "30"])
        state = hansu.game(f"go:size={size},komi=0,max_turns={turns}").start()
        length = rng.randrange(2, state.game.max_turns - 2)
        while len(state.move_stack) < length and not state.is_game_over():
            plays = [move for move in state.legal_moves if move != state.pass_move]
            state.push(rng.choice(plays) if plays and rng.random() < 0.93 else state.pass_move)
        if state.is_game_over():
            continue
        one, other = make_solver(state.game, 16), make_solver(state.game, 16)
        known, all_scores = one.bounds(state), Bounds(-99, 99)
        few = [np.array([0, 20_000]) for _ in range(2)]
        found = one._by_strategy(state, known, all_scores, few[0])
        searched = other._by_depth(state, known, all_scores, few[1])
        assert max(found.lower, searched.lower) <= min(found.upper, searched.upper), state.text()


@compiled
def test_what_a_solver_has_kept_never_contradicts_a_new_one():
    """The proofs of one game must not be used where other boards were there before."""
    game = hansu.game("go:size=3x4,komi=0,max_turns=24")
    rng, solver = random.Random(5), make_solver(game, 16)
    for _ in range(6):
        state = game.start()
        while len(state.move_stack) < 14 and not state.is_game_over():
            plays = [move for move in state.legal_moves if move != state.pass_move]
            state.push(rng.choice(plays or [state.pass_move]))
        if not state.is_game_over():
            again = solve(state, hansu.Limits(nodes=30_000), threads=1, solver=solver).bounds
            fresh = solve(state, hansu.Limits(nodes=30_000), threads=1).bounds
            assert max(again.lower, fresh.lower) <= min(again.upper, fresh.upper), state.text()


@compiled
@pytest.mark.parametrize("count", [25, pytest.param(400, marks=pytest.mark.slow)])
def test_late_positions_are_worth_what_all_moves_give(count):
    """Games of random length, with what superko forbids because of them."""
    rng = random.Random(3)
    for _ in range(count):
        size, turns = rng.choice([("2", 12), ("3x2", 12), ("3x2", 14), ("3", 13)])
        game = hansu.game(f"go:size={size},komi=0,max_turns={turns}")
        state, before = game.start(), turns - rng.randrange(2, 6 if size == "3" else 8)
        while len(state.move_stack) < before and not state.is_game_over():
            plays = [move for move in state.legal_moves if move != state.pass_move]
            state.push(rng.choice(plays) if plays and rng.random() < 0.9 else state.pass_move)
        if state.is_game_over():
            continue
        truth = solve(state, EVERY_MOVE, threads=1)
        assert truth.score == plain(state), state.record() if hasattr(state, "record") else state
        for move in truth.moves:
            after = state.forward(move.move)
            if not after.is_game_over():
                assert move.score == -plain(after), (state.move_stack, move.text)


@compiled
def test_komi_is_part_of_the_score_and_half_points_count_as_whole_ones():
    for komi, score in ((0, 1), (1, 0), (0.5, 1), (1.5, -1), (3, -2)):
        assert solve(hansu.game(f"go:size=2,komi={komi}").start()).score == score


@compiled
def test_bounds_hold_when_a_search_is_stopped():
    truth = solve(hansu.game("go:size=4,komi=0").start(), hansu.Limits(nodes=20_000))
    assert truth.bounds.lower <= 2 <= truth.bounds.upper


def test_large_boards_and_komis_are_refused_in_a_sentence():
    for size in ("9", "19", "2x11", "3x9"):
        with pytest.raises(HansuError, match="go has an exact solver to 25 points"):
            make_solver(hansu.game(f"go:size={size}"), 1)
    for size in ("5", "2x10", "8x3", "4x6"):
        make_solver(hansu.game(f"go:size={size}"), 1)
    with pytest.raises(HansuError, match="go has an exact solver to 25 points, not for 6x6"):
        make_solver(hansu.game("go:size=6"), 1)
    with pytest.raises(HansuError, match="komi to 100"):
        make_solver(hansu.game("go:size=3,komi=200"), 1)


def test_living_stones_bound_the_score_without_search():
    state = hansu.game("go:size=4,komi=0").parse(".x.x/xxxx/..../....")
    assert make_solver(state.game, 1).bounds(state) == Bounds(0, 16)
