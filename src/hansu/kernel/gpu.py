"""Compiled functions on a GPU: the same source, compiled again for the card (extra ``gpu``).

A CUDA kernel calls ``@kernel`` functions as they are: numba-cuda compiles their Python source for
the card. Such a function must keep to docs/design/gpu.md: it allocates nothing but ``scratch``,
returns no part of an array unless it is inlined, and raises nothing.
"""

import functools
from typing import Any
from unittest import mock

import numpy as np

from hansu.errors import HansuError
from hansu.kernel.words import scratch

BLOCK = 128  # threads


@functools.cache
def compiler() -> Any:
    """Return ``numba.cuda``, prepared for our kernels; raises HansuError without it."""
    if not hasattr(np, "row_stack"):  # numba-cuda 0.30 asks for it; NumPy 2.5 has dropped it
        np.row_stack = np.vstack
    try:
        from numba import cuda
        from numba.core import types
        from numba.cuda import target
        from numba.cuda.extending import overload
    except ImportError as error:
        raise HansuError(
            f"device=cuda needs numba-cuda (pip install 'hansu[gpu]'): {error}"
        ) from error

    @overload(scratch, inline="always", prefer_literal=True)
    def _scratch(length, kind):  # type: ignore[no-untyped-def]  # the lambda's signature
        if not isinstance(length, types.IntegerLiteral):
            return None
        size, dtype = length.literal_value, kind.dtype
        return lambda length, kind: cuda.local.array(size, dtype)

    # A table that a function reads would become constant memory, of which a program has 64 kB, and
    # which is slow when the threads of a warp read different entries. Global memory has no limit.
    constant_array = target.CUDATargetContext.make_constant_array
    memory = {"ADDRSPACE_CONSTANT": target.nvvm.ADDRSPACE_GLOBAL}

    def table(self: Any, *arguments: Any) -> Any:
        with mock.patch.multiple(target.nvvm, **memory):
            return constant_array(self, *arguments)

    target.CUDATargetContext.make_constant_array = table
    return cuda


def card() -> Any:
    """Return ``numba.cuda`` on a machine with a card; raises HansuError."""
    cuda = compiler()
    if not cuda.is_available():
        raise HansuError("device=cuda needs an NVIDIA card with its driver: none was found here")
    return cuda


def thread_count() -> int:
    """Return how many threads the card runs at a time."""
    device = card().get_current_device()
    return int(device.MULTIPROCESSOR_COUNT * device.MAX_THREADS_PER_MULTIPROCESSOR)
