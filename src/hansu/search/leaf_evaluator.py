"""Leaf evaluation: the compiled function that values a position, and its weights."""

import functools
from typing import Any, NamedTuple

import numpy as np

from hansu.games.game import Game
from hansu.kernel import kernel


class LeafEvaluator(NamedTuple):
    """``judge(pos, weights)``: the share of the player who began, in [0, 1].

    The weights are an argument, not part of the compiled code: a newly trained value needs no
    compiling.
    """

    judge: Any
    weights: np.ndarray  # [numbers] float32


def own_evaluator(game: Game) -> LeafEvaluator:
    """The game's own evaluation, which has no weights."""
    return LeafEvaluator(_without_weights(game.evaluator.judge), np.zeros(0, np.float32))


@functools.cache
def _without_weights(evaluate: Any) -> Any:
    @kernel(variant=evaluate)
    def judge(pos, weights):
        return evaluate(pos)

    return judge
