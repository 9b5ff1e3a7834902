"""``two_step_search``, also called ``greedy``: my move, then the opponent's best answer.

In words: for each of my moves, let the opponent try every answer and take the one that leaves me
worst; play the move whose worst is best. A move that ends the game is judged at once. That is
negamax to depth 2, so the compiled one does the work.
"""

from dataclasses import replace

from hansu.agents.search_agent import SearchAgent
from hansu.games.state import State
from hansu.search.info import SearchInfo
from hansu.search.limits import Budget, SearchHandle
from hansu.search.negamax import search_within


class TwoStepSearch(SearchAgent):
    """The move whose worst answer is best; ties at random."""

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Search every move and every reply."""
        return search_within(state, replace(budget, depth=2), handle, False, self.rng)
