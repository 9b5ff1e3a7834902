"""Fits the weights of ``patterns`` to the lead in discs, by stochastic gradient descent (Adagrad).

The target is the mean result of the games with a position, or its value after best play where a
database has that. Every tenth game is in the validation set, whole.
"""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from hansu.games.features import board_symmetries
from hansu.games.othello.patterns import (
    EMPTIES,
    FIRST,
    FIRST_OF_SHAPE,
    MY_MOVES,
    PADDED,
    PLACES,
    SCALE,
    SHAPES,
    SIZE,
    STAGE_DISCS,
    STAGE_SIZE,
    STAGES,
    THEIR_MOVES,
    lead_of,
    look_up,
    moves_of,
    stage_of,
)
from hansu.kernel import kernel, popcount
from hansu.learning.experts.positions import Table
from hansu.learning.experts.run import Run
from hansu.learning.experts.value import write_value

UNIT = 1 / 256  # discs: weights are written as whole multiples
RATE = np.float32(0.3)
DECAY = np.float32(2e-3)  # weight decay at each use, against overfitting rare patterns
MOST_SEEN = 16  # a position's weight is how often it was seen, at most this
FEATURES = PLACES + 3


def _twins() -> NDArray[np.int64]:
    """Return, for every place of a stage, the one whose weight it shares by symmetry."""
    twins = np.arange(STAGE_SIZE)
    for shape, squares in enumerate(SHAPES):
        size = len(squares)
        for turned in _turned(squares):
            if set(turned) != set(squares):
                continue
            order = [squares.index(square) for square in turned]
            number = np.arange(3**size)
            digits = number[:, None] // 3 ** np.arange(size) % 3
            mirrored = (digits[:, order] * 3 ** np.arange(size)).sum(1)
            begin = FIRST_OF_SHAPE[shape]
            own = twins[begin : begin + 3**size]
            np.minimum(own, begin + mirrored, out=own)
    return twins


def _turned(squares: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [tuple(int(s.cells[square]) for square in squares) for s in board_symmetries(8, 8)]


TWINS = _twins()


@kernel
def features_of(mine, theirs, my_moves, their_moves, twins, out, places):
    """Write the indices of the weights that a position uses."""
    look_up(mine, theirs, places)
    begin = stage_of(mine, theirs) * STAGE_SIZE
    for place in range(PLACES):
        out[place] = begin + twins[FIRST[place] + np.int64(places[place])]
    out[PLACES] = begin + MY_MOVES + my_moves
    out[PLACES + 1] = begin + THEIR_MOVES + their_moves
    out[PLACES + 2] = begin + EMPTIES + np.int64(popcount(mine | theirs)) % STAGE_DISCS


@kernel
def fit(table, order, twins, rate, decay, weights, squares):
    """Do one pass over positions; return the sums of weighted squared errors and of weights."""
    used, places = np.empty(FEATURES, np.int64), np.empty(PADDED, np.uint16)
    total = weight_sum = 0.0
    for i in range(len(order)):
        row = order[i]
        mine, theirs = table.one[row], table.other[row]
        my_moves, their_moves = moves_of(mine, theirs), moves_of(theirs, mine)
        if my_moves == 0:
            continue  # the game is over
        features_of(mine, theirs, my_moves, their_moves, twins, used, places)
        lead = np.float32(0)
        for k in range(FEATURES):
            lead += weights[used[k]]
        error = np.float32(table.lead[row]) / np.float32(table.n[row]) - lead
        weight = np.float32(min(table.n[row], MOST_SEEN))
        total += weight * error * error
        weight_sum += weight
        for k in range(FEATURES):
            at = used[k]
            slope = weight * (error - decay * np.float32(FEATURES) * weights[at])
            squares[at] += slope * slope
            weights[at] += rate * slope / np.sqrt(squares[at] + np.float32(1))
    return total, weight_sum


@kernel
def measure(table, weights, leads):
    """Write the expected leads of all positions; NaN where the game is over."""
    for row in range(len(table.n)):
        mine, theirs = table.one[row], table.other[row]
        my_moves, their_moves = moves_of(mine, theirs), moves_of(theirs, mine)
        leads[row] = np.nan
        if my_moves:
            leads[row] = lead_of(mine, theirs, my_moves, their_moves, weights)


class PatternRun(Run):
    """Fits pattern weights to counted positions."""

    batch, large_batch = 1 << 16, 1 << 17
    decay = DECAY

    def __init__(
        self,
        training: Table,
        validation: Table,
        folder: Path,
        facts: dict[str, Any],
        max_epochs: int,
        seed: int = 0,
    ) -> None:
        self.training, self.validation = training, validation
        self.weights = np.zeros(SIZE, np.float32)
        self.squares = np.zeros(SIZE, np.float32)
        self.best = self.weights.copy()
        super().__init__(folder, facts, max_epochs, seed)

    def sizes(self) -> tuple[int, int]:
        """Return the sizes of the training set and the validation set."""
        return len(self.training.n), len(self.validation.n)

    def learn(self, which: NDArray[np.int64], rng: np.random.Generator) -> tuple[float, ...]:
        """Learn from some positions."""
        total, weight = fit(
            self.training, which, TWINS, RATE, self.decay, self.weights, self.squares
        )
        self.step += len(which)
        return float(total), float(weight)

    def validate(self, which: slice) -> tuple[float, ...]:
        """Return the squared error in discs, and how often the winner is predicted."""
        self.spread(self.weights)
        one, other, n, wins, lead = self.validation
        table = Table(one[which], other[which], n[which], wins[which], lead[which])
        leads = np.empty(len(table.n))
        measure(table, self.weights, leads)
        seen = ~np.isnan(leads)
        n, error = table.n[seen], table.lead[seen] / table.n[seen] - leads[seen]
        weight = np.minimum(n, MOST_SEEN)
        right = np.where(leads[seen] > 0, table.wins[seen], n - table.wins[seen]).sum()
        sums = ((weight * error**2).sum(), weight.sum(), right, n.sum())
        return tuple(map(float, sums))

    def spread(self, weights: NDArray[np.float32]) -> None:
        """Give every place the weight of its twin."""
        stages = weights.reshape(STAGES, STAGE_SIZE)
        stages[:] = stages[:, TWINS]

    def keep_best(self) -> None:
        """Copy the weights, and fit the logistic scale of a lead."""
        self.best = self.weights.copy()
        leads = np.empty(len(self.validation.n))
        measure(self.validation, self.best, leads)
        self.best.reshape(STAGES, STAGE_SIZE)[:, SCALE] = logistic_scale(self.validation, leads)

    def state(self) -> dict[str, Any]:
        """Return the weights, their squared gradients and the best weights so far."""
        names = ("weights", "squares", "best")
        return {name: torch.from_numpy(getattr(self, name)) for name in names}

    def restore(self, state: dict[str, Any]) -> None:
        """Resume from what ``state`` returned."""
        for name, tensor in state.items():
            setattr(self, name, tensor.numpy())

    def write(self) -> None:
        """Write the best weights for playing, as small whole numbers."""
        whole = np.clip(np.round(self.best / UNIT), -32768, 32767).astype(np.int16)
        write_value(self.folder / "value.npz", "strong", whole, self.summary(), UNIT)


def logistic_scale(table: Table, leads: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for each stage, the factor of 1 / (1 + exp(-factor · lead)) that fits the wins."""
    discs = np.bitwise_count(table.one | table.other).astype(np.int64)
    stages = np.minimum((discs - 4) // STAGE_DISCS, STAGES - 1)
    candidates = np.arange(1, 129) * UNIT * 2
    chosen = np.empty(STAGES)
    for stage in range(STAGES):
        here = (stages == stage) & ~np.isnan(leads)
        n, share = table.n[here], table.wins[here] / np.maximum(1, table.n[here])
        losses = [(n * (1 / (1 + np.exp(-c * leads[here])) - share) ** 2).sum() for c in candidates]
        chosen[stage] = candidates[int(np.argmin(losses))]
    return chosen
