"""Accuracy: moves compared with perfect play."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from hansu.errors import HansuError
from hansu.games.game import Game, game
from hansu.games.solver import Solver
from hansu.games.state import State
from hansu.records.record import RESIGNED, GameRecord
from hansu.search.decided import MEMORY, decide_moves
from hansu.search.solve import make_solver
from hansu.search.truth import Truth

TITLES = ("accuracy of moves", "blunders a game", "score lost a move")  # of ``Accuracy.cells``


@dataclass(frozen=True)
class Accuracy:
    """Moves, and what they gave away of the position's value and score. Accuracies add up.

    Which positions count does not depend on the moves that were played: ``judged`` of all ``moves``
    were in positions where it is proved of every move whether it keeps the value, ``scored`` of
    those in positions where every move's score is known.

    >>> one = Accuracy(moves=10, judged=8, blunders=1, scored=6, score_lost=3, games=2)
    >>> (one + one).judged, one.share, one.score_lost_per_move
    (16, 0.875, 0.5)
    >>> one.cells()
    ('87.5% of 8', '0.50', '0.50 of 6')
    """

    moves: int = 0
    judged: int = 0  # moves in positions where the value of every move is known
    blunders: int = 0  # moves after which perfect play gets less than before
    scored: int = 0  # judged moves in positions where the score of every move is known
    score_lost: int = 0  # by all scored moves together, as the game counts
    games: int = 0

    def __add__(self, other: "Accuracy") -> "Accuracy":
        names = (field.name for field in fields(self))
        return Accuracy(*(getattr(self, name) + getattr(other, name) for name in names))

    @property
    def share(self) -> float:
        """The share of judged moves that kept the value of perfect play."""
        return 1.0 - self.blunders / self.judged if self.judged else 1.0

    @property
    def blunders_per_game(self) -> float:
        """Blunders per game."""
        return self.blunders / self.games if self.games else 0.0

    @property
    def score_lost_per_move(self) -> float | None:
        """What a scored move gave away of the score, on average; None without such moves."""
        return self.score_lost / self.scored if self.scored else None

    def facts(self) -> dict[str, Any]:
        """Return the numbers as JSON facts."""
        lost = self.score_lost_per_move
        return {
            "accuracy": round(self.share, 4),
            "judged_moves": self.judged,
            "moves": self.moves,
            "blunders_per_game": round(self.blunders_per_game, 4),
            "score_lost_per_move": None if lost is None else round(lost, 4),
            "scored_moves": self.scored,
        }

    def cells(self) -> tuple[str, str, str]:
        """Return the numbers as tables show them, under ``TITLES``."""
        lost = self.score_lost_per_move
        return (
            f"{self.share:.1%} of {self.judged:,}",
            f"{self.blunders_per_game:.2f}",
            "" if lost is None else f"{lost:.2f} of {self.scored:,}",
        )


def accuracies(records: Iterable[GameRecord]) -> dict[str, Accuracy]:
    """Return the accuracy of every player in the games where perfect play is known.

    >>> import hansu
    >>> record = hansu.play_game("tictactoe", "minimax", "first_move", seed=1)
    >>> accuracies([record])["minimax"].share
    1.0
    """
    found: dict[str, Accuracy] = {}
    for record in records:
        try:
            counted = _of_game(record)
        except HansuError:
            continue  # what cannot be replayed cannot be judged
        for player, more in counted.items():
            found[player] = found.get(player, Accuracy()) + more
    return {player: accuracy for player, accuracy in found.items() if accuracy.judged}


def _of_game(record: GameRecord) -> dict[str, Accuracy]:
    played = game(record.game)
    solver = _solver(played)
    if solver is None:
        return {}
    state = played.parse(record.start)
    total: dict[str, Accuracy] = {}

    def count(player: str, more: Accuracy) -> None:
        total[player] = total.get(player, Accuracy()) + more

    for player in (record.first, record.second):  # one name may sit on both sides
        count(player, Accuracy(games=1))
    for text in record.moves:
        move = None if text == RESIGNED else state.parse_move(text)
        count(record.player(state.turn), _judged(solver, state, move))
        if move is not None:
            state.push(move)
    return total


def _judged(solver: Solver, state: State, move: Any) -> Accuracy:
    """Return what a move, or None for resigning, gave away where perfect play is known."""
    near = not state.is_game_over() and solver.is_near(state)
    truth = _known(_Position(state)) if near else None
    if truth is None:
        return Accuracy(moves=1)
    if move is None:  # which has no score
        return Accuracy(moves=1, judged=1, blunders=truth.value != 0.0)
    lost = truth.lost(state.move_text(move))
    assert lost is not None
    value, score = lost
    if score is None or not all(known.bounds.exact for known in truth.moves):
        return Accuracy(moves=1, judged=1, blunders=value > 0)
    return Accuracy(moves=1, judged=1, blunders=value > 0, scored=1, score_lost=score)


def _solver(which: Game) -> Solver | None:
    try:
        return _made_solver(which)
    except HansuError:
        return None


@functools.lru_cache(maxsize=8)
def _made_solver(which: Game) -> Solver:
    return make_solver(which, MEMORY)


class _Position:
    """A state as a key of the positions that were solved: equal where the rules treat it alike."""

    def __init__(self, state: State) -> None:
        self.state = state.copy()
        path = state.path.tobytes() if state.game.rules.USES_PATH else b""
        self.key = (str(state.game), state.words.tobytes(), path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Position) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@functools.lru_cache(maxsize=100_000)
def _known(position: _Position) -> Truth | None:
    """Decide the moves of a position, with the same result in every process."""
    solver = _made_solver(position.state.game)
    if solver.table is not None:
        solver.table.fill(0)  # what earlier positions have left there would help
    return decide_moves(position.state, solver)
