"""When to stop a run: after some seconds, or on request."""

import contextlib
import math
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any


class Stop:
    """A time limit, and the first Ctrl+C.

    Work that can be paused and resumed checks it after each small step.

    >>> Stop()(), Stop(seconds=0)()
    (False, True)
    """

    def __init__(self, seconds: float = math.inf) -> None:
        self.asked = False  # by Ctrl+C: stop at once, even if no work was done
        self._end = time.monotonic() + seconds

    def __call__(self) -> bool:
        """Return whether to stop."""
        return self.asked or time.monotonic() >= self._end

    @property
    def left(self) -> float:
        """Seconds that are left, at least 0; infinite without a limit."""
        return max(0.0, self._end - time.monotonic())

    @contextlib.contextmanager
    def on_interrupt(self) -> Iterator[None]:
        """Take the first Ctrl+C as a request to stop; the second ends the process as usual.

        Where interrupts are ignored, as after ``nohup`` or ``&`` in a script, they stay ignored.
        """
        here = threading.current_thread() is threading.main_thread()
        if not here or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield
            return

        def ask(number: int, frame: Any) -> None:
            self.asked = True
            signal.signal(signal.SIGINT, signal.default_int_handler)

        signal.signal(signal.SIGINT, ask)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)
