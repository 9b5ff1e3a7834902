"""Positions packed into a few words, as inputs of a network.

A search sends thousands of positions at once to a network, often on a GPU. They are sent as sets of
cells, a bit each, and unpacked to planes there: with the same few array operations for every game,
in NumPy and in PyTorch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

WORD = 64
WHOLE = -1  # as a mask: the word itself, a signed number


@dataclass(frozen=True)
class Packing:
    """Where each input of a network lies in the words of a packed position.

    The numbers are the planes, cell by cell, and then the vector. Number i is
    ``(words[word[i]] >> shift[i] & mask[i]) * scale[i]``.
    """

    words: int  # how many a position has
    word: NDArray[np.int64]
    shift: NDArray[np.int64]
    mask: NDArray[np.int64]  # 1 for a bit, WHOLE for a word that holds one number
    scale: NDArray[np.float32]

    def unpack(self, words: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Return the numbers of packed positions: [positions, words] -> [positions, numbers].

        >>> packed = np.array([[0b101]], np.uint64)
        >>> packing([0, 1, 2], words=1).unpack(packed).tolist()
        [[1.0, 0.0, 1.0]]
        """
        bits = words.view(np.int64)[:, self.word] >> self.shift & self.mask
        return bits.astype(np.float32) * self.scale


def packing(
    bits: Sequence[int] | NDArray[Any],
    words: int,
    whole: dict[int, tuple[int, float]] | None = None,
) -> Packing:
    """Return a packing of bits, ``64 * word + bit`` for each number.

    ``whole`` names the numbers that are a word (a signed integer) times a scale.
    """
    places = np.asarray(bits, np.int64).ravel()
    word, shift = places // WORD, places % WORD
    mask, scale = np.ones_like(places), np.ones(len(places), np.float32)
    for number, (its_word, its_scale) in (whole or {}).items():
        word[number], shift[number], mask[number], scale[number] = its_word, 0, WHOLE, its_scale
    return Packing(words, word, shift, mask, scale)
