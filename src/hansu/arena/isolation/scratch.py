"""A scratch folder on the disk: made, removed, and never left behind.

The folder is locked for as long as its owner lives. Whoever makes the next one removes those that
nobody holds: their owners were killed.
"""

import contextlib
import os
import shutil
import stat
import tempfile
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: an open folder cannot be locked there
    fcntl = None  # type: ignore[assignment]

PREFIX = "hansu-scratch-"


class ScratchFolder:
    """A private folder on the disk."""

    def __init__(self) -> None:
        sweep()
        self.path = tempfile.mkdtemp(prefix=PREFIX)
        self._lock = _lock(self.path)

    def remove(self) -> None:
        """Remove it with all that is in it. May be called twice."""
        with contextlib.suppress(OSError):
            remove_tree(self.path)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def sweep() -> None:
    """Remove the folders of owners that have died."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if fcntl is None or folder.is_symlink() or folder.lstat().st_uid != os.getuid():
                continue
            held = _lock(str(folder))
            if held is not None:
                remove_tree(str(folder))
                os.close(held)


def _lock(path: str) -> int | None:
    """A descriptor that holds the folder's lock; None if somebody has it, or there are no locks."""
    if fcntl is None:
        return None
    descriptor = _open_folder(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def remove_tree(path: str) -> None:
    """Remove a folder, however deep, and whatever rights its owner has taken from himself.

    ``shutil.rmtree`` calls itself for each folder in a folder, and a path has its greatest length.
    Here, only the folder at hand is open; ``..`` leads back up.
    """
    if os.rmdir not in os.supports_dir_fd:  # Windows
        shutil.rmtree(path, ignore_errors=True)
        return
    os.chmod(path, 0o700)
    folder = _open_folder(path)
    way: list[str] = []  # the names of the folders down to the one at hand
    waiting = [_clear(folder)]  # for each of them, the folders in it that are still there
    try:
        while waiting:
            if waiting[-1]:
                way.append(waiting[-1].pop())
                os.chmod(way[-1], 0o700, dir_fd=folder)
                below = _open_folder(way[-1], folder)
                os.close(folder)
                folder = below
                waiting.append(_clear(folder))
                continue
            waiting.pop()
            if way:
                above = _open_folder("..", folder)
                os.close(folder)
                folder = above
                os.rmdir(way.pop(), dir_fd=folder)
    finally:
        os.close(folder)
    os.rmdir(path)


def _clear(folder: int) -> list[str]:
    """Remove what is no folder; the names of those that are."""
    folders = []
    for name in os.listdir(folder):
        if stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            folders.append(name)
        else:
            os.unlink(name, dir_fd=folder)
    return folders


def _open_folder(name: str, parent: int | None = None) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.open(name, flags, dir_fd=parent)
