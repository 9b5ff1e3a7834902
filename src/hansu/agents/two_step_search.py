"""``two_step_search``, also called ``greedy``: my move, then the opponent's best answer.

In words: for each of my moves, let the opponent try every answer and take the one that leaves me
worst; play the move whose worst is best. A move that ends the game is judged at once. That is
negamax to depth 2, so the compiled one does the work.
"""

from hansu.agents.search_agent import SearchAgent
from hansu.games.state import State
from hansu.search.info import SearchInfo
from hansu.search.negamax import search


class TwoStepSearch(SearchAgent):
    """The move whose worst answer is best; ties at random."""

    def search(self, state: State) -> SearchInfo:
        """Every move and every answer."""
        return search(state, 2, prune=False, seconds=self.move_seconds(state), shuffle=self.rng)
