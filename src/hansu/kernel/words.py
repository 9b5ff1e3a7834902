"""From an array of words to a tuple, for a Position to be built from."""

from typing import Any

from numba.np.unsafe.ndarray import to_fixed_tuple

from hansu.kernel.compile import JIT


def _plain_tuple(words: Any, length: int) -> tuple[Any, ...]:
    return tuple(words[:length])


fixed_tuple: Any = to_fixed_tuple if JIT else _plain_tuple
"""``fixed_tuple(words, length)``: the first words as a tuple; ``length`` is a constant."""
