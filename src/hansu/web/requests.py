"""Requests that cost time: a bounded number waits, and many who ask the same get one answer."""

import asyncio
import contextlib
import ipaddress
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.requests import HTTPConnection

from hansu.web.catalogue import catalogue
from hansu.web.fair_share import Account
from hansu.web.refusals import Refusal
from hansu.web.thread_pools import ThreadPools

T = TypeVar("T")
MOST_EACH = 4  # about one table or folder
KEPT = 1.0  # seconds that an answer for everybody is kept


class Requests:
    """Requests in progress."""

    def __init__(self, pools: ThreadPools, most: int) -> None:
        self._pools, self._most = pools, most
        self._about: Counter[Hashable] = Counter()
        self._shared: dict[Hashable, asyncio.Task[Any]] = {}
        self._everybody = Account()  # pays for what is done once for all

    @contextlib.contextmanager
    def room(self, about: Hashable, each: int = MOST_EACH) -> Iterator[None]:
        """Count a request while it waits; raises Refusal where too many do already."""
        if self._about.total() >= self._most or self._about[about] >= each:
            raise Refusal("too_many_requests")
        self._about[about] += 1
        try:
            yield
        finally:
            self._about[about] -= 1
            if not self._about[about]:
                del self._about[about]

    async def think(self, work: Callable[[], T], account: Account, about: Hashable) -> T:
        """Do what somebody asks about a table, with a fair share of the processor."""
        with self.room(about):
            return await self._pools.think(work, account)

    async def shared(self, about: Hashable, work: Callable[[], T]) -> T:
        """Do something once for all who ask for it within a moment."""
        running = self._shared.get(about)
        if running is None:
            running = asyncio.create_task(self.think(work, self._everybody, about))
            self._shared[about] = running
            running.add_done_callback(lambda _: self._forget_soon(about))
        found: T = await asyncio.shield(running)
        return found

    def _forget_soon(self, about: Hashable) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            self._shared[about].exception()  # everybody who asked is told
        asyncio.get_running_loop().call_later(KEPT, self._shared.pop, about, None)

    async def catalogue(self) -> dict[str, Any]:
        """Return what the page offers."""
        return await self.shared("catalogue", catalogue)


def address_of(connection: HTTPConnection) -> str:
    """Return where a visitor comes from; of an IPv6 address the part that a customer has."""
    host = connection.client.host if connection.client else ""
    with contextlib.suppress(ValueError):
        if isinstance(found := ipaddress.ip_address(host), ipaddress.IPv6Address):
            return str(ipaddress.ip_network((found, 64), strict=False))
    return host


def requests_of(app: Starlette) -> Requests:
    """Return the requests in progress of a running server."""
    found: Requests = app.state.requests
    return found
