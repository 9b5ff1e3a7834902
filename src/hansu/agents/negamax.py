"""``negamax``: what is good for me is bad for you, so one rule serves both players.

The value of a position is the best of ``-value(next position)`` over my moves. See
``hansu.search.negamax``, where this is ten lines.
"""

from dataclasses import dataclass
from typing import ClassVar

from hansu.agents.agent import Options
from hansu.agents.search_agent import EndingsOptions, SearchAgent
from hansu.games.game import Game
from hansu.games.state import State
from hansu.options import Depth
from hansu.search.alphabeta_tree import AlphaBetaTree
from hansu.search.info import SearchInfo
from hansu.search.leaf_evaluator import LeafEvaluator
from hansu.search.limits import Budget, SearchHandle
from hansu.search.negamax import search_within


@dataclass(frozen=True)
class NegamaxOptions(EndingsOptions):
    """How many plies to look ahead."""

    depth: Depth = 4


class Negamax(SearchAgent):
    """Plain negamax to a depth; ``info.nodes`` counts its nodes."""

    Options: ClassVar[type[Options]] = NegamaxOptions
    counts_depth: ClassVar[bool] = True
    prune = False
    tree: AlphaBetaTree | None = None  # the last search, for inspection

    def leaf_evaluator(self, game: Game) -> LeafEvaluator | None:
        """Return what evaluates the leaves; None: the game's own evaluation."""
        return None

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Search to the depth, or as deep as the time allows."""
        evaluator = self.leaf_evaluator(state.game)
        info = search_within(state, budget, handle, self.prune, self.rng, evaluator)
        handle.tree = self.tree = AlphaBetaTree(state.copy(), info, self.prune)
        return info
