"""The limits of a search, and a handle to stop and observe it."""

import contextlib
import math
import numbers
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hansu.errors import OptionError
from hansu.options import whole_number
from hansu.search.info import SearchInfo

Listener = Callable[[Callable[[], SearchInfo]], None]
"""Called by a search now and then with a function that returns what it has found so far."""


@dataclass(frozen=True)
class Limits:
    """A caller's limits for one search; None is no limit.

    Without any limit the agent's own options and the clock of the game decide. ``seconds`` may be
    infinite: then the search runs until it is stopped.
    """

    seconds: float | None = None
    depth: int | None = None  # plies
    nodes: int | None = None  # positions, simulations or random games: what the search counts
    exact: bool = False  # exact values of all moves, for analysis, even if that costs time
    for_move: bool = False  # a move of a game is wanted: an even game may count more than a draw

    def __post_init__(self) -> None:
        seconds = self.seconds
        is_number = isinstance(seconds, numbers.Real) and not isinstance(seconds, bool)
        if seconds is not None and not (is_number and seconds >= 0):
            raise OptionError(f"seconds: {seconds!r} is not a number of seconds, 0 or more")
        for name in ("depth", "nodes"):
            if getattr(self, name) is not None:
                whole_number(getattr(self, name), name, 1)


UNLIMITED = Limits()


@dataclass(frozen=True)
class Budget:
    """What one search may use: a caller's limits, the agent's options and the clock together."""

    seconds: float = math.inf
    depth: int | None = None
    nodes: int | None = None
    exact: bool = False
    for_move: bool = False
    thrifty: bool = False  # what it does not use is there for later moves


class SearchHandle:
    """A running search, for its caller: stop it, observe it, read its tree.

    >>> handle = SearchHandle()
    >>> handle.stop()
    >>> handle.go_on(lambda: SearchInfo((), 0, 0.0))
    False
    """

    def __init__(self, listener: Listener | None = None) -> None:
        self.tree: Any = None  # what the search grows, if it has a tree; also after its end
        self.most_nodes: int | None = None  # of that tree, for a caller with little memory
        self._listener = listener
        self._lock = threading.Lock()
        self._stopped = False
        self._callbacks: list[Callable[[], None]] = []

    @property
    def stopped(self) -> bool:
        """Whether the search was asked to stop."""
        return self._stopped

    def stop(self) -> None:
        """Stop the search soon, with what it has found; from any thread, even before it begins."""
        with self._lock:
            self._stopped = True
            for callback in self._callbacks:
                callback()

    @contextlib.contextmanager
    def on_stop(self, callback: Callable[[], None]) -> Iterator[None]:
        """Call a function when the search is stopped, within this context."""
        with self._lock:
            self._callbacks.append(callback)
            if self._stopped:
                callback()
        try:
            yield
        finally:
            with self._lock:
                self._callbacks.remove(callback)

    def go_on(self, found: Callable[[], SearchInfo]) -> bool:
        """Call the listener and return whether to go on; the search asks this now and then."""
        if self._listener is not None:
            self._listener(found)
        return not self._stopped


class Pacer:
    """The clock of a search in steps: it ends before a step that would take it past its time.

    >>> pacer = Pacer(Budget(seconds=0.0), SearchHandle())
    >>> pacer.ends()
    True
    """

    def __init__(self, budget: Budget, handle: SearchHandle) -> None:
        self._seconds, self._handle = budget.seconds, handle
        self._begin = time.perf_counter()
        self._asked = 0.0

    @property
    def elapsed(self) -> float:
        """Return the seconds since the search began."""
        return time.perf_counter() - self._begin

    @property
    def left(self) -> float:
        """Return the seconds that are left."""
        return self._seconds - self.elapsed

    def ends(self) -> bool:
        """Return whether to stop now, as another step like the last would end too late."""
        now = self.elapsed
        last, self._asked = now - self._asked, now
        return self._handle.stopped or now + last > self._seconds
