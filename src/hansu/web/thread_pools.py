"""Where agents think: threads beside the event loop, a bounded number at a time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from hansu.web.searches import Searches

T = TypeVar("T")


class ThreadPools:
    """A fixed number of places. Compiled search leaves the interpreter to the others."""

    def __init__(self, places: int) -> None:
        self.searches = Searches()
        self._thinkers = ThreadPoolExecutor(places, "hansu-think")
        self._clerks = ThreadPoolExecutor(2, "hansu-prepare")

    async def think(self, work: Callable[[], T]) -> T:
        """Do something long when a place is free."""
        return await asyncio.get_running_loop().run_in_executor(self._thinkers, work)

    async def prepare(self, work: Callable[[], T]) -> T:
        """Compile, parse, load: what nobody's clock counts, and no thinking has to wait for."""
        return await asyncio.get_running_loop().run_in_executor(self._clerks, work)

    def close(self) -> None:
        """Take no more work; what is under way is left to end by itself."""
        self._thinkers.shutdown(wait=False, cancel_futures=True)
        self._clerks.shutdown(wait=False, cancel_futures=True)
