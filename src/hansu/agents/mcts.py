"""``mcts`` and ``mcts_dev``: Monte Carlo tree search.

Selection, expansion, simulation and back-up are in ``hansu.search.mcts``; an agent decides how
much of it there is and which move is played.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from hansu.agents.agent import Options
from hansu.agents.search_agent import SearchAgent, SearchOptions
from hansu.games.state import State
from hansu.options import Count, Depth, Seconds, Weight
from hansu.search.info import SearchInfo
from hansu.search.mcts import Mcts, Settings


@dataclass(frozen=True)
class MctsOptions(SearchOptions):
    """How much to search, and how."""

    n_simulations: Count = 1_000_000
    search_time: Seconds = 10.0  # seconds; never more than the fair share of the clock
    max_depth: Depth | None = 6  # plies from the root, after which the evaluation decides
    exploration_coef: Weight = 1.0
    action_score: Literal["visits", "mean"] = "visits"
    reward_amplify: bool = True  # at max_depth: better than the root is 1, equal a half, worse 0
    playout: Literal["light", "heavy"] = "light"


class MctsAgent(SearchAgent):
    """UCT: plays the move it has visited most."""

    Options: ClassVar[type[Options]] = MctsOptions
    tree: Mcts | None = None  # the last search, for whoever wants to look into it

    def search(self, state: State) -> SearchInfo:
        """Simulate until the budget is used up."""
        chosen: MctsOptions = self.options
        settings = Settings(
            exploration=chosen.exploration_coef,
            max_depth=chosen.max_depth,
            amplify=chosen.reward_amplify,
            playout=chosen.playout,
            by_visits=chosen.action_score == "visits",
        )
        tree = self.tree = Mcts(state.copy(), settings, self.rng.getrandbits(63))
        seconds = min(chosen.search_time, self.move_seconds(state))
        tree.run_for(chosen.n_simulations, seconds, lambda: self.go_on(tree.info))
        return tree.info()


@dataclass(frozen=True)
class MctsDevOptions(MctsOptions):
    """The same number of simulations on every machine."""

    n_simulations: Count = 5_000
    search_time: Seconds = 10_000.0


class MctsDev(MctsAgent):
    """A fixed number of simulations, whatever the machine; its tree can be looked at."""

    Options: ClassVar[type[Options]] = MctsDevOptions
