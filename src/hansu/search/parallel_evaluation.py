"""A network evaluates a batch on several cores: each thread has its part of the positions.

The library that runs the network has threads too, but they wait by turning in circles: on a core
that other work shares they halve the speed.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from hansu.search.evaluation_cache import Evaluate


class ParallelEvaluation:
    """An ``Evaluate`` in so many threads; they end when nobody holds it any more.

    >>> doubled = ParallelEvaluation(lambda leaves: leaves * 2.0, threads=2)
    >>> doubled(np.array([[1], [2], [3]], np.uint64)).tolist()
    [[2.0], [4.0], [6.0]]
    """

    def __init__(self, evaluate: Evaluate, threads: int) -> None:
        self._evaluate, self._threads = evaluate, threads
        self._others = ThreadPoolExecutor(threads - 1, "evaluation") if threads > 1 else None

    def __call__(self, leaves: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Return a row for each position."""
        if self._others is None or len(leaves) < self._threads:
            return self._evaluate(leaves)
        mine, *theirs = np.array_split(leaves, self._threads)
        waiting = [self._others.submit(self._evaluate, part) for part in theirs]
        return np.concatenate([self._evaluate(mine), *(each.result() for each in waiting)])
