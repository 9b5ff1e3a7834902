"""Positions where perfect play is known: how often does a network's first choice keep the value?"""

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from hansu.errors import HansuError
from hansu.games.features import Features
from hansu.games.game import Game
from hansu.games.solver import Solver
from hansu.games.state import State
from hansu.learning.evaluator import NetworkEvaluator
from hansu.learning.network import Network
from hansu.search.decided import MEMORY, decide_moves
from hansu.search.solve import make_solver
from hansu.search.truth import Truth

POSITIONS = 200
GAMES = 400  # random ones to take them from


@dataclass(frozen=True)
class KnownPositions:
    """Positions in which some moves keep what they are worth, and others give it away."""

    leaves: NDArray[np.uint64]  # [positions, words] packed, as networks read them
    legal: NDArray[np.bool_]  # [positions, actions]
    keeping: NDArray[np.bool_]  # [positions, actions] the moves that keep the value

    def accuracy(self, evaluate: Callable[[NDArray[np.uint64]], NDArray[np.float32]]) -> float:
        """Return in how many positions, as a share, the likeliest move keeps the value."""
        policy = np.where(self.legal, evaluate(self.leaves)[:, :-1], -np.inf)
        return float(self.keeping[np.arange(len(policy)), policy.argmax(axis=1)].mean())


class AccuracyCheck:
    """Checks networks of a game in its known positions, which it finds when it is first asked."""

    def __init__(self, features: Features, device: torch.device) -> None:
        self._features, self._device = features, device

    def __call__(self, network: Network) -> float | None:
        """Return how often the network's first choice keeps the value, where that is known."""
        if self._known is None:
            return None
        known, evaluator = self._known
        evaluator.use(network)
        return round(known.accuracy(evaluator), 4)

    @functools.cached_property
    def _known(self) -> tuple[KnownPositions, NetworkEvaluator] | None:
        known = known_positions(self._features)
        if known is None:
            return None
        return known, NetworkEvaluator(self._features, len(known.leaves), self._device)


@functools.cache
def known_positions(features: Features) -> KnownPositions | None:
    """Return positions of random games, always the same; None where perfect play is not known.

    >>> import hansu
    >>> found = known_positions(hansu.game("tictactoe").features)
    >>> found.legal.shape, bool((found.keeping <= found.legal).all())
    ((200, 9), True)
    """
    try:
        solver = make_solver(features.game, MEMORY)
    except HansuError:
        return None
    rng, found = random.Random(0), dict[bytes, tuple[State, Truth]]()
    for _ in range(GAMES):
        state = _random_position(features.game, solver, rng)
        if len(found) == POSITIONS:
            break
        if state is not None and state.words.tobytes() not in found:
            truth = decide_moves(state, solver)
            if truth and len({move.value == truth.value for move in truth.moves}) > 1:
                found[state.words.tobytes()] = state, truth
    if not found:
        return None
    rows = [_actions(features, *one) for one in found.values()]
    leaves = np.stack([features.pack(state) for state, _ in found.values()])
    return KnownPositions(leaves, *map(np.stack, zip(*rows, strict=True)))


def _random_position(game: Game, solver: Solver, rng: random.Random) -> State | None:
    """Return a position of a random game that its solver may know."""
    state, seen = game.start(), list[State]()
    while not state.is_game_over():
        if solver.is_near(state):
            seen.append(state.copy())
        state.push(rng.choice(list(state.legal_moves)))
    return rng.choice(seen) if seen else None


def _actions(features: Features, state: State, truth: Truth) -> tuple[Any, Any]:
    """Return which actions are legal, and which of them keep the value."""
    legal, keeping = np.zeros((2, features.actions), np.bool_)
    for move in truth.moves:
        action = features.action(state, move.move)
        legal[action] = True
        keeping[action] = move.value == truth.value
    return legal, keeping
