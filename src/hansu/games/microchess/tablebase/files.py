"""A class's table in a file: compressed in blocks, read through a memory map.

    16 bytes    MAGIC: the format and its version
    8 bytes     the length of the header, and the checksum of header and index
    header      JSON: the class, the rules that decide a stopped game, the number of entries
    index       the compressed length of each block, 4 bytes each
    blocks      BLOCK entries each, the last one fewer: their bytes "mate", then "own", then "other"

A file is written aside and moved into place, so that it is whole or not there. A block checks its
own content when it is decompressed (Adler-32).
"""

import json
import mmap
import os
import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hansu.atomic_write import atomic_write
from hansu.errors import HansuError, why
from hansu.games.microchess.tablebase.classes import MaterialClass

MAGIC = b"hansu chess tb 1"
LENGTHS = struct.Struct("<II")
BLOCK = 1 << 14
PLANES = 3
SUFFIX = ".table"

Planes = NDArray[np.uint8]  # [PLANES, entries]


def tables_folder() -> Path:
    """Return where tables lie: ``HANSU_TABLEBASES``, or a part of the user's cache folder."""
    from platformdirs import user_cache_path  # not needed where a folder is chosen

    chosen = os.environ.get("HANSU_TABLEBASES")
    return Path(chosen).absolute() if chosen else user_cache_path("hansu") / "tablebases"


def write_table(file: Path, which: MaterialClass, rules: str, planes: Planes) -> None:
    """Write a class's table; raises OSError."""
    header = json.dumps({"class": str(which), "rules": rules, "entries": which.entries}).encode()
    starts = range(0, which.entries, BLOCK)
    blocks = [zlib.compress(planes[:, start : start + BLOCK].tobytes(), 9) for start in starts]
    index = np.array([len(block) for block in blocks], "<u4").tobytes()
    lengths = LENGTHS.pack(len(header), zlib.crc32(header + index))
    file.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(file, b"".join([MAGIC, lengths, header, index, *blocks]), durable=True)


class TableFile:
    """An open table. Raises HansuError if a file is not what its name says, or damaged."""

    def __init__(self, file: Path, which: MaterialClass, rules: str) -> None:
        self.file, self.which = file, which
        try:
            with file.open("rb") as opened:
                self._map = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:  # an empty file cannot be mapped
            raise HansuError(f"cannot read {file}: {why(error)}") from None
        try:
            self._read_header(rules)
        except (ValueError, KeyError, TypeError, struct.error):
            raise HansuError(
                f"{file} is not a table of {which} that this version can read: "
                "delete it, and build it again"
            ) from None

    def _read_header(self, rules: str) -> None:
        first = len(MAGIC) + LENGTHS.size
        length, checksum = LENGTHS.unpack(self._map[len(MAGIC) : first])
        end = first + length + 4 * -(-self.which.entries // BLOCK)
        header, index = self._map[first : first + length], self._map[first + length : end]
        expected = {"class": str(self.which), "rules": rules, "entries": self.which.entries}
        lengths = np.frombuffer(index, "<u4")
        self._starts = end + np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        if (
            self._map[: len(MAGIC)] != MAGIC
            or zlib.crc32(header + index) != checksum
            or json.loads(header) != expected
            or int(self._starts[-1]) != len(self._map)
        ):
            raise ValueError

    def block(self, number: int) -> Planes:
        """Return one block of entries; raises HansuError if it is damaged."""
        start, end = self._starts[number : number + 2].tolist()
        try:
            content = zlib.decompress(self._map[start:end])
            return np.frombuffer(content, np.uint8).reshape(PLANES, -1)
        except (zlib.error, ValueError):
            raise HansuError(f"{self.file} is damaged: delete it, and build it again") from None

    def close(self) -> None:
        """Let the file go."""
        self._map.close()

    def planes(self) -> Planes:
        """Return all entries."""
        return np.concatenate([self.block(i) for i in range(len(self._starts) - 1)], axis=1)
