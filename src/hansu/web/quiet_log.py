"""The log of the server: of each kind of message one line a minute, however many there are."""

import errno
import logging
import time

PERIOD = 60.0  # seconds
MOST_KINDS = 200
OUT_OF_DESCRIPTORS = "no more file descriptors: new connections have to wait"

log = logging.getLogger("hansu.web")


class OncePerPeriod(logging.Filter):
    """Lets the first message of a kind through; the next says how many there were meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds: dict[object, tuple[float, int]] = {}  # when it was last told; how many since

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to tell it."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
            record.msg, record.args, record.exc_info = OUT_OF_DESCRIPTORS, (), None
            error = None
        kind = (record.msg, type(error), _place(error))
        now = time.monotonic()
        told_at, more = self._kinds.get(kind, (-PERIOD, 0))
        if now - told_at < PERIOD:
            self._kinds[kind] = told_at, more + 1
            return False
        if more:
            record.msg = f"{record.getMessage()} (and {more} times more)"
            record.args = ()
        if len(self._kinds) >= MOST_KINDS:
            self._kinds.clear()
        self._kinds[kind] = now, 0
        return True


def _place(error: BaseException | None) -> object:
    """Return the line of code at which an error was raised."""
    trace = error.__traceback__ if error is not None else None
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace and (trace.tb_frame.f_code.co_filename, trace.tb_lineno)


def keep_quiet() -> None:
    """Keep the logs of the server and of what it is made of short."""
    for name in ("hansu.web", "uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        if not any(isinstance(each, OncePerPeriod) for each in logger.filters):
            logger.addFilter(OncePerPeriod())
