"""Checkpoints: all that is needed to resume a run exactly.

A file is written atomically, and its name ends in the checksum of its content. The last few are
kept: where one is damaged, a warning names it and the one before it is used.
"""

import io
import re
import warnings
import zlib
from pathlib import Path
from typing import Any

import torch

from hansu.atomic_write import PART, atomic_write
from hansu.errors import HansuError
from hansu.learning.log import LOG, read_rows
from hansu.learning.replay_buffer import DamagedFile

KEPT = 3
_NAME = re.compile(r"checkpoint-(\d{6})(\.\d{6})?-([0-9a-f]{8})\.pt")


def save(folder: Path, number: int, content: dict[str, Any], pause: int = 0) -> Path:
    """Write a checkpoint and remove those that are older than the last few.

    ``number`` counts finished rounds or epochs, ``pause`` how often the next one was paused.
    """
    buffer = io.BytesIO()
    torch.save(content, buffer)
    data = buffer.getvalue()
    count = f"{number:06d}.{pause:06d}" if pause else f"{number:06d}"
    path = folder / f"checkpoint-{count}-{zlib.crc32(data):08x}.pt"
    atomic_write(path, data, durable=True)
    for old in _found(folder)[KEPT:]:
        old.unlink(missing_ok=True)
    return path


def load(folder: Path) -> dict[str, Any] | None:
    """Return the newest checkpoint that is not damaged; None if there is none."""
    for left in folder.glob(f"checkpoint-*{PART}"):
        left.unlink()  # its writer was killed
    for path in _found(folder):
        data = path.read_bytes()
        match = _NAME.fullmatch(path.name)
        if match and f"{zlib.crc32(data):08x}" == match[3]:
            # To the CPU first: the next machine may have no GPU.
            content: dict[str, Any] = torch.load(
                io.BytesIO(data), map_location="cpu", weights_only=True
            )
            return content
        warnings.warn(f"{path} is damaged: the one before it is used", DamagedFile, stacklevel=2)
        path.rename(path.with_suffix(".damaged"))
    return None


def resume(folder: Path) -> dict[str, Any] | None:
    """Return the checkpoint to resume from; None for a new run. Raises HansuError if it is lost."""
    found = load(folder)
    # A run that is killed in its first round has a line in its log and no checkpoint yet.
    if found is None and len(read_rows(folder / LOG)) > 1:
        raise HansuError(f"{folder} has a log but no whole checkpoint: choose another folder")
    return found


def _found(folder: Path) -> list[Path]:
    """Return the checkpoints of a folder, newest first."""
    found = [(m[1], m[2] or "", p) for p in folder.glob("*.pt") if (m := _NAME.fullmatch(p.name))]
    return [path for _, _, path in sorted(found, reverse=True)]
