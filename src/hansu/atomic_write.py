"""Write a file atomically: a reader sees the old content or the new, never a part."""

import os
import secrets
from pathlib import Path

PART = ".part"  # suffix of an unfinished file; a killed process may leave one behind


def atomic_write(path: Path, content: bytes | str, durable: bool = False) -> None:
    """Write a temporary file and move it into place; text as UTF-8.

    With ``durable`` the content reaches the disk before the name does: even a power cut leaves no
    half file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     atomic_write(Path(folder, "a.txt"), "한 수")
    ...     Path(folder, "a.txt").read_text(encoding="utf-8")
    '한 수'
    """
    aside = path.with_name(f"{path.name}.{secrets.token_hex(4)}{PART}")  # others may write it too
    try:
        with aside.open("xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(aside, path)
    except OSError:
        aside.unlink(missing_ok=True)
        raise
