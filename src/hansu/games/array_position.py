"""The Position of a game whose board fills an array of words."""

from typing import Any, NamedTuple

import numpy as np

from hansu.games.rules_on_words import PLY, SECOND
from hansu.kernel import kernel


class Position(NamedTuple):
    """A position and all that is needed to go on from it; ``play`` changes ``words`` in place."""

    ply: np.uint64
    second: np.uint64  # 1 when the second player is to move
    words: np.ndarray


@kernel
def unpack(words: Any) -> Position:
    """Return the position that an array of words holds (not a copy)."""
    return Position(words[PLY], words[SECOND], words)


@kernel
def pack(pos):
    """Return the words of a position (not a copy)."""
    return pos.words


@kernel
def copy(pos):
    """Return an independent position."""
    return Position(pos.ply, pos.second, pos.words.copy())
