"""``record_learning``: alpha-beta in Othello with an evaluation trained on expert games.

It was trained on a hundred thousand tournament games; ``hansu learn othello`` trains another. See
``hansu.learning.experts``.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from hansu.agents.agent import Options
from hansu.agents.search_agent import EndingsOptions, SearchAgent
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.games.state import State
from hansu.learning.experts.value import SHIPPED, LearntValue, find_value
from hansu.options import Depth, Seconds
from hansu.search.info import SearchInfo
from hansu.search.limits import Budget, SearchHandle
from hansu.search.negamax import search_within

LATE = 50  # the number of the move from which ``late_depth`` counts
START_DISCS = 4


@dataclass(frozen=True)
class RecordLearningOptions(EndingsOptions):
    """How many plies to look ahead, and which evaluation to use."""

    depth: Depth = 5
    late_depth: Depth = 7  # from move 50 on
    search_time: Seconds | None = None  # seconds; none: as long as the depth takes
    net: Literal["historic", "strong"] = "historic"
    model: str = SHIPPED  # or a file, as ``hansu learn othello`` writes it; it knows its net


class RecordLearning(SearchAgent):
    """Alpha-beta with an evaluation trained on expert games."""

    Options: ClassVar[type[Options]] = RecordLearningOptions
    counts_depth: ClassVar[bool] = True
    _value: LearntValue | None = None

    def check(self, game: Game) -> None:
        """Raise HansuError unless the game is othello and the model exists."""
        if game.name != "othello":
            raise HansuError(f"record_learning plays othello, not {game.name}")
        self._value = find_value(self.options.model, self.options.net)

    def prepare(self, start: State) -> None:
        """Load the model and compile the search."""
        self.check(start.game)
        super().prepare(start)

    def depth_option(self, state: State) -> str:
        """Search deeper near the end."""
        _, _, mine, theirs = map(int, state.words)
        move_number = (mine | theirs).bit_count() - START_DISCS + 1
        return "late_depth" if move_number >= LATE else "depth"

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Search to the depth, or as deep as the time allows."""
        if self._value is None:
            self._value = find_value(self.options.model, self.options.net)
        return search_within(state, budget, handle, True, self.rng, self._value.evaluator)
