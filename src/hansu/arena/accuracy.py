"""Accuracy: moves compared with perfect play."""

from collections.abc import Iterable
from dataclasses import dataclass

from hansu.games.game import game
from hansu.records.record import RESIGNED, GameRecord
from hansu.search.perfect import is_solved, perfect


@dataclass(frozen=True)
class Accuracy:
    """Moves, and those that gave away part of the position's value. Accuracies add up.

    >>> Accuracy(moves=10, blunders=1, games=2) + Accuracy(moves=10, blunders=0, games=2)
    Accuracy(moves=20, blunders=1, games=4)
    """

    moves: int = 0
    blunders: int = 0  # moves after which perfect play gets less than before
    games: int = 0

    def __add__(self, other: "Accuracy") -> "Accuracy":
        return Accuracy(
            self.moves + other.moves, self.blunders + other.blunders, self.games + other.games
        )

    @property
    def share(self) -> float:
        """The share of moves that kept the value of perfect play."""
        return 1.0 - self.blunders / self.moves if self.moves else 1.0

    @property
    def blunders_per_game(self) -> float:
        """Blunders per game."""
        return self.blunders / self.games if self.games else 0.0


def accuracies(records: Iterable[GameRecord]) -> dict[str, Accuracy]:
    """Return the accuracy of every player in the games where perfect play is known.

    >>> import hansu
    >>> record = hansu.play_game("tictactoe", "minimax", "first_move", seed=1)
    >>> accuracies([record])["minimax"].share
    1.0
    """
    found: dict[str, Accuracy] = {}
    for record in records:
        for player, counted in _of_game(record).items():
            found[player] = found.get(player, Accuracy()) + counted
    return found


def _of_game(record: GameRecord) -> dict[str, Accuracy]:
    played = game(record.game)
    if not is_solved(played):
        return {}
    state = played.parse(record.start)
    moves, blunders = {True: 0, False: 0}, {True: 0, False: 0}
    for text in record.moves:
        side, results = state.turn, perfect(state)
        best = max(results.values())
        if text == RESIGNED:
            result = -1
        else:
            move = state.parse_move(text)
            result = results[state.move_id(move)]
            state.push(move)
        moves[side] += 1
        blunders[side] += result < best
    seats = ((record.first, record.first_color), (record.second, not record.first_color))
    total: dict[str, Accuracy] = {}
    for player, side in seats:  # one name may sit on both sides
        counted = Accuracy(moves[side], blunders[side], 1)
        total[player] = total.get(player, Accuracy()) + counted
    return total
