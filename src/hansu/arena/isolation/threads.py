"""A thread that has been joined still counts against the limit until the kernel has cleared it.

So an agent that keeps to the limit could be refused a thread, and disqualified for it. Here a
refused start is tried again for a moment; whoever really has too many is refused in the end.
"""

import _thread
import threading
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 0.5  # seconds; clearing takes microseconds, and longer on a machine with much to do
PAUSE = 0.001
STARTERS = (  # Python 3.13 starts joinable threads in another way
    (_thread, "start_new_thread"),
    (_thread, "start_joinable_thread"),
    (threading, "_start_new_thread"),
    (threading, "_start_joinable_thread"),
)


def wait_for_room() -> None:
    """From now on, starting a thread waits for the end of those that are ending."""
    for module, name in STARTERS:
        if hasattr(module, name):
            setattr(module, name, _patient(getattr(module, name)))


def _patient(start: Callable[..., Any]) -> Callable[..., Any]:
    def start_patiently(*arguments: Any, **named: Any) -> Any:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return start(*arguments, **named)
            except RuntimeError:
                if time.monotonic() > deadline:
                    raise
            time.sleep(PAUSE)

    return start_patiently
