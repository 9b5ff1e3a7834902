"""Write a file atomically: a reader sees the old content or the new, never a part."""

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

PART = ".part"  # suffix of an unfinished file; a killed process may leave one behind


@contextlib.contextmanager
def atomic_file(path: Path, durable: bool = False) -> Iterator[BinaryIO]:
    """Open a temporary file to write, and move it into place at the end; an error leaves the old.

    With ``durable`` the content reaches the disk before the name does: even a power cut leaves no
    half file.
    """
    aside = path.with_name(f"{path.name}.{secrets.token_hex(4)}{PART}")  # others may write it too
    try:
        with aside.open("xb") as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(aside, path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def atomic_write(path: Path, content: bytes | str, durable: bool = False) -> None:
    """Write a whole file, as ``atomic_file`` does; text as UTF-8.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     atomic_write(Path(folder, "a.txt"), "한 수")
    ...     Path(folder, "a.txt").read_text(encoding="utf-8")
    '한 수'
    """
    with atomic_file(path, durable) as file:
        file.write(content.encode() if isinstance(content, str) else content)
