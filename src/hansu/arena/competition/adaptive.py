"""Adaptive rating: draw the encounters that tell most about who is better than whom.

The table is in order when every two neighbours are told apart: their difference is 95 % sure, or
known to within the precision that the organiser asks for. What is drawn next is the encounter that
most reduces the summed variance of the differences still open (an A-optimal design). By the model
of Bradley and Terry an encounter of a and b adds w (e_a - e_b)(e_a - e_b)' to the information, so
the covariance C changes by a matrix of rank one, and the gain of every pair follows from C at once.
Encounters in progress count as if they had brought their expected information.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansu.arena.ratings import ELO, Z95, Matrix, Rating, expected_scores, laplacian, most_likely

PRIOR = 1.0  # drawn virtual games of each player, shared among all opponents
Places = NDArray[np.int64]
FEWEST = 4  # encounters that everybody plays, however clear the table


class Score(NamedTuple):
    """What was scored in an encounter; nothing yet while it is in progress."""

    a: int
    b: int
    points: float  # A's
    games: int  # 0: in progress


class Fit:
    """Strengths and their covariance by the games so far."""

    def __init__(self, players: Sequence[int], scores: Sequence[Score]) -> None:
        self.players = list(players)
        self._place = {player: i for i, player in enumerate(self.players)}
        size = len(self.players)
        virtual = PRIOR / max(1, size - 1)
        left, right = ([self._place[who] for who in side] for side in _sides(scores))
        points = np.array([score.points for score in scores])
        games = np.array([score.games for score in scores], float)
        self.won = np.full((size, size), virtual / 2)
        np.add.at(self.won, (left, right), points)
        np.add.at(self.won, (right, left), games - points)
        np.fill_diagonal(self.won, 0.0)
        self.strengths = most_likely(self.won)
        expected = expected_scores(self.strengths)
        self.spread = expected * (1.0 - expected)  # the information of one game
        pending = np.zeros((size, size))
        np.add.at(pending, (left, right), np.where(games == 0, 2.0, 0.0))
        self.met = np.zeros((size, size))
        np.add.at(self.met, (left, right), 1.0)
        self.met += self.met.T
        weights = (self.won + self.won.T + pending + pending.T) * self.spread
        # Only differences of strengths matter: on those the added constant changes nothing.
        inverse = np.linalg.inv(laplacian(weights) + 1.0 / size).astype(np.float64)
        self.covariance: Matrix = inverse - 1.0 / size

    def ratings(self) -> dict[int, Rating]:
        """Return each player's Elo relative to the average, with its 95 % error by the model."""
        errors = Z95 * ELO * np.sqrt(np.maximum(0.0, np.diag(self.covariance)))
        elos = (self.strengths - self.strengths.mean()) * ELO
        return {p: Rating(float(elos[i]), float(errors[i])) for p, i in self._place.items()}

    def draw(self, active: Sequence[int], precision: float, most: int) -> list[tuple[int, int]]:
        """Return up to ``most`` encounters between active players, the most informative first.

        None if every neighbour is told apart and everybody has played a little.
        """
        mine: Places = np.array([self._place[player] for player in active], np.int64)
        cov = self.covariance[np.ix_(mine, mine)].copy()
        spread = 2.0 * self.spread[np.ix_(mine, mine)]  # of the two games of an encounter
        met = self.met[np.ix_(mine, mine)].sum(axis=1)
        order: Places = np.argsort(-self.strengths[mine], kind="stable").astype(np.int64)
        taken = np.eye(len(mine), dtype=bool)
        drawn: list[tuple[int, int]] = []
        rows: Matrix | None = None
        while len(drawn) < most:
            still = self._open(cov, mine, order, met, precision)
            if not len(still):
                break
            if rows is None or rows.shape != still.shape or (rows != still).any():
                rows = still
                moved = rows @ cov
                gram = moved.T @ moved
            gains = _gains(cov, gram, spread)
            gains[taken] = -1.0
            a, b = divmod(int(np.argmax(gains)), len(mine))
            if gains[a, b] <= 0.0:
                break
            taken[a, b] = taken[b, a] = True
            met[[a, b]] += 1
            drawn.append((active[a], active[b]))
            column = cov[:, a] - cov[:, b]
            share = spread[a, b] / (1.0 + spread[a, b] * (column[a] - column[b]))
            along = moved[:, a] - moved[:, b]
            # The same change of rank one, in all that was made of the covariance.
            cov -= share * np.outer(column, column)
            mixed = np.outer(moved.T @ along, column)
            gram += share**2 * (along @ along) * np.outer(column, column)
            gram -= share * (mixed + mixed.T)
            moved -= share * np.outer(along, column)
        return drawn

    def _open(
        self, cov: Matrix, mine: Places, order: Places, met: Matrix, precision: float
    ) -> Matrix:
        """Return the differences that are not told apart yet, a row of +1 and -1 for each."""
        upper, lower = order[:-1], order[1:]
        variance = cov[upper, upper] + cov[lower, lower] - 2.0 * cov[upper, lower]
        error = Z95 * np.sqrt(np.maximum(0.0, variance))
        gap = self.strengths[mine[upper]] - self.strengths[mine[lower]]
        is_open = (error > np.maximum(gap, precision / ELO)) | (
            np.minimum(met[upper], met[lower]) < min(FEWEST, len(order) - 1)
        )
        rows = np.zeros((int(is_open.sum()), len(order)))
        rows[np.arange(len(rows)), upper[is_open]] = 1.0
        rows[np.arange(len(rows)), lower[is_open]] = -1.0
        return rows


def _gains(cov: Matrix, gram: Matrix, weight: Matrix) -> Matrix:
    """Return by how much each encounter would reduce the summed variance of what is open."""
    own, var = np.diag(gram), np.diag(cov)
    change = own[:, None] + own[None, :] - 2.0 * gram
    distance = var[:, None] + var[None, :] - 2.0 * cov
    gains: Matrix = weight * change / (1.0 + weight * np.maximum(0.0, distance))
    return gains


def _sides(scores: Sequence[Score]) -> tuple[list[int], list[int]]:
    return [score.a for score in scores], [score.b for score in scores]
