"""Sets of squares as the bits of one ``uint64``.

Keep every operand ``uint64``: mixing in a signed or 32-bit value promotes silently.
The functions are plain Python to the interpreter and one or two machine instructions to Numba.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.extending import overload as compiled_as

from hansu.kernel.compile import kernel

ONE = np.uint64(1)

_TWO, _THREE, _FOUR, _EIGHT, _BYTE = (np.uint64(n) for n in (2, 3, 4, 8, 0xFF))
_PAIRS, _FOURS, _EIGHTS, _BYTES, _HIGH = (
    np.uint64(int(digits * 8, 16)) for digits in ("55", "33", "0f", "01", "80")
)
_NTH_OF_BYTE = np.zeros((8, 256), np.uint8)  # [n, byte]: the index of its n-th bit
for _byte in range(256):
    for _n, _index in enumerate(i for i in range(8) if _byte >> i & 1):
        _NTH_OF_BYTE[_n, _byte] = _index


def popcount(bits: Any) -> Any:
    """Return how many bits are set.

    >>> int(popcount(np.uint64(0b1011)))
    3
    """
    return np.uint64(int(bits).bit_count())


def lowest(bits: Any) -> Any:
    """Return the index of the lowest set bit; ``bits`` must not be 0.

    >>> int(lowest(np.uint64(0b1000)))
    3
    """
    bits = int(bits)
    return np.uint64((bits & -bits).bit_length() - 1)


def reverse(bits: Any) -> Any:
    """Return the bits in the opposite order: bit 0 becomes bit 63.

    >>> int(reverse(np.uint64(1))) == 1 << 63
    True
    """
    return np.uint64(int(f"{int(bits):064b}"[::-1], 2))


@intrinsic
def _ctpop(typing_context: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


@intrinsic
def _cttz(typing_context: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), codegen


@intrinsic
def _bitreverse(typing_context: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitreverse(args[0])

    return types.uint64(types.uint64), codegen


@compiled_as(popcount)
def _popcount(bits):
    return lambda bits: _ctpop(bits)


@compiled_as(lowest)
def _lowest(bits):
    return lambda bits: _cttz(bits)


@compiled_as(reverse)
def _reverse(bits):
    return lambda bits: _bitreverse(bits)


@kernel
def bit(index):
    """Return the set with one member."""
    return ONE << np.uint64(index)


@kernel
def below(bits):
    """Remove the lowest bit: ``while bits: i = lowest(bits); bits = below(bits)``."""
    return bits & (bits - ONE)


@kernel
def nth_bit(bits, n):
    """Return the index of the n-th set bit, counting from 0; there must be more than n.

    The bytes are counted all at once (broadword selection, Vigna 2008): no loop, no branch.
    """
    n = np.uint64(n)
    counts = bits - ((bits >> ONE) & _PAIRS)
    counts = (counts & _FOURS) + ((counts >> _TWO) & _FOURS)
    counts = ((counts + (counts >> _FOUR)) & _EIGHTS) * _BYTES  # each byte with those below it
    at = popcount(((n * _BYTES | _HIGH) - counts) & _HIGH) << _THREE  # where they are at most n
    n -= ((counts << _EIGHT) >> at) & _BYTE
    return at + np.uint64(_NTH_OF_BYTE[n, (bits >> at) & _BYTE])
