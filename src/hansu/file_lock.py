"""One process at a time: a lock on an open file that ends with the process, however it ends."""

import importlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_FAR = 1 << 40  # a byte that nobody reads or writes
_PAUSE = 0.01  # seconds between attempts where the system cannot wait


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


_unix, _windows = _module("fcntl"), _module("msvcrt")


@contextmanager
def locked(file: int, shared: bool = False) -> Iterator[None]:
    """Hold the lock of an open file; wait for whoever has it."""
    if _unix:
        _unix.flock(file, _unix.LOCK_SH if shared else _unix.LOCK_EX)
    while _windows and not _lock_on_windows(file):
        time.sleep(_PAUSE)
    try:
        yield
    finally:
        if _unix:
            _unix.flock(file, _unix.LOCK_UN)
        elif _windows:
            os.lseek(file, _FAR, os.SEEK_SET)
            _windows.locking(file, _windows.LK_UNLCK, 1)


def hold(path: Path) -> int:
    """Keep all other processes from holding a file, which is made if need be.

    Close the descriptor that is returned to let go. Children of this process do not hold the file.

    Raises:
        BlockingIOError: Another process holds it.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if _unix:
            _unix.lockf(file, _unix.LOCK_EX | _unix.LOCK_NB)
        elif _windows and not _lock_on_windows(file):
            raise BlockingIOError
    except (BlockingIOError, PermissionError):
        os.close(file)
        raise BlockingIOError(f"another process holds {path}") from None
    except OSError:  # a disk of another machine, which has no locks
        pass
    return file


def is_held(path: Path) -> bool:
    """Return whether another process holds a file.

    >>> is_held(Path("no such file"))
    False
    """
    if not path.is_file():
        return False
    try:
        os.close(hold(path))
    except BlockingIOError:
        return True
    except OSError:  # not ours to look at
        pass
    return False


def _lock_on_windows(file: int) -> bool:
    try:
        os.lseek(file, _FAR, os.SEEK_SET)
        _windows.locking(file, _windows.LK_NBLCK, 1)
    except OSError:
        return False
    return True
