"""``mcts`` and ``mcts_dev``: Monte Carlo tree search.

Selection, expansion, simulation and backpropagation are in ``hansu.search.mcts``; the agent
decides how long to search and which move to play.
"""

from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, ClassVar, Literal

from hansu.agents.agent import Options
from hansu.agents.search_agent import SearchAgent, TablebaseOptions
from hansu.errors import OptionError
from hansu.games.game import WHITE, Game
from hansu.games.state import State
from hansu.kernel import gpu
from hansu.options import Count, Depth, Range, Seconds, Weight
from hansu.search.info import SearchInfo
from hansu.search.limits import Budget, SearchHandle
from hansu.search.mcts import Mcts, MctsSettings
from hansu.search.mcts_gpu import RootParallelMcts
from hansu.search.rave import RaveMcts
from hansu.search.wins import look_ahead

Rave = Annotated[int, Range(0, 10**6, "visits")]


@dataclass(frozen=True)
class MctsOptions(TablebaseOptions):
    """How much to search, and how. A game may have other defaults: see ``Game.mcts_defaults``."""

    n_simulations: Count = 1_000_000
    search_time: Seconds = 10.0  # seconds; never more than the fair share of the clock
    max_depth: Depth | None = None  # plies from the root, after which the evaluation decides
    exploration_coef: Weight = 1.0
    action_score: Literal["visits", "mean"] = "visits"
    reward_amplify: bool = False  # at max_depth: better than the root is 1, equal a half, worse 0
    playout: Literal["light", "heavy"] = "light"
    rave: Rave = 0  # visits after which later moves count as little; 0: not at all
    tree_reuse: bool = False  # begin with what the last move's search has of the position
    device: Literal["cpu", "cuda"] = "cpu"  # cuda: thousands of trees on a GPU, added up


class MctsAgent(SearchAgent):
    """UCT: play the most visited move."""

    Options: ClassVar[type[Options]] = MctsOptions
    tree: Mcts | None = None  # the last search, for inspection
    _game: Game | None = None

    @property
    def game(self) -> Game | None:
        """The game it was made for; its defaults hold for options that were not set."""
        return self._game

    @game.setter
    def game(self, game: Game | None) -> None:
        usual = {field.name: field.default for field in fields(self.options)}
        unset = {**usual, **(game.mcts_defaults if game else {})}
        for name in self.options_set:
            unset.pop(name, None)
        self._game, self.options = game, replace(self.options, **unset)

    def reset(self) -> None:
        """Forget the tree of the last game."""
        self.tree = None

    def check(self, game: Game) -> None:
        """Raise HansuError if its device is not there."""
        if self.options.device == "cuda":
            gpu.card()
        if self.options.rave and "rave" not in game.mcts_strongest:
            raise OptionError(f"mcts option rave: {game.name} has no use for it")
        if self.options.rave and (self.options.device == "cuda" or self.options.max_depth):
            raise OptionError("mcts option rave: it needs device=cpu and max_depth=none")
        if self.options.tree_reuse and (self.options.device == "cuda" or self.options.max_depth):
            raise OptionError("mcts option tree_reuse: it needs device=cpu and max_depth=none")

    def prepare(self, start: State) -> None:
        """Compile the search; no tree stays."""
        super().prepare(start)
        self.reset()

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Simulate until the limits are reached."""
        if self._game is None:
            self.game = state.game
        chosen: MctsOptions = self.options
        settings = MctsSettings(
            exploration=chosen.exploration_coef,
            max_depth=chosen.max_depth,
            amplify=chosen.reward_amplify,
            playout=chosen.playout,
            by_visits=chosen.action_score == "visits",
            rave=chosen.rave,
        )
        start, seed = state.copy(), self.rng.getrandbits(63)
        tree = (
            RootParallelMcts(start, settings, seed, budget.nodes)
            if chosen.device == "cuda"
            else (RaveMcts if chosen.rave else Mcts)(start, settings, seed, handle.most_nodes)
        )
        if chosen.tree_reuse and self.tree is not None:
            tree.continue_from(self.tree)
        handle.tree = self.tree = tree

        def found() -> SearchInfo:
            return look_ahead(state, tree.info())

        tree.run_for(budget.nodes, budget.seconds, lambda: handle.go_on(found))
        return found()


@dataclass(frozen=True)
class MctsDevOptions(MctsOptions):
    """How much to search: the same number of simulations on every machine."""

    n_simulations: Count = 5_000
    search_time: Seconds = 10_000.0


class MctsDev(MctsAgent):
    """MCTS with a fixed number of simulations on every machine."""

    Options: ClassVar[type[Options]] = MctsDevOptions

    def __init__(self, name: str = "", color: bool = WHITE, **options: Any) -> None:
        super().__init__(name, color, **options)
        self.options_set |= {"n_simulations"}  # its number holds even within a caller's limits
