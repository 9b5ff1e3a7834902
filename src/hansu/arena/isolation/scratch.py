"""The scratch folder of a process without a mount namespace: made, removed, and never left behind.

The folder is locked for as long as its owner lives. Whoever makes the next one removes those that
nobody holds: their owners were killed.
"""

import contextlib
import os
import secrets
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
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def remove_tree(path: str) -> None:
    """Remove a folder, however deep, and whatever rights its owner has taken from himself.

    ``shutil.rmtree`` calls itself for each folder in a folder, and a path has its greatest length.
    Here, a folder within a folder is moved up to the top before it is emptied.
    """
    if os.rename not in os.supports_dir_fd:  # Windows
        shutil.rmtree(path, ignore_errors=True)
        return
    os.chmod(path, 0o700)
    top = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        token = secrets.token_hex(8)  # a name that the agent cannot have taken
        number = 0
        waiting = [""]
        while waiting:
            name = waiting.pop()
            folder = os.dup(top) if not name else _open_folder(name, top)
            try:
                for entry in os.listdir(folder):
                    if not _is_folder(entry, folder):
                        os.unlink(entry, dir_fd=folder)
                        continue
                    number += 1
                    fresh = f"{token}-{number}"
                    os.chmod(entry, 0o700, dir_fd=folder)  # moving a folder writes its ".."
                    os.rename(entry, fresh, src_dir_fd=folder, dst_dir_fd=top)
                    waiting.append(fresh)
            finally:
                os.close(folder)
            if name:
                os.rmdir(name, dir_fd=top)
    finally:
        os.close(top)
    os.rmdir(path)


def _open_folder(name: str, parent: int) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.open(name, flags, dir_fd=parent)


def _is_folder(name: str, parent: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
