"""``two_step_search``, also called ``greedy``: my move, then the opponent's best reply.

For each of my moves find the reply that is worst for me; play the move whose worst reply is best. A
move that ends the game is evaluated at once. That is negamax to depth 2.
"""

from dataclasses import replace

from hansu.agents.search_agent import SearchAgent
from hansu.games.state import State
from hansu.search.info import SearchInfo
from hansu.search.limits import Budget, SearchHandle
from hansu.search.negamax import search_within


class TwoStepSearch(SearchAgent):
    """Play the move that holds up best against the strongest reply; break ties at random."""

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Search every move and every reply."""
        return search_within(state, replace(budget, depth=2), handle, False, self.rng)
