"""The solver of Othello's endings against a plain solver, published scores and a perfect game."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hansu
from hansu.games.othello.lines import flips, to_play
from hansu.games.othello.position_table import (
    LEAST_BITS,
    find,
    keep,
    lower_of,
    move_of,
    scattered_pair,
    upper_of,
)
from hansu.games.othello.rules import squares_to_play, turned
from hansu.games.othello.stability import stable
from hansu.games.solver import UNBOUNDED
from hansu.kernel import JIT, kernel
from hansu.search.solve import make_solver, solve
from tests.games.othello.plain_solver import after, plain_score
from tests.games.othello.positions import random_boards
from tests.games.othello.slow_board import SlowBoard, boards

GAME = hansu.game("othello")
EVERY_MOVE = hansu.Limits(exact=True)
SOLVER = make_solver(GAME, 16)
compiled = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")

# Hiroki Takizawa, Othello is Solved, arXiv:2310.19387, figure 1: perfect play of both sides.
PERFECT_GAME = (
    "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1F7E2G3H4F1E1F2G1B1F8G8B3H3B2H5"
    "B7A3A4A1A2C1H2H1G2B8A8G7H8H7H6"
)

# Published as -30. A plain alpha-beta search without table or stable discs finds -32 too.
CORRECTED = {31: {"g1": -32}}


@kernel
def vector_moves(mine, theirs):
    return to_play(mine, theirs)


@kernel
def vector_flips(square, mine, theirs):
    return flips(square, mine, theirs)


def positions(shared_data, most, least=0):
    """The FFO positions with so many empty squares: their numbers, states and scores."""
    for row in shared_data("othello/ffo_shared.tsv").read_text().splitlines()[1:]:
        number, line = row.split("\t")
        state = GAME.parse(line)
        moves = (part.split(":") for part in line.split(";")[1:] if ":" in part)
        scores = {move.strip().lower(): int(score) for move, score in moves}
        if least <= 64 - sum(map(int.bit_count, state.discs())) <= most:
            yield int(number), state, scores


def late_boards(empties, one_colour):
    """Any full board with a few squares emptied."""

    def build(letters, squares, side):
        for square in squares:
            letters[square] = "-"
        return f"{''.join(letters)} {side}"

    letters = "X" * one_colour + "O"
    return st.builds(
        build,
        st.lists(st.sampled_from(letters), min_size=64, max_size=64),
        st.sets(st.integers(0, 63), max_size=empties),
        st.sampled_from("XO"),
    )


@settings(max_examples=300)
@given(st.one_of(boards, late_boards(20, 1)))
def test_lines_together_are_the_rules(board):
    _, _, mine, theirs = GAME.parse(board).words
    assert vector_moves(mine, theirs) == squares_to_play(mine, theirs)
    for square in range(64):
        if not int(mine | theirs) >> square & 1:
            disc = np.uint64(1 << square)
            assert vector_flips(np.uint64(square), mine, theirs) == turned(disc, mine, theirs)


@compiled
@settings(max_examples=150)
@given(st.one_of(late_boards(5, 1), late_boards(6, 5), late_boards(5, 20)))
def test_every_move_has_the_score_of_the_plain_solver(board):
    """Set up at random, with passes of one or both sides and boards of one colour."""
    state, slow = GAME.parse(board), SlowBoard(board)
    known = SOLVER.bounds(state)
    assert known.lower <= plain_score(slow) <= known.upper
    if state.is_game_over():
        assert known.exact
        return
    found = SOLVER.narrow(state, known, UNBOUNDED, np.array([0, 2**62]))
    assert found.exact
    assert found.lower == plain_score(slow)
    truth = solve(state, EVERY_MOVE, solver=SOLVER)
    scores = {move.move: move.score for move in truth.moves}
    assert scores == {move: -plain_score(after(slow, move)) for move in slow.legal()}


@compiled
@pytest.mark.parametrize(
    ("most", "threads"), [(16, 1), (18, 2), pytest.param(20, 2, marks=pytest.mark.slow)]
)
def test_every_move_of_the_ffo_positions_has_its_published_score(most, threads, shared_data):
    for number, state, scores in positions(shared_data, most):
        truth = solve(state, EVERY_MOVE, threads=threads)
        scores |= CORRECTED.get(number, {})
        assert {move.text: move.score for move in truth.moves} == scores, number


@compiled
@pytest.mark.parametrize(
    ("least", "most"), [(19, 20), pytest.param(21, 24, marks=pytest.mark.slow)]
)
def test_the_ffo_positions_have_their_score_and_best_moves(least, most, shared_data):
    for number, state, scores in positions(shared_data, most, least):
        truth = solve(state)
        best = max(scores.values())
        assert truth.score == best, number
        assert set(truth.best) == {move for move in scores if scores[move] == best}, number


@compiled
@pytest.mark.parametrize("first", [43, pytest.param(36, marks=pytest.mark.slow)])
def test_a_published_perfect_game_keeps_the_draw(first):
    assert str(GAME.parse(PERFECT_GAME).outcome()) == "draw (board full)"
    for played in range(59, first - 1, -1):
        truth = solve(GAME.parse(PERFECT_GAME[: 2 * played]), solver=SOLVER)
        assert truth.score == 0
        assert PERFECT_GAME[2 * played : 2 * played + 2].lower() in truth.best


@compiled
def test_stable_discs_are_never_turned_over():
    rng = random.Random(1)
    for board in random_boards(300, seed=2):
        state = GAME.parse(board)
        mine, theirs = state.words[2:4]
        side, kept = state.turn, int(stable(mine, theirs))
        while not state.is_game_over():
            state.push(rng.choice(list(state.legal_moves)))
        left = int(state.words[2] if state.turn == side else state.words[3])
        assert not kept & ~left


def test_what_is_stable_on_drawn_boards():
    full_edge = "XXXOXXXX" + "-" * 56
    corner = "XXX-----XX------X---------------" + "-" * 32
    for board, count in ((full_edge, 7), (corner, 6), ("-" * 27 + "XO" + "-" * 35, 0)):
        mine, theirs = GAME.parse(f"{board} X").words[2:4]
        assert int(stable(mine, theirs)).bit_count() == count


def test_the_table_returns_what_was_kept_and_knows_positions_apart():
    rng, bits = random.Random(1), np.uint64(LEAST_BITS)
    table = np.zeros(2 << LEAST_BITS, np.uint64)
    for _ in range(2000):
        mine, theirs, moves = (np.uint64(rng.getrandbits(64)) for _ in range(3))
        pair = tuple(map(np.uint64, scattered_pair(mine, theirs)))
        lower, upper = sorted(rng.randrange(-32, 33) * 2 for _ in range(2))
        squares = [square for square in range(64) if int(moves) >> square & 1]
        square = rng.choice(squares)
        keep(table, bits, *pair, lower, upper, moves, np.uint64(square))
        data = np.uint64(find(table, bits, *pair))
        assert (lower_of(data), upper_of(data)) == (lower, upper)
        assert move_of(data, moves) == (1 << square if squares.index(square) < 15 else 0)
        flipped = np.uint64(1 << rng.randrange(64))
        for other in ((mine ^ flipped, theirs), (mine, theirs ^ flipped), (theirs, mine)):
            assert find(table, bits, *map(np.uint64, scattered_pair(*other))) == 0


@compiled
def test_bounds_hold_however_early_the_search_is_stopped(shared_data):
    rng = random.Random(1)
    for _, state, scores in positions(shared_data, 20, 18):
        limits = hansu.Limits(nodes=rng.randrange(1, 200_000), exact=True)
        part = solve(state, limits, threads=2, memory=1)
        for move in part.moves:
            assert move.bounds.lower <= scores[move.text] <= move.bounds.upper
        assert part.bounds.lower <= max(scores.values()) <= part.bounds.upper


@compiled
@pytest.mark.parametrize("name", ["perfect", "self_learning", "mcts:endings=on"])
def test_a_lost_ending_is_played_for_the_best_score(name, shared_data):
    agent, lost = hansu.agent("othello", name, seed=1), 0
    for _, state, scores in positions(shared_data, 16, 14):
        state.push(state.parse_move(max(scores, key=scores.__getitem__)))
        truth = solve(state, EVERY_MOVE)
        if truth.value == 0.0 and len({move.score for move in truth.moves}) > 1:
            lost += 1
            assert truth.lost(state.move_text(agent.act(state.copy()))) == (0.0, 0)
            assert agent.info.proved or agent.info.lines[0].proved
    assert lost > 5


@compiled
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_solved_position_is_solved_again_at_once(threads):
    solver, state = make_solver(GAME, 16), GAME.parse(PERFECT_GAME[: 2 * 44])
    first = solve(state, threads=threads, solver=solver)
    again = solve(state, threads=threads, solver=solver)
    assert again.score == first.score == 0
    assert again.nodes < first.nodes / 10
