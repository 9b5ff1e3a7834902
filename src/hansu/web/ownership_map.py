"""Who will own which point of a go board: counted off the event loop, for everybody to see."""

import asyncio
import functools
from collections.abc import Callable
from typing import Any

from hansu.games.go.ownership import ownership
from hansu.games.go.state import GoState
from hansu.games.state import State
from hansu.web.fair_share import Account
from hansu.web.refusals import Refusal
from hansu.web.thread_pools import ThreadPools

PLAYOUTS = 1000  # a fifth of a second on 19x19; the error of a share is 1.6 %


class OwnershipMap:
    """Counts one position at a time; of those that are asked for meanwhile, the newest."""

    def __init__(
        self, pools: ThreadPools, account: Account, tell: Callable[[dict[str, Any]], None]
    ) -> None:
        self._pools, self._account, self._tell = pools, account, tell
        self._next: tuple[GoState, dict[str, Any]] | None = None
        self._task: asyncio.Task[None] | None = None

    def begin(self, state: State, place: dict[str, Any]) -> None:
        """Count a position; ``place`` is told with what is found. Raises HansuError."""
        if not isinstance(state, GoState):
            raise Refusal("no_owners")
        self._next = state, place
        if self._task is None:
            self._task = asyncio.create_task(self._count())

    async def _count(self) -> None:
        try:
            while self._next is not None:
                (state, place), self._next = self._next, None
                count = functools.partial(ownership, state, PLAYOUTS)
                black = await self._pools.think(count, self._account)
                shares = {state.move_text(p): round(float(s), 3) for p, s in enumerate(black)}
                self._tell({**place, "black": shares})
        finally:
            self._task = None

    async def stop(self) -> None:
        """Forget what is asked for, and wait for what is being counted."""
        self._next = None
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
