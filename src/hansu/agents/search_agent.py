"""What the searching agents share: look at every move, play the best, resign if asked to."""

from dataclasses import dataclass
from typing import Any, ClassVar

from hansu.agents.agent import Agent, Options
from hansu.agents.budget import fair_share
from hansu.games.state import RESIGN, State
from hansu.search.info import SearchInfo

HOPELESS = 0.1


@dataclass(frozen=True)
class SearchOptions(Options):
    """Options of every searching agent."""

    resign: bool = False  # give up when the best move is worth less than a tenth


class SearchAgent(Agent):
    """Write ``search``: all moves with their values, best first."""

    Options: ClassVar[type[Options]] = SearchOptions
    info: SearchInfo | None = None  # what the last search found
    exact: bool = False  # value every move exactly, for people to look at, even if that costs time
    seconds: float | None = None  # for each move, instead of the fair share of the clock

    def search(self, state: State) -> SearchInfo:
        """Look at every legal move."""
        raise NotImplementedError

    def prepare(self, start: State) -> None:
        """Compile the search by a very short one; nothing of it stays."""
        kept, self.seconds = (self.seconds, self.rng.getstate()), 1e-3
        self.search(start)
        self.seconds = kept[0]
        self.rng.setstate(kept[1])

    def move_seconds(self, state: State) -> float:
        """How long this move may take."""
        return fair_share(state) if self.seconds is None else self.seconds

    def act(self, state: State) -> Any:
        """Search, then play the best move, or resign."""
        self.info = self.search(state)
        if self.options.resign and self.info.value < HOPELESS:
            return RESIGN
        return self.info.move
