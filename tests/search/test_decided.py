"""Positions in which it is proved of every move whether it keeps the value."""

import pytest

import hansu
from hansu.games.solver import Bounds
from hansu.search.decided import MEMORY, decide_moves
from hansu.search.solve import make_solver
from hansu.search.truth import KnownMove, Truth


@pytest.mark.parametrize(
    ("best", "played", "lost"),
    [
        ((3, 18), (-18, 18), None),  # may win, too
        ((3, 18), (-18, 0), (0.5, None)),  # does not: it loses a half at least
        ((3, 3), (-18, -1), (1.0, None)),
        ((3, 3), (1, 2), (0.0, None)),
        ((3, 3), (2, 2), (0.0, 1)),
        ((0, 0), (-18, 0), None),
        ((0, 0), (-18, -1), (0.5, None)),
        ((-9, -2), (-18, -1), (0.0, None)),  # nothing to give away
        ((-18, 18), (-18, -1), None),  # the value itself is not proved
    ],
)
def test_bounds_tell_whether_a_move_keeps_the_value(best, played, lost):
    moves = [KnownMove(n, text, Bounds(*each)) for n, (text, each) in
             enumerate({"best": best, "played": played}.items())]  # fmt: skip
    assert Truth(tuple(moves), nodes=0, seconds=0.0).lost("played") == lost


def test_nothing_is_told_unless_all_moves_are_decided():
    state = hansu.game("connect4").parse("44444")
    solver = make_solver(state.game, MEMORY)
    assert decide_moves(state, solver, nodes=10) is None
    assert decide_moves(state, solver, nodes=10**7) is not None


def test_values_come_before_scores():
    state = hansu.game("hex:size=4").parse("a1 b2")
    solver = make_solver(state.game, MEMORY)
    complete = hansu.solve(state, hansu.Limits(exact=True))
    exact = set()
    for nodes in (2**power for power in range(20)):
        solver.table.fill(0)
        truth = decide_moves(state, solver, nodes)
        if truth is None:
            continue
        exact.add(all(move.bounds.exact for move in truth.moves))
        for move in truth.moves:
            assert (truth.lost(move.text)[0] > 0) == (complete.lost(move.text)[0] > 0)
    assert exact == {False, True}
