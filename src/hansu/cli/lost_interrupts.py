"""Ctrl-C that comes where Python cannot raise it is raised a moment later.

The compiler calls back into Python, and so do objects that are deleted. There an exception is only
printed, with its traceback, and the command would go on as if nobody had stopped it.
"""

import _thread
import signal
import sys
import threading
from typing import Any

LATER = 0.01  # seconds; by then such a call has returned, else it comes later still


def raise_lost_interrupts() -> None:
    """From now on, in this process and in those that it forks."""
    sys.unraisablehook = _hear


def _hear(lost: Any) -> None:
    if lost.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(lost)
        return
    number = lost.exc_value.args[0] if lost.exc_value.args else signal.SIGINT
    timer = threading.Timer(LATER, _send_again, (number, signal.getsignal(number)))
    timer.daemon = True
    timer.start()


def _send_again(number: int, handler: Any) -> None:
    if signal.getsignal(number) != handler:  # whoever listened then does so no more
        return
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)  # wakes it if it waits
    else:
        _thread.interrupt_main(signal.Signals(number))
