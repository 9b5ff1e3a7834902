"""``minimax``: who wins if both play perfectly?

On tic-tac-toe it looks to the end of every line and knows. Elsewhere that would take for ever: it
looks some plies ahead and lets the evaluation judge what it sees there.
"""

from dataclasses import dataclass
from typing import ClassVar

from hansu.agents.agent import Options
from hansu.agents.search_agent import SearchAgent, SearchOptions
from hansu.games.state import State
from hansu.options import Depth
from hansu.search.alphabeta_tree import AlphaBetaTree
from hansu.search.info import SearchInfo
from hansu.search.negamax import search

SMALL = 16  # turns: a game that is never longer is searched to its end


@dataclass(frozen=True)
class MinimaxOptions(SearchOptions):
    """How far to look; none: to the end of a small game, else 3 plies."""

    depth: Depth | None = None


class Minimax(SearchAgent):
    """The exact outcome by full search, choosing at random among equals."""

    Options: ClassVar[type[Options]] = MinimaxOptions
    tree: AlphaBetaTree | None = None  # the last search, for whoever wants to look into it

    def search(self, state: State) -> SearchInfo:
        """Value every move exactly: nothing is pruned, so equals are known to be equal."""
        turns_left = state.game.max_turns - len(state.move_stack)
        depth = self.options.depth or (turns_left if state.game.max_turns <= SMALL else 3)
        seconds, watch = self.move_seconds(state), self.watch()
        info = search(state, depth, prune=False, seconds=seconds, shuffle=self.rng, watch=watch)
        self.tree = AlphaBetaTree(state.copy(), info, prune=False)
        return info
