"""The solver of Connect Four against published scores, a plain solver and another program."""

import lzma
import random

import numpy as np
import pytest

import hansu
from hansu.errors import HansuError
from hansu.games.connect4.book import FILE, book_score, shipped_book
from hansu.games.connect4.solver import Connect4Solver
from hansu.games.solver import UNBOUNDED, Bounds
from hansu.kernel import JIT
from hansu.search.solve import solve
from tests.games.connect4.plain_solver import PlainSolver
from tests.games.connect4.positions import random_games

GAME = hansu.game("connect4")
EVERY_MOVE = hansu.Limits(exact=True)
compiled = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")


def position_score(solver, state):
    """What the solver says of a position itself, not of its moves."""
    known = solver.bounds(state)
    if not known.exact:
        work = np.array([0, 2**62])
        known = solver.narrow(state, known, UNBOUNDED, work)
    assert known.exact
    assert solver.score(state)[0] == known.lower
    return known.lower


@compiled
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("Test_L3_R1", 1000),
        ("Test_L2_R1", 1000),
        ("Test_L1_R1", 200),
        pytest.param("Test_L1_R1", 1000, marks=pytest.mark.slow),
        pytest.param("Test_L1_R3", 1000, marks=pytest.mark.slow),
    ],
)
def test_the_published_positions_have_their_published_scores(name, count, shared_data):
    solver = Connect4Solver(GAME, 64)
    for row in shared_data(f"connect4/{name}").read_text().split("\n")[:count]:
        if row:
            moves, score = row.split()
            assert position_score(solver, GAME.parse(moves)) == int(score), moves


@compiled
@pytest.mark.slow
def test_the_first_seven_moves_have_their_published_scores():
    truth = solve(GAME.start(), EVERY_MOVE, memory=1024)
    scores = {move.text: move.score for move in truth.moves}
    assert scores == {"1": -2, "2": -1, "3": 0, "4": 1, "5": 0, "6": -1, "7": -2}


@compiled
def test_the_book_has_the_published_outcomes_of_all_positions_after_eight_turns(shared_data):
    """All that it holds by now: a position that the book lacks is searched."""
    if not FILE.is_file():
        pytest.skip("there is no book yet")
    with lzma.open(shared_data("connect4/uci-connect-4.data.xz"), "rt") as file:
        rows = file.read().splitlines()
    solver, book = Connect4Solver(GAME, 1), shipped_book()
    found = 0
    for row in rows:
        cells, outcome = row[:83], row[84:]
        mine, theirs = (
            sum(1 << (7 * (i // 6) + i % 6) for i, cell in enumerate(cells[::2]) if cell == side)
            for side in "xo"
        )
        score = int(book_score(book, solver._key(np.uint64(mine), np.uint64(mine | theirs), 8)))
        if score > -100:
            found += 1
            assert ("loss", "draw", "win")[(score > 0) - (score < 0) + 1] == outcome
    assert found > 0


@compiled
@pytest.mark.parametrize("count", [60, pytest.param(3000, marks=pytest.mark.slow)])
def test_late_positions_have_the_scores_of_the_plain_solver(count):
    plain, solver, seen = PlainSolver(7, 6), Connect4Solver(GAME, 1), 0
    for moves in random_games(40 * count, seed=count):
        if 32 <= len(moves) < 42 and seen < count and not GAME.parse(moves).is_game_over():
            state = GAME.parse(moves)
            truth = solve(state, EVERY_MOVE, solver=solver)
            columns = plain.position(moves)
            assert truth.score == plain.score(columns) == position_score(solver, state), moves
            for move in truth.moves:
                after = state.forward(move.move)
                if not after.is_game_over():
                    there = plain.after(columns, move.move - 1)
                    assert move.score == -plain.score(there), (moves, move)
            seen += 1
    assert seen == count


@compiled
def test_the_moves_to_the_end_are_those_of_best_play():
    """Both play best moves: the game lasts as long, and ends, as was said at its start."""
    for moves in list(random_games(150, seed=3)):
        state = GAME.parse(moves)
        if len(moves) < 22 or state.is_game_over():
            continue
        truth = hansu.solve(state)
        side, value, plies = state.turn, truth.value, truth.plies
        for _ in range(plies):
            assert not state.is_game_over()
            state.push(hansu.solve(state).moves[0].move)
        winner = {1.0: side, 0.5: None, 0.0: not side}[value]
        assert state.outcome() is not None
        assert state.outcome().winner == winner


@compiled
@pytest.mark.parametrize(
    ("width", "height", "moves"),
    [
        (5, 4, "3315244"),
        pytest.param(4, 4, "", marks=pytest.mark.slow),  # each size is compiled anew
        pytest.param(5, 5, "334312245512412", marks=pytest.mark.slow),
        pytest.param(4, 5, "123421", marks=pytest.mark.slow),
        pytest.param(6, 4, "33441256", marks=pytest.mark.slow),
    ],
)
def test_every_move_on_a_small_board_has_the_score_of_the_plain_solver(width, height, moves):
    game, plain = hansu.game("connect4", width=width, height=height), PlainSolver(width, height)
    start = game.parse(moves)
    truth = solve(start, EVERY_MOVE, memory=1)
    columns = plain.position(start.text())
    for move in truth.moves:
        assert move.score == -plain.score(plain.after(columns, move.move - 1))
    assert truth.score == plain.score(columns)


# Width, height, who wins and with which stone. Outcomes: John Tromp, tromp.github.io/c4/c4.html;
# last stones: Christophe Steininger, github.com/ChristopheSteininger/c4.
PUBLISHED = [
    (5, 4, 0.5, 20),
    (6, 4, 0.0, 24),
    *(
        pytest.param(*row, marks=pytest.mark.slow)
        for row in (
            (4, 4, 0.5, 16),
            (5, 5, 0.5, 25),
            (4, 5, 0.5, 20),
            (4, 6, 0.5, 24),
            (4, 7, 0.5, 28),
            (4, 8, 0.5, 32),
            (5, 6, 0.5, 30),
            (5, 7, 0.5, 35),
            (5, 8, 0.5, 40),
            (6, 5, 0.5, 30),
            (6, 6, 0.0, 36),
            (6, 7, 1.0, 41),
            (7, 4, 0.5, 28),
            (7, 5, 0.5, 35),
            (8, 4, 0.0, 32),
        )
    ),
]


@compiled
@pytest.mark.parametrize(("width", "height", "value", "stones"), PUBLISHED)
def test_boards_of_other_sizes_have_their_published_outcomes(width, height, value, stones):
    truth = solve(hansu.game("connect4", width=width, height=height).start(), memory=256)
    assert (truth.value, truth.plies) == (value, stones)


@compiled
def test_random_positions_have_the_scores_of_bitbully():
    bitbully = pytest.importorskip("bitbully")
    theirs, ours, seen = bitbully.BitBully(opening_book=None), Connect4Solver(GAME, 16), 0
    for moves in random_games(500, seed=9):
        state = GAME.parse(moves)
        if len(moves) >= 14 and not state.is_game_over():
            board = bitbully.Board()
            for move in moves:
                board.play(int(move) - 1)
            scores = theirs.score_all_moves(board)
            truth = solve(state, EVERY_MOVE, solver=ours)
            assert {move.move - 1: move.score for move in truth.moves} == scores
            seen += 1
    assert seen > 100


@compiled
def test_the_book_bounds_the_score_one_turn_after_its_last_positions():
    with_book, without = Connect4Solver(GAME, 1), Connect4Solver(GAME, 64, use_book=False)
    rng, reached = random.Random(3), []
    while len(reached) < 8:
        state = GAME.start()
        while not state.is_game_over() and len(state.move_stack) < 9:
            state.push(rng.choice(list(state.legal_moves)))
        least = with_book.bounds(state).lower
        if not state.is_game_over() and least > without.bounds(state).lower:
            score = position_score(without, state)
            assert least <= score, state.text()
            reached.append(least == score)
    assert any(reached)


@compiled
def test_mirrored_positions_have_mirrored_scores():
    for moves in random_games(60, seed=4):
        state = GAME.parse(moves)
        if len(moves) >= 16 and not state.is_game_over():
            mirrored = GAME.parse("".join(str(8 - int(move)) for move in moves))
            one, other = (
                {m.move: m.bounds for m in solve(s, EVERY_MOVE, memory=1).moves}
                for s in (state, mirrored)
            )
            assert {8 - move: bounds for move, bounds in one.items()} == other


@compiled
def test_without_the_center_the_first_move_is_still_barred():
    game = hansu.game("connect4:no_center_opening=on,width=5,height=4")
    truth = solve(game.start(), EVERY_MOVE, memory=16)
    assert "3" not in {move.text for move in truth.moves}
    free = solve(hansu.game("connect4:width=5,height=4").start(), EVERY_MOVE, memory=16)
    scores = {move.text: move.score for move in free.moves if move.text != "3"}
    assert {move.text: move.score for move in truth.moves} == scores


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ("width=3", "option width: 3 is not 4 to 8"),
        ("height=9", "option height: 9 is not 4 to 8"),
        ("width=8,height=8", "8 is too much with 8 columns; at most 7 fit"),
        ("width=6,no_center_opening=on", "6 columns have no middle one"),
    ],
)
def test_a_board_that_does_not_fit_is_refused(options, part):
    with pytest.raises(HansuError, match=part):
        hansu.game(f"connect4:{options}")


@compiled
def test_bounds_hold_however_early_the_search_is_stopped():
    state = GAME.parse("44455554221")
    exact = hansu.solve(state, EVERY_MOVE)
    scores = {move.text: move.score for move in exact.moves}
    rng = random.Random(1)
    for _ in range(30):
        part = hansu.solve(state, hansu.Limits(nodes=rng.randrange(1, 200_000), exact=True))
        for move in part.moves:
            assert move.bounds.lower <= scores[move.text] <= move.bounds.upper
        assert part.bounds.lower <= exact.score <= part.bounds.upper
    assert isinstance(part.bounds, Bounds)
