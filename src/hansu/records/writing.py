"""Write a file of games atomically."""

import os
from pathlib import Path

from hansu.atomic_write import atomic_write
from hansu.errors import RecordError


def write_whole(file: Path, content: bytes) -> None:
    """Write a file atomically where possible; raises RecordError."""
    try:
        is_special = file.exists() and not file.is_file()  # a pipe or a device
        if is_special or not os.access(file.resolve().parent, os.W_OK):
            file.write_bytes(content)
            return
        atomic_write(file.resolve(), content)  # a link stays one
    except OSError as error:
        raise RecordError(f"cannot write {file}: {error.strerror}") from None
