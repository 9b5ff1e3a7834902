"""Let a piece of work finish before a signal, such as Ctrl+C, is heard."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def deferred_signals() -> Iterator[None]:
    """Hear the signals that come inside this context at its end.

    Blocking them is not enough: another thread would receive them and Python run the handler here.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # no signal interrupts another thread
        return
    deferred: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _: deferred.append(number))
        for number in signal.valid_signals()
        if callable(signal.getsignal(number))
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for again in deferred:
            signal.raise_signal(again)
