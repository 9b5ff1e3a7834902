"""The opening book of Connect Four: positions whose scores were computed beforehand.

A position is one word: its key, then its score as a byte. The file keeps the sorted words, each as
its distance from the one before, the lowest bytes of all first, and compressed.
``scripts/connect4_book.py`` builds it.
"""

import functools
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.kernel import kernel

FILE = Path(__file__).parent / "book.bin"
WIDTH, HEIGHT = 7, 6  # the board it is for
SCORE, BYTE = np.uint64(8), np.uint64(0xFF)
OFFSET = 128
MISSING = -OFFSET

Words = NDArray[np.uint64]


def word(key: int, score: int) -> int:
    """Return an entry."""
    return key << 8 | score + OFFSET


@kernel
def book_score(book: Any, key: Any) -> Any:
    """Return a position's score by its key, or MISSING."""
    low, high = 0, len(book)
    while low < high:
        half = (low + high) // 2
        if book[half] >> SCORE < key:
            low = half + 1
        else:
            high = half
    if low < len(book) and book[low] >> SCORE == key:
        return np.int64(book[low] & BYTE) - OFFSET
    return MISSING


def pack_book(words: Words) -> bytes:
    """Return the content of a book's file.

    >>> unpack_book(pack_book(np.array([7, 3, 5 << 40], np.uint64))).tolist()
    [3, 7, 5497558138880]
    """
    apart = np.diff(np.sort(words), prepend=np.uint64(0)).astype("<u8")
    return zlib.compress(apart.view(np.uint8).reshape(-1, 8).T.tobytes(), 9)


def unpack_book(content: bytes) -> Words:
    """Return the entries of a book's file, sorted."""
    rows = np.frombuffer(zlib.decompress(content), np.uint8).reshape(8, -1)
    apart = np.ascontiguousarray(rows.T).view("<u8").reshape(-1)
    return np.cumsum(apart, dtype=np.uint64)


@functools.cache
def shipped_book() -> Words:
    """Return the book that comes with the package."""
    return unpack_book(FILE.read_bytes()) if FILE.is_file() else np.empty(0, np.uint64)
