"""``self_learning``: search guided by a network trained by self-play.

The search is in ``hansu.search.puct_search``, the network in ``hansu.learning.model``;
``hansu train`` makes new ones.
"""

from dataclasses import dataclass
from typing import ClassVar

from hansu.agents.agent import Options
from hansu.agents.search_agent import SearchAgent, TablebaseOptions
from hansu.games.game import Game
from hansu.games.state import State
from hansu.learning.model import SHIPPED, Model, find_model, model_path
from hansu.options import Count, Depth, Seconds, Threads, Weight
from hansu.search.info import SearchInfo
from hansu.search.limits import Budget, SearchHandle
from hansu.search.puct_search import PuctSearch, PuctSettings
from hansu.search.solve import THREADS
from hansu.search.wins import look_ahead


@dataclass(frozen=True)
class SelfLearningOptions(TablebaseOptions):
    """Which network, and how much to search."""

    cpuct: Weight = 1.0
    n_simulations: Count = 100_000
    search_time: Seconds = 10.0  # seconds; never more than the fair share of the clock
    max_depth: Depth = 32
    model: str = SHIPPED  # or an ONNX file, as ``hansu train`` writes it
    endings: bool = True
    threads: Threads = THREADS  # in which the network evaluates positions


class SelfLearning(SearchAgent):
    """PUCT with a trained network: plays the move it has visited most."""

    Options: ClassVar[type[Options]] = SelfLearningOptions
    tree: PuctSearch | None = None  # the last search; its subtree is reused for the next move
    _model: Model | None = None

    def check(self, game: Game) -> None:
        """Raise HansuError unless there is a model of the game; only a given file is loaded."""
        if self.options.model == SHIPPED:
            model_path(SHIPPED, game)
        else:
            self._model = find_model(self.options.model, game)

    def reset(self) -> None:
        """Forget the tree of the last game."""
        self.tree = None

    def prepare(self, start: State) -> None:
        """Load the model, and compile the search and the reuse of its tree."""
        super().prepare(start)
        assert self.tree is not None
        self.tree.follow(start.forward(self.tree.info().move))
        self.tree = None

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Search within the limits, reusing the tree of the last move."""
        chosen: SelfLearningOptions = self.options
        if self._model is None or self._model.game != state.game:
            self._model, self.tree = find_model(chosen.model, state.game), None
        if self.tree is None:
            settings = PuctSettings(
                *(chosen.cpuct, chosen.max_depth),
                threads=chosen.threads,
                mirror=self._model.mirror,
            )
            self.tree = PuctSearch(state.copy(), self._model, settings)
        else:
            self.tree.follow(state.copy())
        handle.tree = tree = self.tree

        def found() -> SearchInfo:
            return look_ahead(state, tree.info())

        tree.run_for(budget.nodes, budget.seconds, lambda: handle.go_on(found))
        return found()
