"""Positions in which it is proved of every move whether it keeps the value."""

import numpy as np

from hansu.games.solver import BEYOND, Bounds, Solver
from hansu.games.state import State
from hansu.search.truth import KnownMove, Truth

WITHIN = 20_000  # positions to search: a few milliseconds
MEMORY = 2  # megabytes: plenty for so few
WIN, DRAW, SCORE = Bounds(0, 1), Bounds(-1, 0), Bounds(-BEYOND, BEYOND)


def decide_moves(state: State, solver: Solver, nodes: int = WITHIN) -> Truth | None:
    """Return what is proved of the moves; None unless each is known to keep the value or not.

    Good moves are often proved first. Who counted the moves that happen to be proved would find
    players better than they are; so all of a position's moves count, or none. Their values come
    first, then as many scores as the limit allows.

    >>> import hansu
    >>> from hansu.search.solve import make_solver
    >>> state = hansu.game("connect4").parse("444444")
    >>> truth = decide_moves(state, make_solver(state.game, MEMORY))
    >>> [(move.text, truth.lost(move.text)) for move in truth.moves[1:5]]
    [('5', (0.0, 0)), ('2', (0.5, 1)), ('6', (0.5, 1)), ('1', (1.0, 2))]
    """
    most = Bounds(-BEYOND, solver.bounds(state).upper)
    moves = [(move, state.forward(move)) for move in solver.order(state)]
    known = [-solver.bounds(after) & most for _, after in moves]
    work = np.array([0, nodes])
    for window in (WIN, DRAW, SCORE):
        if window == DRAW and any(bounds.lower > 0 for bounds in known):
            continue
        for at, (_, after) in enumerate(moves):
            if work[0] < work[1] and not known[at].decide(window):
                known[at] &= -solver.narrow(after, -known[at], -window, work)
    found = [
        KnownMove(move, state.move_text(move), bounds)
        for (move, _), bounds in zip(moves, known, strict=True)
    ]
    found.sort(key=lambda move: move.bounds, reverse=True)
    truth = Truth(tuple(found), nodes=int(work[0]), seconds=0.0)
    return None if any(truth.lost(move.text) is None for move in truth.moves) else truth
