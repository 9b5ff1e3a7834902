"""What the searching agents share: look at every move, play the best, resign if asked to."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from hansu.agents.agent import Agent, Options
from hansu.agents.budget import fair_share
from hansu.games.state import RESIGN, State
from hansu.search.info import SearchInfo
from hansu.search.negamax import Watch

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
    stopping: bool = False  # the search under way is to end soon, with what it has found
    report: Callable[[Callable[[], SearchInfo]], None] | None = None  # hears how a search goes
    _watch: Watch | None = None

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

    def stop(self) -> None:
        """Called from another thread: end the search soon. Set ``stopping`` off for the next."""
        self.stopping = True
        if self._watch is not None:
            self._watch.stop()

    def watch(self) -> Watch:
        """A new eye on an alpha-beta search, by which ``stop`` reaches it."""
        self._watch = Watch(self.go_on)
        return self._watch

    def go_on(self, info: Callable[[], SearchInfo]) -> bool:
        """Long searches ask this now and then; ``info`` tells what they have found so far."""
        if self.report is not None:
            self.report(info)
        return not self.stopping

    def act(self, state: State) -> Any:
        """Search, then play the best move, or resign."""
        self.info = self.search(state)
        if self.options.resign and self.info.value < HOPELESS:
            return RESIGN
        return self.info.move
