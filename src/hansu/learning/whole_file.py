"""Files that others read while they are written again and again."""

import os
from pathlib import Path


def put(path: Path, content: bytes | str) -> None:
    """Write a file that is there at once and whole; text as UTF-8."""
    aside = path.with_name(f"{path.name}.part")
    aside.write_bytes(content.encode() if isinstance(content, str) else content)
    os.replace(aside, path)
