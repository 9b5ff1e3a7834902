"""An agent looks at a position for somebody: a hint, an analysis, and how a search goes on."""

import asyncio
import time
from collections.abc import Callable

from hansu.agents.agent import Agent
from hansu.agents.registry import agent
from hansu.agents.search_agent import SearchAgent
from hansu.arena.analysis import look
from hansu.games.state import State
from hansu.search.info import SearchInfo
from hansu.search.view import History, SearchView
from hansu.web.desk import Desk

REPORT_EVERY = 0.2  # seconds between two reports of a search

Tell = Callable[[SearchInfo, bool], None]
"""Called on the event loop with what has been found, and whether that is all."""


def reporter(tell: Tell) -> Callable[[Callable[[], SearchInfo]], None]:
    """For ``SearchAgent.report``: tells now and then, from the thinking thread, how it goes."""
    loop = asyncio.get_running_loop()
    next_at = time.monotonic() + REPORT_EVERY

    def report(found: Callable[[], SearchInfo]) -> None:
        nonlocal next_at
        if time.monotonic() >= next_at:
            next_at = time.monotonic() + REPORT_EVERY
            loop.call_soon_threadsafe(tell, found(), False)

    return report


class Looker:
    """At most one look at a time."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._task: asyncio.Task[None] | None = None
        self._thinker: Agent | None = None

    async def begin(
        self, state: State, who: str, seconds: float, tell: Tell, fail: Callable[[str], None]
    ) -> None:
        """Look at a position, after ending the look under way."""
        await self.stop()
        self._task = asyncio.create_task(self._look(state, who, seconds, tell, fail))

    @property
    def view(self) -> SearchView:
        """The last look, to go into; raises HansuError."""
        return self._desk.searches.of(self)

    async def close(self) -> None:
        """Nobody looks any more."""
        await self.stop()
        self._desk.searches.forget(self)

    async def stop(self) -> None:
        """End the look under way, if any, with what it has found."""
        if isinstance(self._thinker, SearchAgent):
            self._thinker.stop()
        if self._task is not None:
            await self._task

    async def _look(
        self, state: State, who: str, seconds: float, tell: Tell, fail: Callable[[str], None]
    ) -> None:
        report, history = reporter(tell), History()

        def hear(found: Callable[[], SearchInfo]) -> None:
            history.add(found)
            report(found)

        def work() -> SearchInfo:
            thinker = self._thinker = agent(who, state.game, state.turn)
            try:
                thinker.check(state.game)
                thinker.prepare(state)  # compiling is not thinking
                if isinstance(thinker, SearchAgent):
                    thinker.report = hear
                thinker.reset()
                info = look(thinker, state, seconds)
                tree = getattr(thinker, "tree", None)
                self._desk.searches.keep(self, SearchView(state, info, tree, who, history))
                return info
            finally:
                thinker.close()
                thinker.release()

        try:
            tell(await self._desk.think(work), True)
        except Exception as error:  # an agent may fail in any way; the table goes on
            fail(f"{who} cannot look at this position: {error}")
        finally:
            self._thinker = self._task = None
