"""The visitors of the sessions: who may move comes first, spectators share what is left."""

import asyncio
import functools
import itertools
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from hansu.web.allowance import Allowance

MOST_OWNERS = 8  # connections of one table that may move, such as the tabs of a browser
UPDATES = 3_000  # messages a second to all spectators of all tables: a quarter of a core
AT_ONCE = 32  # spectators who are told before anything else goes on
BURST = 16  # updates of a table that its spectators get at once
KEPT = 0.1  # of the room for visitors that spectators never take


@dataclass(frozen=True)
class Sight:
    """How a visitor wants to see the board."""

    flip: bool = False
    area: bool = False
    turn: int | None = None  # an earlier position: after so many turns


class Visitor:
    """One connection. Of each kind of message only the newest waits for a slow one."""

    def __init__(self, may_act: bool) -> None:
        self.may_act = may_act
        self.sight = Sight()
        self._waiting: dict[str, str] = {}
        self._ready = asyncio.Event()

    def tell(self, kind: str, text: str) -> None:
        """Queue a message; after one of the kind ``closed`` the connection ends."""
        self._waiting.pop(kind, None)
        self._waiting[kind] = text
        self._ready.set()

    async def deliver(
        self, send: Callable[[str], Awaitable[None]], close: Callable[[], Awaitable[None]]
    ) -> None:
        """Send what is waiting, for as long as the connection lasts."""
        while True:
            await self._ready.wait()
            self._ready.clear()
            waiting, self._waiting = self._waiting, {}
            for text in waiting.values():
                await send(text)
            if "closed" in waiting:
                return await close()


class Crowd:
    """The audiences of all sessions, with room for so many visitors together."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._audiences: set[Audience] = set()

    @property
    def spectators(self) -> int:
        """How many visitors only watch."""
        return sum(len(audience.spectators) for audience in self._audiences)

    @property
    def visitors(self) -> int:
        """How many visitors there are."""
        return sum(map(len, self._audiences))

    def note(self, audience: "Audience") -> None:
        """Count an audience, or no longer where nobody is left."""
        if len(audience):
            self._audiences.add(audience)
        else:
            self._audiences.discard(audience)

    def has_room(self, newcomer: Visitor, audience: "Audience") -> bool:
        """Make room for a visitor if need be, at the fullest table; spectators go first.

        Those who may move always find room.
        """
        if newcomer.may_act and len(audience.owners) >= MOST_OWNERS:
            audience.dismiss(next(iter(audience.owners)))
        spectators = (1 - KEPT) * self._most
        if self.visitors < self._most and (newcomer.may_act or self.spectators < spectators):
            return True
        fullest = max(self._audiences, key=len)
        if len(fullest) <= len(audience) + 1:
            if not newcomer.may_act:
                return False
            fullest = audience
        return fullest.dismiss_last()


class Audience:
    """The visitors of one session. What all see alike is written once.

    Those who may move are told everything at once. Spectators are told as often as their number
    allows: when things change faster, they see the newest state a little later.
    """

    def __init__(self, crowd: Crowd) -> None:
        self.owners: dict[Visitor, None] = {}  # in the order in which they came
        self.spectators: dict[Visitor, None] = {}
        self._crowd = crowd
        self._updates = Allowance(BURST, BURST)
        self._unseen: dict[str, Callable[[Sight], str]] = {}  # what spectators have to be told
        self._soon: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self.owners) + len(self.spectators)

    def __iter__(self) -> Iterator[Visitor]:
        return iter([*self.owners, *self.spectators])

    def add(self, visitor: Visitor) -> None:
        """Add a visitor."""
        (self.owners if visitor.may_act else self.spectators)[visitor] = None
        self._crowd.note(self)

    def remove(self, visitor: Visitor) -> None:
        """Remove a visitor."""
        self.owners.pop(visitor, None)
        self.spectators.pop(visitor, None)
        self._crowd.note(self)

    def dismiss(self, visitor: Visitor) -> None:
        """Remove a visitor whose place somebody else needs, and say so."""
        self.remove(visitor)
        visitor.tell("closed", message("closed", {"why": "full"}))

    def dismiss_last(self) -> bool:
        """Dismiss the spectator who came last, or one of several who may move."""
        if self.spectators:
            self.dismiss(next(reversed(self.spectators)))
        elif len(self.owners) > 1:
            self.dismiss(next(iter(self.owners)))
        else:
            return False
        return True

    def tell(self, kind: str, facts: dict[str, Any], of: str = "") -> None:
        """Send everybody the same message; of one kind and ``of`` one thing the newest counts."""
        text = message(kind, facts)
        self._publish(f"{kind} {of}" if of else kind, lambda sight: text)

    def show(self, kind: str, draw: Callable[[Sight], dict[str, Any]]) -> None:
        """Send everybody a message, drawn for their view."""
        self._publish(kind, functools.cache(lambda sight: message(kind, draw(sight))))

    def _publish(self, kind: str, write: Callable[[Sight], str]) -> None:
        _tell(self.owners, kind, write)
        if self.spectators:
            self._unseen.pop(kind, None)
            self._unseen[kind] = write
            self._update()

    def _update(self) -> None:
        """Tell the spectators what they have not seen, as soon as they may be told."""
        if self._soon is not None or not self._unseen:
            return
        self._updates.rate = min(BURST, max(1.0, UPDATES / (1 + self._crowd.spectators)))
        wait = self._updates.take()
        if wait > 0:
            self._soon = asyncio.get_running_loop().call_later(wait, self._update_now)
            return
        unseen, self._unseen = self._unseen, {}
        self._tell_some(iter(list(self.spectators)), unseen)

    def _update_now(self) -> None:
        self._soon = None
        self._update()

    def _tell_some(
        self, spectators: Iterator[Visitor], unseen: dict[str, Callable[[Sight], str]]
    ) -> None:
        """Tell some spectators, and the others after what else there is to do."""
        some = list(itertools.islice(spectators, AT_ONCE))
        for kind, write in unseen.items():
            _tell(some, kind, write)
        if some:
            asyncio.get_running_loop().call_soon(self._tell_some, spectators, unseen)


def _tell(visitors: Iterable[Visitor], kind: str, write: Callable[[Sight], str]) -> None:
    for visitor in visitors:
        visitor.tell(kind, write(visitor.sight))


def message(kind: str, facts: dict[str, Any]) -> str:
    """Return a message as it is sent."""
    return json.dumps({"type": kind, **facts}, ensure_ascii=False, separators=(",", ":"))
