"""Puzzles: positions of recorded games in which one move alone keeps the value.

The exact solver proves every move of the position, in the game and once more, with an empty memory,
from the position's text alone. Wrong moves come with their refutation, so that a puzzle is answered
without a solver.
"""

import itertools
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from hansu.errors import HansuError, RecordError
from hansu.games.assets import game_folder
from hansu.games.game import GAMES, Game, game
from hansu.games.solver import Solver
from hansu.games.state import State
from hansu.records.record import GameRecord
from hansu.records.replay import game_of, states
from hansu.search.limits import Limits
from hansu.search.solve import make_solver, solve
from hansu.search.truth import Truth

FILE = "puzzles.jsonl"
FEWEST_MOVES = 4  # with fewer there is little to find
MOST_EACH = 2  # of one game, whose positions are alike
LINE = 5  # turns of a continuation that is kept
MEMORY = 64  # megabytes of each solver


@dataclass(frozen=True)
class Puzzle:
    """A position with one right move, and how play goes on after every move."""

    game: str
    position: str
    solution: str
    value: float  # 1: the solution wins, a half: it draws; every other move is worth less
    values: dict[str, float]  # of every move
    lines: dict[str, list[str]]  # of every move, with which it begins


def find_puzzles(records: Iterable[GameRecord], within: Limits) -> Iterator[list[Puzzle]]:
    """Yield the puzzles of each game, at most ``MOST_EACH``: its earliest, which are the hardest.

    A game is solved from its end towards its start, up to the first position that takes longer than
    the limits.
    """
    solvers: dict[Game, Solver] = {}
    seen: set[tuple[str, str]] = set()
    for record in records:
        which = game_of(record)
        if which not in solvers:
            solvers[which] = make_solver(which, MEMORY, ready=True)
        likely: list[tuple[State, Truth]] = []
        for state in reversed(list(_playable(record))):
            truth = _solved(state, solvers[which], within)
            if truth is None:
                break
            if (str(which), state.text()) not in seen:
                seen.add((str(which), state.text()))
                likely.append((state, truth))
        puzzles = (puzzle_of(state, truth, within) for state, truth in reversed(likely))
        yield list(itertools.islice(filter(None, puzzles), MOST_EACH))


def _playable(record: GameRecord) -> Iterator[State]:
    try:
        for state in states(record):
            if not state.is_game_over():
                yield state.copy()
    except RecordError:
        return  # an illegal move: what comes before is good


def _solved(state: State, solver: Solver, within: Limits) -> Truth | None:
    """Return what is proved of a position; None unless that is the value of every move."""
    if not solver.is_near(state):
        return None
    truth = solve(state, within, solver=solver)
    return truth if all(move.value is not None for move in truth.moves) else None


def puzzle_of(state: State, truth: Truth, within: Limits) -> Puzzle | None:
    """Return the puzzle of a position that is solved, if it is one and is solved once more."""
    solution = only_move(truth)
    if len(truth.moves) < FEWEST_MOVES or solution is None or is_obvious(state, truth, solution):
        return None
    position = state.text()
    again, fresh = state.game.parse(position), make_solver(state.game, MEMORY, ready=True)
    if again.is_game_over() or len(again.move_ids()) != len(truth.moves):
        return None  # the moves before matter
    checked = _solved(again, fresh, within)
    if checked is None or only_move(checked) != solution or checked.value != truth.value:
        return None
    assert truth.value is not None
    return Puzzle(
        str(state.game),
        position,
        solution,
        truth.value,
        {move.text: move.value for move in checked.moves if move.value is not None},
        {move.text: continuation(again, move.text, fresh, within) for move in checked.moves},
    )


def only_move(truth: Truth) -> str | None:
    """Return the move that alone keeps the value, if all are proved and there is one.

    >>> import hansu
    >>> only_move(hansu.solve(hansu.game("tictactoe").parse("XX. OO. ...")))
    'c1'
    """
    if not truth.value or any(move.value is None for move in truth.moves):
        return None
    keeps = [move.text for move in truth.moves if move.value == truth.value]
    return keeps[0] if len(keeps) == 1 else None


def is_obvious(state: State, truth: Truth, solution: str) -> bool:
    """Return whether the solution ends the game, or every other move lets the opponent do so."""
    if state.forward(state.parse_move(solution)).is_game_over():
        return True
    others = (move.move for move in truth.moves if move.text != solution)
    return all(_ends_at_once(state.forward(move)) for move in others)


def _ends_at_once(state: State) -> bool:
    return state.is_game_over() or any(
        state.forward(move).is_game_over() for move in state.legal_moves
    )


def continuation(state: State, text: str, solver: Solver, within: Limits) -> list[str]:
    """Return a move and the best play after it, as far as it is proved."""
    line, now = [text], state.forward(state.parse_move(text))
    while len(line) < LINE and not now.is_game_over():
        truth = solve(now, Limits(within.seconds, within.nodes), solver=solver, all_best=False)
        if not truth.proved:
            break
        line.append(truth.moves[0].text)
        now = now.forward(truth.moves[0].move)
    return line


# Files -------------------------------------------------------------------------------------------


def shipped_puzzles(name: str) -> list[Puzzle]:
    """Return the puzzles of a game that come with this package.

    >>> len(shipped_puzzles("connect4")) > 9
    True
    """
    return read_puzzles(game_folder(name) / FILE)


def read_puzzles(file: Path) -> list[Puzzle]:
    """Return the puzzles of a file, one a line; those that are none are left aside."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    return [puzzle for line in lines if (puzzle := _read(line)) is not None]


def _read(line: str) -> Puzzle | None:
    try:
        made = Puzzle(**json.loads(line))
        if made.game.partition(":")[0] not in GAMES:  # others would run code
            return None
        state = game(made.game).parse(made.position)
        moves = {state.move_text(move) for move in state.legal_moves}
        is_whole = set(made.values) == set(made.lines) == moves and made.solution in moves
        return made if is_whole else None
    except (ValueError, TypeError, AttributeError, HansuError):
        return None


def write_line(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of a file."""
    return json.dumps(asdict(puzzle), separators=(",", ":"), ensure_ascii=False)
