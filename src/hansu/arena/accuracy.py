"""Accuracy: moves compared with perfect play."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass, fields

from hansu.errors import HansuError
from hansu.games.game import Game, game
from hansu.games.solver import Solver
from hansu.games.state import State
from hansu.records.record import RESIGNED, GameRecord
from hansu.search.limits import Limits
from hansu.search.solve import make_solver, solve
from hansu.search.truth import Truth

# A position that is not solved within so many positions is not counted: a few milliseconds.
WITHIN = Limits(nodes=20_000, exact=True)
MEMORY = 2  # megabytes: plenty for so few


@dataclass(frozen=True)
class Accuracy:
    """Moves, and what they gave away of the position's value and score. Accuracies add up.

    Only moves in positions that were solved count: ``judged`` of all ``moves``.

    >>> one = Accuracy(moves=10, judged=8, blunders=1, score_lost=3, games=2)
    >>> (one + one).judged, one.share
    (16, 0.875)
    """

    moves: int = 0
    judged: int = 0  # moves in positions where perfect play is known
    blunders: int = 0  # moves after which perfect play gets less than before
    score_lost: int = 0  # by all judged moves together, as the game counts
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
    def score_lost_per_move(self) -> float:
        """What a judged move gave away of the score, on average."""
        return self.score_lost / self.judged if self.judged else 0.0


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
        lost = _lost(_known(_Position(state)), text) if solver.is_near(state) else None
        judged = (
            Accuracy(judged=1, blunders=lost[0] > 0, score_lost=lost[1]) if lost else Accuracy()
        )
        count(record.player(state.turn), judged + Accuracy(moves=1))
        if text != RESIGNED:
            state.push(state.parse_move(text))
    return total


def _lost(truth: Truth, text: str) -> tuple[float, int] | None:
    """Return what a turn gave away of the value and the score; None where that is not proved."""
    if text == RESIGNED:
        return None if truth.value is None else (truth.value, 0)
    lost = truth.lost(text)
    return None if lost is None else (lost[0], lost[1] or 0)


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
def _known(position: _Position) -> Truth:
    """Solve a position within its limit, with the same result in every process."""
    solver = _solver(position.state.game)
    if solver is not None and solver.table is not None:
        solver.table.fill(0)  # what earlier positions have left there would help
    return solve(position.state, WITHIN, threads=1, solver=solver)
