"""Only one process at a time runs a tournament: the second one is told at once."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hansu.errors import HansuError
from hansu.file_lock import hold

TAKEN = "another process is running {}: wait for its end, or choose another folder (--out)"
HANDOVER = 5.0  # seconds for a server to notice that the process before was killed
RETRY = 0.1

_held: set[Path] = set()  # by this process, whose own locks do not keep it out
_lock = threading.Lock()


@contextmanager
def claimed_file(file: str | Path) -> Iterator[None]:
    """Hold a file alone.

    Raises:
        HansuError: Another tournament of this or another process holds it.
    """
    path = Path(file).resolve()
    with _lock:
        if path in _held:
            raise HansuError(TAKEN.format(path.parent))
        try:
            descriptor = hold(path)
        except BlockingIOError:
            raise HansuError(TAKEN.format(path.parent)) from None
        except OSError as error:
            raise HansuError(f"cannot write {path}: {error.strerror}") from None
        _held.add(path)
    try:
        yield
    finally:
        with _lock:
            os.close(descriptor)
            _held.discard(path)
