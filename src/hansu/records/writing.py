"""Writing a file whole or not at all."""

import os
from pathlib import Path

from hansu.errors import RecordError


def write_whole(file: Path, content: bytes) -> None:
    """Write a file so that whoever looks sees the old one or the new one; raises RecordError."""
    try:
        is_special = file.exists() and not file.is_file()  # a pipe or a device
        if is_special or not os.access(file.resolve().parent, os.W_OK):
            file.write_bytes(content)
            return
        file = file.resolve()  # a link stays one
        fresh = file.with_name(f"{file.name}.new")
        try:
            fresh.write_bytes(content)
            os.replace(fresh, file)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise RecordError(f"cannot write {file}: {error.strerror}") from None
