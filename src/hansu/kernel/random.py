"""A small random generator with explicit state (splitmix64): an array of one word.

The state is always an argument, so a game can be reproduced from its seed.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.kernel.compile import kernel

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LEAST = 2.0**-54  # in place of 0, which has no logarithm
_S30, _S27, _S31, _S32, _S11 = (np.uint64(n) for n in (30, 27, 31, 32, 11))


def seeded(seed: int) -> NDArray[np.uint64]:
    """Return a generator's state; equal seeds give equal numbers.

    >>> int(next_bits(seeded(1))) == int(next_bits(seeded(1)))
    True
    """
    return np.array([seed & 0xFFFF_FFFF_FFFF_FFFF], dtype=np.uint64)


@kernel
def next_bits(rng):
    """Return 64 random bits."""
    rng[0] += _GAMMA
    z = rng[0]
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@kernel
def random_below(rng: Any, n: Any) -> Any:
    """Return a random integer of 0 ... n-1; n is less than 2**32."""
    return np.int64(((next_bits(rng) >> _S32) * np.uint64(n)) >> _S32)


@kernel
def random_unit(rng):
    """Return a random float in [0, 1)."""
    return np.float64(next_bits(rng) >> _S11) * (1.0 / 9007199254740992.0)


@kernel
def random_gumbel(rng):
    """Return a random number of the standard Gumbel distribution.

    The index of the highest of several logits, each with such a number added, is a sample of their
    softmax.
    """
    return -math.log(-math.log(max(_LEAST, random_unit(rng))))


@kernel
def random_normal(rng):
    """Return a random number of the standard normal distribution (Box and Muller)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - random_unit(rng)))
    return radius * math.cos(2.0 * math.pi * random_unit(rng))


@kernel
def random_gamma(rng, shape):
    """Return a random number of the gamma distribution with scale 1 (Marsaglia and Tsang 2000).

    Several such numbers, divided by their sum, have a Dirichlet distribution (Dirichlet noise).
    """
    boost = 1.0
    if shape < 1.0:
        boost = (1.0 - random_unit(rng)) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = random_normal(rng)
        v = (1.0 + c * x) ** 3
        if v > 0.0 and math.log(1.0 - random_unit(rng)) < 0.5 * x * x + d - d * v + d * math.log(v):
            return boost * d * v
