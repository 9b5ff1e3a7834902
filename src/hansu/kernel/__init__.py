"""What all compiled code shares: the ``@kernel`` decorator, bit tricks, random numbers, hashing.

>>> from hansu.kernel import kernel
>>> @kernel
... def double(x):
...     return 2 * x
>>> double(21)
42
"""

from hansu.kernel.bits import below, bit, lowest, nth_bit, popcount, reverse
from hansu.kernel.compile import JIT, kernel
from hansu.kernel.hashing import mix
from hansu.kernel.random import (
    next_bits,
    random_below,
    random_gamma,
    random_gumbel,
    random_unit,
    seeded,
)
from hansu.kernel.words import borrowed, prefetch, scratch

__all__ = [
    "JIT",
    "below",
    "bit",
    "borrowed",
    "kernel",
    "lowest",
    "mix",
    "next_bits",
    "nth_bit",
    "popcount",
    "prefetch",
    "random_below",
    "random_gamma",
    "random_gumbel",
    "random_unit",
    "reverse",
    "scratch",
    "seeded",
]
