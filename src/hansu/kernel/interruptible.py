"""Long calls of compiled code that Ctrl+C ends at once.

Python handles Ctrl+C between two of its own instructions, never during a call of compiled code. So
a long call runs in a thread of its own, without the interpreter's lock; the main thread waits.
"""

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

POLL = 0.1  # seconds: on some systems waiting for a thread cannot be interrupted
PATIENCE = 1.0  # seconds; a call that is still being compiled cannot be stopped


def interruptible(call: Callable[[], T], stop: Callable[[], None]) -> T:
    """Return what a compiled call returns; on Ctrl+C, ``stop`` must make it return soon.

    >>> interruptible(lambda: 6 * 7, stop=lambda: None)
    42
    """
    if threading.current_thread() is not threading.main_thread():
        return call()  # Ctrl+C is the main thread's alone
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, name="compiled call", daemon=True)
    try:
        thread.start()
        while thread.is_alive():
            thread.join(POLL)
    except KeyboardInterrupt:
        stop()
        thread.join(PATIENCE)
        raise
    if errors:
        raise errors[0]
    return results[0]
