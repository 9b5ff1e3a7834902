"""Endings in a game's tables: at the root, what is proved comes before what is searched."""

from collections.abc import Callable
from dataclasses import replace

from hansu.games.solver import Solver
from hansu.games.state import State
from hansu.search.info import Line, SearchInfo
from hansu.search.solve import proved_line
from hansu.search.truth import KnownMove, Truth


def look_up(state: State, solver: Solver) -> Truth:
    """Return what the tables tell about every move."""
    moves = [
        KnownMove(move, state.move_text(move), -solver.bounds(state.forward(move)))
        for move in solver.order(state)
    ]
    return Truth(tuple(sorted(moves, key=lambda move: move.bounds, reverse=True)), 0, 0.0)


def with_tables(state: State, search: Callable[[], SearchInfo]) -> SearchInfo:
    """Play by the game's tables where they prove a win; else search, and correct what it finds.

    Among moves that are proved to be worth the same, the search decides.
    """
    solver = state.game.endings(state)
    if solver is None:
        return search()
    truth = look_up(state, solver)
    if truth.value == 1.0:
        return truth.info(proved_line(state, truth, solver))
    found, known = search(), {move.text: move for move in truth.moves}
    lines = [_corrected(line, known[line.text]) for line in found.lines]
    return replace(found, lines=tuple(sorted(lines, key=_rank, reverse=True)))


def _corrected(line: Line, known: KnownMove) -> Line:
    if known.value is None:
        return line
    return replace(line, value=known.value, proved=True, score=known.score)


def _rank(line: Line) -> tuple[float, int]:
    """Rank by value; of moves that lose, the one that holds out longest."""
    return line.value, (line.score or 0) if line.proved and line.value == 0.0 else 0
