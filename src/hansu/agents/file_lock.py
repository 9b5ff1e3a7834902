"""One process at a time: a lock on an open file that ends with the process, however it ends."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

if sys.platform == "win32":
    import msvcrt
    import os

    _FAR = 1 << 40  # a byte that nobody reads or writes
    _PAUSE = 0.01  # seconds between attempts

    @contextmanager
    def locked(file: int, shared: bool = False) -> Iterator[None]:
        """Hold the lock of an open file; wait for whoever has it."""
        while True:
            try:
                os.lseek(file, _FAR, os.SEEK_SET)
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
                break
            except OSError:
                time.sleep(_PAUSE)
        try:
            yield
        finally:
            os.lseek(file, _FAR, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    @contextmanager
    def locked(file: int, shared: bool = False) -> Iterator[None]:
        """Hold the lock of an open file; wait for whoever has it."""
        fcntl.flock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)
