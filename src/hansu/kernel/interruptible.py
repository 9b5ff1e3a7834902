"""Long calls of compiled code that Ctrl+C ends at once.

Python hears Ctrl+C between two of its own instructions, so one call that takes minutes makes it
deaf. Such a call therefore runs in a thread of its own, without the interpreter's lock, while the
main thread waits and listens.
"""

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

LOOK = 0.1  # seconds between two looks: not everywhere can waiting for a thread be interrupted
PATIENCE = 1.0  # seconds; a call that is only being compiled cannot be stopped, and is left


def interruptible(call: Callable[[], T], stop: Callable[[], None]) -> T:
    """Return what a compiled call returns; after Ctrl+C ``stop`` must bring it to its end soon.

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
            thread.join(LOOK)
    except KeyboardInterrupt:
        stop()
        thread.join(PATIENCE)
        raise
    if errors:
        raise errors[0]
    return results[0]
