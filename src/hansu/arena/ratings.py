"""Ratings on the Elo scale from any set of games, with error bars.

The model is Bradley and Terry's: a player who is d Elo stronger is expected to score
1 / (1 + 10^(-d/400)), a draw being half a win. The ratings are those under which the games that
were played are most likely, with one drawn virtual game for every player, shared among all
opponents: without it a player who won every game would have no finite rating.

The errors come from how much the encounters really scattered (the sandwich estimator) and not
from the model alone: draws, and a first move that decides, make scores scatter less. An encounter
is the two games of one opening with colours swapped, since those are not independent. Few
encounters do not show how much they scatter: some imagined ones of the worst scatter are added, and
the quantile is Student's. Where one player won every game against another there is no scatter to
measure: it is taken half way between that of independent games and the worst.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959964
ELO = 400.0 / math.log(10.0)  # one unit of the logistic scale
IMAGINED = 2.0  # encounters of the worst scatter: few real ones do not show how much they scatter


class Encounter(NamedTuple):
    """Some games between two players that are counted as one observation."""

    a: str
    b: str
    points: float  # A's
    games: int


class Rating(NamedTuple):
    """A rating and half the width of its 95 % interval."""

    elo: float
    error: float


@dataclass(frozen=True)
class Anchor:
    """The player to whom all ratings relate; without one, the average is 0."""

    player: str
    elo: float = 0.0


def ratings(
    players: Sequence[str],
    encounters: Sequence[Encounter],
    anchor: Anchor | None = None,
    *,
    prior: float = 1.0,
    distinct_share: float = 1.0,
) -> dict[str, Rating]:
    """Rate players. ``prior`` is the number of drawn virtual games that each player gets.

    Repeated games tell nothing new: ``distinct_share`` is the share of games that are distinct,
    and the errors are those of that many games. The prior decides the rating of a player who won
    or lost every game: read it as a bound.

    >>> table = ratings(["a", "b"], [Encounter("a", "b", 1.5, 2)] * 100, Anchor("b", 1000))
    >>> round(table["a"].elo), table["b"]
    (1190, Rating(elo=1000.0, error=0.0))
    """
    number = {player: index for index, player in enumerate(players)}
    left = np.array([number[e.a] for e in encounters], int)
    right = np.array([number[e.b] for e in encounters], int)
    points = np.array([e.points for e in encounters])
    games = np.array([e.games for e in encounters], float)
    count = len(players)
    virtual = prior / max(1, count - 1)  # drawn games of each pair
    won = np.full((count, count), virtual / 2)
    np.add.at(won, (left, right), points)
    np.add.at(won, (right, left), games - points)
    np.fill_diagonal(won, 0.0)
    strengths = most_likely(won)

    expected = expected_scores(strengths)
    spread = expected * (1.0 - expected)  # the variance of one game's score by the model
    information = laplacian((won + won.T) * spread)
    freedom = max(0, len(encounters) - count + 1)
    residuals = points - games * expected[left, right]
    scatter = residuals**2 * len(encounters) / max(1, freedom)
    worst = games**2 * spread[left, right]  # the games of an encounter all end alike
    lopsided = np.minimum(won, won.T) <= virtual / 2  # one side won all
    scatter = np.where(lopsided[left, right], (worst + games * spread[left, right]) / 2, scatter)
    scatter = (freedom * scatter + IMAGINED * worst) / (freedom + IMAGINED)
    seen = virtual * spread
    np.add.at(seen, (left, right), scatter)
    np.add.at(seen, (right, left), scatter)
    # Only differences of strengths matter: on those the added constant, taken away again, is 0.
    inverse = np.linalg.inv(information + 1.0 / count) - 1.0 / count
    covariance = inverse @ laplacian(seen) @ inverse
    errors = (
        student(freedom + IMAGINED)
        * ELO
        * np.sqrt(_variances(covariance, number, anchor) / distinct_share)
    )
    zero = strengths[number[anchor.player]] if anchor else strengths.mean()
    elos = (strengths - zero) * ELO + (anchor.elo if anchor else 0.0)
    return {p: Rating(float(elos[i]), float(errors[i])) for p, i in number.items()}


def student(freedom: float) -> float:
    """Return the 97.5 % quantile of Student's distribution (Cornish and Fisher's series).

    >>> [round(student(n), 2) for n in (4, 10, 1000)]
    [2.77, 2.23, 1.96]
    """
    z, n = Z95, freedom
    series = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + series[0] / n + series[1] / n**2 + third / n**3


Matrix = NDArray[np.float64]


def most_likely(won: Matrix) -> Matrix:
    """Newton's method on the likelihood, from what each (row) won against each (column)."""
    played = won + won.T
    strengths = np.zeros(len(won))
    for _ in range(200):
        expected = expected_scores(strengths)
        information = laplacian(played * expected * (1.0 - expected))
        gradient = (won - played * expected).sum(axis=1)
        # Only differences of strengths matter: the added constant keeps the mean where it is.
        step = _solved(information + 1.0 / len(won), gradient)
        longest = float(np.abs(step).max())
        strengths += step * min(1.0, 2.0 / max(longest, 1e-300))
        if longest < 1e-10:
            break
    return strengths


def _solved(matrix: Matrix, right: Matrix) -> Matrix:
    """Solve a system; where players have no games in common, in the least squares sense."""
    try:
        found = np.linalg.solve(matrix, right).astype(np.float64)
        if np.isfinite(found).all():
            return found
    except np.linalg.LinAlgError:
        pass
    return np.linalg.lstsq(matrix, right, rcond=None)[0].astype(np.float64)


def expected_scores(strengths: Matrix) -> Matrix:
    """Return the expected score of the row's player against the column's."""
    return 1.0 / (1.0 + np.exp(strengths[None, :] - strengths[:, None]))


def laplacian(weights: Matrix) -> Matrix:
    """Return the sum of weight * (e_a - e_b)(e_a - e_b)' over all pairs, without the diagonal."""
    off = weights - np.diag(np.diag(weights))
    total: Matrix = np.diag(off.sum(axis=1)) - off
    return total


def _variances(covariance: Matrix, number: dict[str, int], anchor: Anchor | None) -> Matrix:
    """Return the variance of each strength relative to the anchor, or to the average."""
    own = np.diag(covariance)
    if anchor is None:
        return own
    fixed = number[anchor.player]
    relative: Matrix = np.maximum(0.0, own + own[fixed] - 2.0 * covariance[fixed])
    relative[fixed] = 0.0
    return relative
