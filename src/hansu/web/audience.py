"""The visitors of a session."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Sight:
    """How a visitor wants to see the board."""

    flip: bool = False
    area: bool = False


class Visitor:
    """One connection. Of each kind of message only the newest waits for a slow one."""

    def __init__(self, may_act: bool) -> None:
        self.may_act = may_act
        self.sight = Sight()
        self._waiting: dict[str, str] = {}
        self._ready = asyncio.Event()

    def tell(self, kind: str, text: str) -> None:
        """Queue a message."""
        self._waiting.pop(kind, None)
        self._waiting[kind] = text
        self._ready.set()

    async def deliver(self, send: Callable[[str], Awaitable[None]]) -> None:
        """Send what is waiting, for as long as the connection lasts."""
        while True:
            await self._ready.wait()
            self._ready.clear()
            waiting, self._waiting = self._waiting, {}
            for text in waiting.values():
                await send(text)


class Audience:
    """The visitors of one session. What all see alike is written once."""

    def __init__(self) -> None:
        self._visitors: set[Visitor] = set()

    def __len__(self) -> int:
        return len(self._visitors)

    def __iter__(self) -> Iterator[Visitor]:
        return iter(self._visitors)

    def add(self, visitor: Visitor) -> None:
        """Add a visitor."""
        self._visitors.add(visitor)

    def remove(self, visitor: Visitor) -> None:
        """Remove a visitor."""
        self._visitors.discard(visitor)

    def tell(self, kind: str, facts: dict[str, Any]) -> None:
        """Send everybody the same message."""
        text = message(kind, facts)
        for visitor in self._visitors:
            visitor.tell(kind, text)

    def show(self, kind: str, draw: Callable[[Sight], dict[str, Any]]) -> None:
        """Send everybody a message, drawn for their view."""
        drawn: dict[Sight, str] = {}
        for visitor in self._visitors:
            if visitor.sight not in drawn:
                drawn[visitor.sight] = message(kind, draw(visitor.sight))
            visitor.tell(kind, drawn[visitor.sight])


def message(kind: str, facts: dict[str, Any]) -> str:
    """Return a message as it is sent."""
    return json.dumps({"type": kind, **facts}, ensure_ascii=False, separators=(",", ":"))
