"""Turn a few words into one well-mixed key."""

import numpy as np

from hansu.kernel.compile import kernel

_SHIFT = np.uint64(32)
_ODD_1 = np.uint64(0x9E3779B97F4A7C15)
_ODD_2 = np.uint64(0xD6E8FEB86659FD93)


@kernel
def mix(key, word):
    """Fold a word into a key. Start from 0; the order of the words matters."""
    key = (key ^ word) * _ODD_1 + _ODD_1
    key ^= key >> _SHIFT
    key *= _ODD_2
    key ^= key >> _SHIFT
    return key
