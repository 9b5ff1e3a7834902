"""Agents that need a process of their own, at all tables together: a bounded number at a time.

A table whose agent waits for its turn lends its place to one whose turn it is. The agent that
leaves is started again, and reset to the position, before its next move, off its clock.
"""

import contextlib
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from typing import Protocol

WAKE = 0.5  # seconds after which somebody who waits asks whether that is still wanted


class Tenant(Protocol):
    """A seat whose agent has a process."""

    def leave(self) -> None:
        """End the process; the next turn begins with a new one."""


class GivenUp(Exception):
    """The place is no longer wanted."""


class ProcessPlaces:
    """Places for processes; the one idle for longest gives way."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._changed = threading.Condition()
        self._busy: set[Tenant] = set()
        self._idle: OrderedDict[Tenant, None] = OrderedDict()  # longest first
        self._waiting: deque[object] = deque()

    @contextlib.contextmanager
    def turn(self, tenant: Tenant, is_wanted: Callable[[], bool]) -> Iterator[None]:
        """Hold a place for as long as an agent is at work; raises GivenUp.

        Afterwards its process may stay for as long as nobody else needs the place.
        """
        leaving = self._claim(tenant, is_wanted)
        try:
            if leaving is not None:
                leaving.leave()
            yield
        finally:
            with self._changed:
                self._busy.discard(tenant)
                self._idle[tenant] = None
                self._changed.notify_all()

    def forget(self, tenant: Tenant) -> None:
        """Give back the place of an agent whose process has ended."""
        with self._changed:
            self._idle.pop(tenant, None)
            self._changed.notify_all()

    def _claim(self, tenant: Tenant, is_wanted: Callable[[], bool]) -> Tenant | None:
        """Wait for a place; return who has to leave for it, if anybody."""
        ticket = object()
        with self._changed:
            self._waiting.append(ticket)
            try:
                while not self._has_room(tenant, ticket):
                    if not is_wanted():
                        raise GivenUp
                    self._changed.wait(WAKE)
            finally:
                self._waiting.remove(ticket)
                self._changed.notify_all()
            own = tenant in self._idle
            self._idle.pop(tenant, None)
            leaving = None
            if not own and len(self._busy) + len(self._idle) >= self._most:
                leaving, _ = self._idle.popitem(last=False)
            self._busy.add(tenant)
            return leaving

    def _has_room(self, tenant: Tenant, ticket: object) -> bool:
        """Return whether it may begin: its process is there, or it is the first who waits."""
        if tenant in self._idle:
            return True
        return self._waiting[0] is ticket and len(self._busy) < self._most
