"""Raise a Ctrl+C a moment later where Python cannot raise it at once.

In callbacks of the compiler and in ``__del__`` an exception is only printed, with its traceback,
and the command would continue as if nobody had stopped it.
"""

import _thread
import signal
import sys
import threading
import time
from typing import Any

LATER = 0.05  # seconds; by then such a call has returned, or the signal is lost and sent again


def raise_lost_interrupts() -> None:
    """Install the hook in this process and in those that it forks."""
    sys.unraisablehook = _hear


def _hear(lost: Any) -> None:
    if lost.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(lost)
        return
    number = lost.exc_value.args[0] if lost.exc_value.args else signal.SIGINT
    # Not threading.Timer: its start waits for the thread, and so perhaps for the signal itself.
    _thread.start_new_thread(_send_again, (number, signal.getsignal(number)))


def _send_again(number: int, handler: Any) -> None:
    time.sleep(LATER)
    if signal.getsignal(number) != handler:  # the handler of that moment is gone
        return
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)  # wakes it if it waits
    else:
        _thread.interrupt_main(signal.Signals(number))
