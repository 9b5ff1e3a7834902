"""Leaf evaluation: the compiled function that evaluates a leaf, and its weights."""

import functools
from typing import Any, NamedTuple

import numpy as np

from hansu.games.game import Game
from hansu.kernel import kernel


class LeafEvaluator(NamedTuple):
    """``evaluate(pos, weights)`` returns the first player's share, in [0, 1].

    The weights are an argument, not part of the compiled code: a newly trained value function
    needs no compiling.
    """

    evaluate: Any
    weights: Any  # [numbers] float32, or the tables of endings


def own_evaluator(game: Game) -> LeafEvaluator:
    """Return the game's own evaluation, which has no weights."""
    return LeafEvaluator(_without_weights(game.evaluator.evaluate), np.zeros(0, np.float32))


@functools.cache
def _without_weights(evaluate: Any) -> Any:
    @kernel(variant=evaluate)
    def evaluate_leaf(pos, weights):
        return evaluate(pos)

    return evaluate_leaf
