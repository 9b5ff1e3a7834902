"""A fair share of this machine's processor for every table and every visitor.

All work runs in threads. A few of them at a time hold a *place*; the others wait. Work that has had
its slice lets others go first: who has used the least comes next. So a quick answer waits for
about one slice, however long others think, and however many tables they have.
"""

import contextlib
import math
import sys
import threading
import time
from collections.abc import Callable, Iterator

SLICE = 0.03  # seconds that work goes on before others may come first
STUCK = 1.0  # seconds after which work that does nothing has lost its place
LONG = 0.1  # seconds after which work is no longer light
HALF_LIFE = 30.0  # seconds after which half of what was used is forgotten
MUCH = 1.0  # seconds that a table has used lately, after which none of its work is light
LIGHT = 4  # times the places, for work that is done soon
AGING = 1.0  # seconds of waiting that make up for twice the time already used


class Account:
    """What a table or a visitor has used lately, in seconds of a place; a table has a visitor."""

    def __init__(self, owner: "Account | None" = None) -> None:
        self.owner = owner
        self._used, self._at = 0.0, time.monotonic()

    def charge(self, seconds: float) -> None:
        """Add what was used now."""
        self._used, self._at = self.used + seconds, time.monotonic()
        if self.owner is not None:
            self.owner.charge(seconds)

    @property
    def used(self) -> float:
        """What was used, the sooner the more it counts."""
        return float(self._used * 0.5 ** ((time.monotonic() - self._at) / HALF_LIFE))


class _Work:
    """One piece of work: what it has used, and whether it holds a place."""

    def __init__(self, account: Account, is_urgent: Callable[[], bool]) -> None:
        self.account, self.is_urgent = account, is_urgent
        self.used = 0.0  # seconds with a place
        self.since = 0.0  # when it got its place, or began to wait for one
        self.admitted = threading.Event()
        self.is_light = account.used < MUCH  # done soon, as far as we know
        self._thread, self._ran = threading.get_ident(), 0.0  # seconds of the processor by then

    def begin(self, now: float) -> None:
        """Note that it has a place now."""
        self.since, self._ran = now, _ran(self._thread, now)
        self.admitted.set()

    def is_overdue(self, now: float) -> bool:
        """Whether it does not breathe, though the system has let it run."""
        had = now - self.since
        return had >= STUCK or (had >= 2 * SLICE and _ran(self._thread, now) - self._ran >= SLICE)

    def charge(self, now: float) -> None:
        """Book what was used since it got its place."""
        used = now - self.since
        self.used, self.since = self.used + used, now
        self.account.charge(used)
        self.is_light &= self.used < LONG

    def rank(self, now: float) -> tuple[float, float, float, float]:
        """Return where it stands among those who wait; the lowest comes first."""
        level = math.log2(1 + self.used / SLICE) - (now - self.since) / AGING
        owner = self.account.owner or self.account
        urgent = -math.inf if self.is_urgent() else max(0.0, math.floor(level))
        return urgent, self.account.used, owner.used, self.since


class FairShare:
    """Places for work, given to whoever has used the least.

    Work that does not ``breathe`` cannot be interrupted: after a slice its place is given to the
    next, and the system shares the processor among them.

    >>> share, me = FairShare(places=1), Account()
    >>> with share.place(me):
    ...     share.breathe()
    >>> me.used > 0
    True
    """

    def __init__(self, places: int) -> None:
        self._places = places
        self._lock = threading.Lock()
        self._holders: set[_Work] = set()
        self._waiting: set[_Work] = set()
        self._mine = threading.local()

    @contextlib.contextmanager
    def place(
        self, account: Account, is_urgent: Callable[[], bool] = lambda: False
    ) -> Iterator[None]:
        """Work with a place, on an account; what ``is_urgent``, such as to stop, comes first."""
        work = self._mine.work = _Work(account, is_urgent)
        self._enter(work)
        try:
            yield
        finally:
            self._mine.work = None
            self._leave(work)

    def breathe(self) -> None:
        """Let others go first once this thread's work has had its slice."""
        work: _Work | None = getattr(self._mine, "work", None)
        now = time.monotonic()
        if work is None or now - work.since < SLICE or work.is_urgent():
            return
        if self._waiting:
            self._leave(work)
            self._enter(work)
        else:
            work.charge(now)

    @contextlib.contextmanager
    def outside(self) -> Iterator[None]:
        """Give up the place while this thread only waits for another process."""
        work: _Work | None = getattr(self._mine, "work", None)
        if work is None:
            yield
            return
        self._leave(work)
        try:
            yield
        finally:
            self._enter(work)

    def _enter(self, work: _Work) -> None:
        with self._lock:
            work.admitted.clear()
            work.since = time.monotonic()
            self._waiting.add(work)
            self._admit()
        # Together those who wait look about once a slice for work that does not breathe.
        while not work.admitted.wait(SLICE * max(1, len(self._waiting))):
            with self._lock:
                self._admit()

    def _leave(self, work: _Work) -> None:
        with self._lock:
            work.charge(time.monotonic())
            self._holders.discard(work)
            self._admit()

    def _admit(self) -> None:
        """Give free places, and those of work that does not breathe, to who comes next."""
        now = time.monotonic()
        for work in [w for w in self._holders if self._waiting and w.is_overdue(now)]:
            work.charge(now)
            self._holders.discard(work)
        while len(self._holders) < LIGHT * self._places:
            is_free = len(self._holders) < self._places
            may_come = [work for work in self._waiting if is_free or work.is_light]
            if not may_come:
                return
            next_one = min(may_come, key=lambda work: work.rank(now))
            self._waiting.discard(next_one)
            self._holders.add(next_one)
            next_one.begin(now)


def _ran(thread: int, now: float) -> float:
    """Return the processor time of a thread, where the system tells it, else the time."""
    if sys.platform != "linux":
        return now
    return time.clock_gettime(time.pthread_getcpuclockid(thread))
