"""``minimax``: who wins if both play perfectly?

It searches tic-tac-toe to the end, and larger games to some depth, where it evaluates the leaves.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

from hansu.agents.agent import Options
from hansu.agents.search_agent import SearchAgent, SearchOptions
from hansu.games.state import State
from hansu.options import Depth
from hansu.search.alphabeta_tree import AlphaBetaTree
from hansu.search.info import SearchInfo
from hansu.search.limits import Budget, Limits, SearchHandle
from hansu.search.negamax import search_within

SMALL = 16  # turns: a game that is never longer is searched to its end


@dataclass(frozen=True)
class MinimaxOptions(SearchOptions):
    """How far to look; none: to the end of a small game, else 3 plies."""

    depth: Depth | None = None


class Minimax(SearchAgent):
    """The exact outcome by full search, choosing at random among equals."""

    Options: ClassVar[type[Options]] = MinimaxOptions
    counts_depth: ClassVar[bool] = True
    tree: AlphaBetaTree | None = None  # the last search, for inspection

    def bounded(self, state: State, limits: Limits) -> Budget:
        """Search 3 plies unless the game is small or the caller sets limits."""
        found = super().bounded(state, limits)
        usual = None if state.game.max_turns <= SMALL or self.is_asked(limits) else 3
        return replace(found, depth=found.depth or usual)

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Value every move exactly: nothing is pruned, so equals are known to be equal."""
        info = search_within(state, budget, handle, prune=False, shuffle=self.rng)
        handle.tree = self.tree = AlphaBetaTree(state.copy(), info, prune=False)
        return info
