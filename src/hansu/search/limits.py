"""What goes into a search besides the position: its limits, and a handle to stop and observe it."""

import contextlib
import math
import numbers
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hansu.errors import OptionError
from hansu.options import whole_number
from hansu.search.info import SearchInfo

Listener = Callable[[Callable[[], SearchInfo]], None]
"""Called by a search now and then with a function that tells what it has found so far."""


@dataclass(frozen=True)
class Limits:
    """What a caller allows for one search. None says nothing about it.

    Whoever says nothing at all leaves it to the agent's own options and the clock of the game.
    ``seconds`` may be infinite: then the search goes on until it is stopped.
    """

    seconds: float | None = None
    depth: int | None = None  # plies
    nodes: int | None = None  # positions, simulations or random games: what the search counts
    exact: bool = False  # value every move exactly, for people to look at, even if that costs time

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
    thrifty: bool = False  # what it does not use is there for later moves


class SearchHandle:
    """A search under way, as its caller holds it: stop it, listen to it, look at its tree.

    >>> handle = SearchHandle()
    >>> handle.stop()
    >>> handle.go_on(lambda: SearchInfo((), 0, 0.0))
    False
    """

    def __init__(self, listener: Listener | None = None) -> None:
        self.tree: Any = None  # what the search grows, if it has a tree; also after its end
        self._listener = listener
        self._lock = threading.Lock()
        self._stopped = False
        self._callbacks: list[Callable[[], None]] = []

    @property
    def stopped(self) -> bool:
        """Whether somebody has asked the search to end."""
        return self._stopped

    def stop(self) -> None:
        """End the search soon, with what it has found; from any thread, also before it begins."""
        with self._lock:
            self._stopped = True
            for callback in self._callbacks:
                callback()

    @contextlib.contextmanager
    def on_stop(self, callback: Callable[[], None]) -> Iterator[None]:
        """Have a function called when somebody stops the search, for as long as this lasts."""
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
        """Asked by the search now and then: tell the listener, and say whether to go on."""
        if self._listener is not None:
            self._listener(found)
        return not self._stopped
