"""Searches that people follow: an opponent's own, a hint, an analysis."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from hansu.agents.agent import Agent
from hansu.agents.registry import agent
from hansu.agents.search_agent import SearchAgent
from hansu.arena.analysis import look
from hansu.games.state import State
from hansu.search.guided import Guided
from hansu.search.info import SearchInfo
from hansu.search.view import History, SearchView, Tree
from hansu.web.desk import Desk
from hansu.web.searches import Searches

REPORT_EVERY = 0.2  # seconds between two reports of a search

Tell = Callable[[int, SearchInfo, bool], None]
"""Called on the event loop with a search's number, what it has found, and whether that is all."""


class Followed:
    """One search, told of now and then while it goes on, and kept to be looked into."""

    def __init__(
        self, searches: Searches, owner: object, state: State, who: str, tell: Tell
    ) -> None:
        self.number = searches.new_number()
        self._searches, self._owner, self._state, self._who = searches, owner, state, who
        self._tell, self._history = tell, History()
        self._loop = asyncio.get_running_loop()
        self._next_at = time.monotonic() + REPORT_EVERY

    def begin(self, thinker: SearchAgent) -> None:
        """Hear from now on how the agent's search goes."""

        def hear(found: Callable[[], SearchInfo]) -> None:
            self._history.add(found)
            if time.monotonic() >= self._next_at:
                self._next_at = time.monotonic() + REPORT_EVERY
                info = found()
                self._keep(info, getattr(thinker, "tree", None))
                self._loop.call_soon_threadsafe(self._tell, self.number, info, False)

        thinker.report = hear

    def end(self, thinker: Agent, info: SearchInfo) -> None:
        """It is over; what the agent does with its tree from now on does not matter."""
        tree = getattr(thinker, "tree", None)
        self._keep(info, tree.snapshot() if isinstance(tree, Guided) else tree)

    def _keep(self, info: SearchInfo, tree: Any) -> None:
        # Some agents have the tree of their last move while they think about the next.
        current = isinstance(tree, Tree) and tree.state.move_stack == self._state.move_stack
        found = tree if current else None
        view = SearchView(self._state, info, found, self._who, self._history)
        self._searches.keep(self._owner, self.number, view)


class Looker:
    """Looks at positions for people; at most one at a time."""

    def __init__(self, desk: Desk, owner: object) -> None:
        self._desk, self._owner = desk, owner
        self._task: asyncio.Task[None] | None = None
        self._thinker: Agent | None = None
        self._unwanted = False  # also before there is anybody who could be told

    async def begin(
        self, state: State, who: str, seconds: float, tell: Tell, fail: Callable[[str], None]
    ) -> None:
        """Look at a position, after ending the look under way."""
        await self.stop()
        self._unwanted = False
        followed = Followed(self._desk.searches, self._owner, state, who, tell)
        self._task = asyncio.create_task(self._look(followed, state, who, seconds, tell, fail))

    async def stop(self) -> None:
        """End the look under way, if any, with what it has found."""
        self._unwanted = True
        if isinstance(self._thinker, SearchAgent):
            self._thinker.stop()
        if self._task is not None:
            await self._task

    async def _look(
        self,
        followed: Followed,
        state: State,
        who: str,
        seconds: float,
        tell: Tell,
        fail: Callable[[str], None],
    ) -> None:
        def work() -> SearchInfo:
            thinker = self._thinker = agent(who, state.game, state.turn)
            try:
                thinker.check(state.game)
                thinker.prepare(state)  # compiling is not thinking
                if isinstance(thinker, SearchAgent):
                    followed.begin(thinker)
                    if self._unwanted:
                        thinker.stop()
                thinker.reset()
                info = look(thinker, state, seconds)
                followed.end(thinker, info)
                return info
            finally:
                thinker.close()
                thinker.release()

        try:
            tell(followed.number, await self._desk.think(work), True)
        except Exception as error:  # an agent may fail in any way; the table goes on
            fail(f"{who} cannot look at this position: {error}")
        finally:
            self._thinker = self._task = None
