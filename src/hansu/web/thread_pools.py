"""Threads beside the event loop in which agents think and files are read, a fair share each."""

import asyncio
import contextlib
import functools
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from typing import TypeVar
from weakref import WeakValueDictionary

from hansu.search.limits import SearchHandle
from hansu.web.fair_share import Account, FairShare
from hansu.web.process_places import ProcessPlaces
from hansu.web.searches import Searches
from hansu.web.worker_threads import WorkerThreads

T = TypeVar("T")
MOST_THREADS = 1000  # most of them wait: for a place, or for a process
LOOP_SHARE = 0.3  # of the event loop, for games between agents
TREE_NODES = 1 << 22  # of all searches that run, together: about 130 MB
FEWEST_NODES = 1 << 16  # that each of them may have
LONGEST_END = 5.0  # seconds that the end of the server waits for its threads


def _never() -> bool:
    return False


class ThreadPools:
    """Threads for all work that takes long. Compiled search releases the interpreter's lock."""

    def __init__(self, places: int, processes: int = 4) -> None:
        self.searches = Searches()
        self.processes = ProcessPlaces(processes)
        self.share = FairShare(places)
        self._threads = WorkerThreads(MOST_THREADS)
        self._visitors: WeakValueDictionary[str, Account] = WeakValueDictionary()
        self._lock = threading.Lock()
        self._searching = self._between_agents = 0

    def visitor(self, address: str) -> Account:
        """Return the account of all who come from an address."""
        with self._lock:
            account = self._visitors.get(address)
            if account is None:
                account = self._visitors[address] = Account()
            return account

    async def think(
        self, work: Callable[[], T], account: Account, is_urgent: Callable[[], bool] = _never
    ) -> T:
        """Do some work with a fair share of the processor."""
        return await asyncio.wrap_future(self.start(work, account, is_urgent))

    def start(
        self, work: Callable[[], T], account: Account, is_urgent: Callable[[], bool] = _never
    ) -> Future[T]:
        """Begin some work with a fair share of the processor; return its result to come."""

        def fairly() -> T:
            with self.share.place(account, is_urgent):
                return work()

        return self._threads.submit(fairly)

    async def search(self, work: Callable[[], T], account: Account, handle: SearchHandle) -> T:
        """Run a search; the more there are, the smaller is the tree that each may grow."""
        with self._lock:
            self._searching += 1
            handle.most_nodes = max(FEWEST_NODES, TREE_NODES // self._searching)
        try:
            return await self.think(work, account, lambda: handle.stopped)
        finally:
            with self._lock:
                self._searching -= 1

    @contextlib.asynccontextmanager
    async def turn_between_agents(self, cost: float) -> AsyncIterator[None]:
        """Wait before a turn that nobody has asked for, after one that cost the event loop so much.

        The event loop answers people; all games between agents together get a share of it.
        """
        self._between_agents += 1
        try:
            await asyncio.sleep(cost * self._between_agents / LOOP_SHARE)
            yield
        finally:
            self._between_agents -= 1

    async def aside(self, work: Callable[[], T]) -> T:
        """Do what costs this process nothing, such as to wait for another one."""
        return await asyncio.wrap_future(self._threads.submit(work))

    def close(self) -> None:
        """Wait for what is being done, but not for searches that cannot be stopped."""
        self._threads.finish(LONGEST_END)

    def handle(self) -> SearchHandle:
        """Return a handle for a search that nobody observes."""
        return SearchHandle(functools.partial(_breathe, self.share))


def _breathe(share: FairShare, found: object) -> None:
    share.breathe()
