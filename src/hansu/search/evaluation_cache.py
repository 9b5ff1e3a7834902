"""An evaluation cache: a network evaluates a position once, however many paths lead there.

The trees themselves keep no transposition table: nodes that transpose share the evaluation only.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Evaluate = Callable[[NDArray[np.uint64]], NDArray[np.float32]]
"""Packed positions [n, words] -> logits of all actions and a value for the side to move."""

MOST_BYTES = 1 << 26  # kept
AROUND = 300  # bytes of a row besides its numbers: the position, and Python's own


class EvaluationCache:
    """An ``Evaluate`` with a cache; the oldest entries go first.

    >>> asked = []
    >>> def network(leaves):
    ...     asked.extend(leaves[:, 0].tolist())
    ...     return leaves.astype(np.float32)
    >>> answers = EvaluationCache(network)
    >>> answers(np.array([[1], [2]], np.uint64)).tolist()
    [[1.0], [2.0]]
    >>> answers(np.array([[2], [3]], np.uint64)).tolist(), asked
    ([[2.0], [3.0]], [1, 2, 3])
    """

    def __init__(self, evaluate: Evaluate, most: int = MOST_BYTES) -> None:
        self._evaluate, self._most = evaluate, most
        self._rows: dict[bytes, NDArray[np.float32]] = {}

    def __call__(self, leaves: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Return a row for each position."""
        keys = [leaf.tobytes() for leaf in leaves]
        unknown = [i for i, key in enumerate(keys) if key not in self._rows]
        if unknown:
            for i, row in zip(unknown, self._evaluate(leaves[unknown]), strict=True):
                self._rows[keys[i]] = row
        found = np.stack([self._rows[key] for key in keys])
        while len(self._rows) * (found[0].nbytes + AROUND) > self._most:
            del self._rows[next(iter(self._rows))]
        return found
