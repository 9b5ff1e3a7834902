"""Threads beside the event loop in which agents think, a bounded number at a time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from hansu.web.searches import Searches

T = TypeVar("T")


class ThreadPools:
    """A fixed number of threads. Compiled search releases the interpreter's lock."""

    def __init__(self, places: int) -> None:
        self.searches = Searches()
        self._thinkers = ThreadPoolExecutor(places, "hansu-think")
        self._clerks = ThreadPoolExecutor(2, "hansu-prepare")

    async def think(self, work: Callable[[], T]) -> T:
        """Run an agent's search when a thread is free."""
        return await asyncio.get_running_loop().run_in_executor(self._thinkers, work)

    async def prepare(self, work: Callable[[], T]) -> T:
        """Run what is off the clock (compile, parse, load) beside the agents' threads."""
        return await asyncio.get_running_loop().run_in_executor(self._clerks, work)

    def close(self) -> None:
        """Take no more work; let the running work end by itself."""
        self._thinkers.shutdown(wait=False, cancel_futures=True)
        self._clerks.shutdown(wait=False, cancel_futures=True)
