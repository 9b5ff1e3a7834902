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
    """Return the index of the n-th set bit, counting from 0; there must be more than n."""
    for _ in range(n):
        bits = below(bits)
    return lowest(bits)
