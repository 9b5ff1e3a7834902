"""Searches that visitors follow: an opponent's own, a hint, an analysis."""

import asyncio
import functools
import time
from collections.abc import Callable

from hansu.agents.agent import Agent
from hansu.agents.agent_life import AgentLife
from hansu.agents.registry import named_agent
from hansu.arena.analysis import analyse
from hansu.arena.player import LocalPlayer
from hansu.games.state import State
from hansu.search.info import SearchInfo
from hansu.search.limits import Limits, SearchHandle
from hansu.search.puct_search import PuctSearch
from hansu.search.view import History, SearchView
from hansu.web.fair_share import Account
from hansu.web.process_places import GivenUp
from hansu.web.refusals import Refusal
from hansu.web.session_seat import Seat
from hansu.web.thread_pools import ThreadPools

REPORT_EVERY = 0.2  # seconds between two reports of a search
MOST_BESIDE = 3  # agents that analyse the position of one table at the same time
NOTE_EVERY = 0.05  # seconds between two points of its evaluation over time

Tell = Callable[[int, SearchInfo, bool, State], None]
"""Called on the event loop with a search's number, what it has found, whether that is all, and of
which state."""


class ObservedSearch:
    """One search, reported while it runs and kept for inspection.

    Its ``handle`` goes to the searching agent.
    """

    def __init__(
        self, pools: ThreadPools, owner: object, state: State, who: str, tell: Tell
    ) -> None:
        self.number = pools.searches.new_number()
        self.handle = SearchHandle(self._hear)
        self._pools, self._owner, self._state, self._who = pools, owner, state, who
        self._tell, self._history = tell, History()
        self._loop = asyncio.get_running_loop()
        self._next_at = time.monotonic() + REPORT_EVERY
        self._next_note = 0.0

    def end(self, info: SearchInfo) -> None:
        """Keep the final state, apart from what the agent does with its tree from now on."""
        tree = self.handle.tree
        self._keep(info, tree.snapshot() if isinstance(tree, PuctSearch) else tree)

    def tell(self, info: SearchInfo, done: bool) -> None:
        """Tell what it has found, on the event loop."""
        self._tell(self.number, info, done, self._state)

    def _hear(self, found: Callable[[], SearchInfo]) -> None:
        self._pools.share.breathe()
        now = time.monotonic()
        if now >= self._next_note:  # what it has found so far takes a while to tell
            self._next_note = now + NOTE_EVERY
            self._history.add(found)
        if now >= self._next_at:
            self._next_at = now + REPORT_EVERY
            info = found()
            self._keep(info, self.handle.tree)
            self._loop.call_soon_threadsafe(self.tell, info, False)

    def _keep(self, info: SearchInfo, tree: object) -> None:
        view = SearchView(self._state, info, tree, self._who, self._history)
        self._pools.searches.keep(self._owner, self.number, view)


class Analyzer:
    """Analyses positions, at most one at a time."""

    def __init__(self, pools: ThreadPools, owner: object, account: Account) -> None:
        self._pools, self._owner, self._account = pools, owner, account
        self._task: asyncio.Task[None] | None = None
        self._handle = SearchHandle()  # of the analysis in progress

    async def begin(
        self, state: State, who: str, seconds: float, tell: Tell, fail: Callable[[Refusal], None]
    ) -> None:
        """Analyse a position, after ending the analysis in progress."""
        await self.stop()
        observed = ObservedSearch(self._pools, self._owner, state, who, tell)
        self._handle = observed.handle
        self._task = asyncio.create_task(self._look(observed, state, who, seconds, fail))

    async def stop(self) -> None:
        """End the analysis in progress, if any, with what it has found."""
        self._handle.stop()
        if self._task is not None:
            await self._task

    async def _look(
        self,
        observed: ObservedSearch,
        state: State,
        who: str,
        seconds: float,
        fail: Callable[[Refusal], None],
    ) -> None:
        def work() -> SearchInfo:
            agent = named_agent(who, state.game)
            seat = Seat(who, LocalPlayer(agent))
            find = functools.partial(self._find, agent, observed, state, seconds)
            try:
                info = seat.work(self._pools, lambda: not observed.handle.stopped, find)
            finally:
                self._pools.processes.forget(seat)
            observed.end(info)
            return info

        try:
            found = await self._pools.search(work, self._account, observed.handle)
            observed.tell(found, True)
        except GivenUp:  # stopped before it began
            pass
        except Exception as error:  # an agent may fail in any way; the session goes on
            fail(Refusal("agent_failed", agent=who, evidence=error))
        finally:
            self._task = None

    @staticmethod
    def _find(agent: Agent, observed: ObservedSearch, state: State, seconds: float) -> SearchInfo:
        with AgentLife(agent) as life:
            life.begin_game(state)  # compiling is not thinking
            return analyse(life.agent, state, Limits(seconds, exact=True), observed.handle)


class Analyses:
    """The analyses of one table: one, or those of several agents side by side."""

    def __init__(self, pools: ThreadPools, owner: object, account: Account) -> None:
        self._pools, self._owner, self._account = pools, owner, account
        self._by_agent: dict[str, Analyzer] = {}

    async def begin(
        self,
        state: State,
        who: str,
        seconds: float,
        tell: Tell,
        fail: Callable[[Refusal], None],
        beside: bool = False,
    ) -> None:
        """Analyse a position; analyses of other agents end, unless this one is ``beside`` them."""
        if not beside:
            await self.stop()
        if who not in self._by_agent and len(self._by_agent) >= MOST_BESIDE:
            raise Refusal("too_many_analyses", most=MOST_BESIDE)
        analyzer = self._by_agent.setdefault(who, Analyzer(self._pools, self._owner, self._account))
        await analyzer.begin(state, who, seconds, tell, fail)

    async def stop(self) -> None:
        """End all analyses in progress, with what they have found."""
        ending, self._by_agent = self._by_agent, {}
        for analyzer in ending.values():
            await analyzer.stop()
