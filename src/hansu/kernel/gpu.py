"""Compiled functions on a GPU: the same source, compiled again for the card (extra ``gpu``).

A CUDA kernel calls ``@kernel`` functions as they are: numba-cuda compiles their Python source for
the card. Such a function must keep to docs/design/gpu.md: it allocates nothing but ``scratch``,
returns no part of an array unless it is inlined, and raises nothing.
"""

import functools
import importlib.util
import types
from typing import Any

import numba
import numpy as np

from hansu.errors import HansuError
from hansu.kernel.words import scratch

BLOCK = 128  # threads
CAPABILITY = (8, 0)  # of the cards that code is compiled for where there is none
WORDS = ("CUDA error", "CUDA driver", "CUDA_ERROR", "CUDA out of memory", "cuDNN error", "CUBLAS")


@functools.cache
def compiler() -> Any:
    """Return ``numba.cuda``, prepared for our kernels; raises HansuError without it."""
    vars(np).setdefault("row_stack", np.vstack)  # numba-cuda 0.30 asks; NumPy 2.5 has dropped it
    try:
        from numba import cuda
        from numba.core.types import IntegerLiteral
        from numba.cuda import target
        from numba.cuda.extending import overload
    except ImportError as error:
        broken = f": {error}" if importlib.util.find_spec("numba_cuda") else ""  # else just absent
        raise HansuError(
            f"device=cuda needs numba-cuda (pip install 'hansu[gpu]'){broken}"
        ) from error

    @overload(scratch, inline="always", prefer_literal=True)
    def _scratch(length, kind):  # type: ignore[no-untyped-def]  # the lambda's signature
        if not isinstance(length, IntegerLiteral):
            return None
        size, dtype = length.literal_value, kind.dtype
        return lambda length, kind: cuda.local.array(size, dtype)

    # A table that a function reads would become constant memory, of which a program has 64 kB, and
    # which is slow when the threads of a warp read different entries. Global memory has no limit.
    constant_array = target.CUDATargetContext.make_constant_array
    memory = {"ADDRSPACE_CONSTANT": target.nvvm.ADDRSPACE_GLOBAL}

    from unittest import mock  # not needed without a card, and slow to import

    def table(self: Any, *arguments: Any) -> Any:
        with mock.patch.multiple(target.nvvm, **memory):
            return constant_array(self, *arguments)

    target.CUDATargetContext.make_constant_array = table
    # A product and a sum fused into one instruction round once instead of twice: a search would
    # choose another move than on the CPU now and then.
    compile_ir = target.nvvm.compile_ir
    target.nvvm.compile_ir = functools.partial(compile_ir, fma=False)
    return cuda


def compiled_for_card(function: Any, *arguments: Any, is_kernel: bool = False) -> str:
    """Return the code of a function for a card, for arguments of these Numba types.

    No card is needed for that; raises HansuError if the function cannot run on one.
    """
    cuda = compiler()
    from numba.cuda import dispatcher

    any_card = types.SimpleNamespace(compute_capability=CAPABILITY)
    from unittest import mock  # not needed without a card, and slow to import

    compiled = getattr(function, "py_func", function)
    signature = numba.types.void(*arguments) if is_kernel else arguments
    try:
        with mock.patch.object(dispatcher, "get_current_device", return_value=any_card):
            text, _ = cuda.compile_ptx(
                compiled, signature, device=not is_kernel, cc=CAPABILITY, lineinfo=False
            )
    except Exception as error:  # Numba raises its own, NumPy's, Python's
        said = str(error).strip().splitlines() or [repr(error)]
        raise HansuError(f"{compiled.__name__} cannot run on a card: {_reason(said)}") from error
    return str(text)


def _reason(said: list[str]) -> str:
    """Return the line of a compiler's message that says what was wrong."""
    telling = ("No implementation", "Cannot", "Unknown", "not supported", "NotImplemented", "nrt")
    return next((line for line in said if any(word in line for word in telling)), said[0]).strip()


def card() -> Any:
    """Return ``numba.cuda`` on a machine with a card; raises HansuError."""
    cuda = compiler()
    if not cuda.is_available():
        raise HansuError("device=cuda needs an NVIDIA card with its driver: none was found here")
    return cuda


def has_card() -> bool:
    """Return whether ``card`` would find one."""
    if importlib.util.find_spec("numba_cuda") is None:
        return False
    try:
        card()
    except HansuError:
        return False
    return True


def free_memory() -> int:
    """Return how many bytes of the card's memory are free."""
    return int(card().current_context().get_memory_info().free)


def check_memory(needed: int) -> None:
    """Raise HansuError where the card has less free memory than so many bytes."""
    if needed > (free := free_memory()):
        raise HansuError(
            f"the card has {free / 2**30:.1f} GB of free memory, {needed / 2**30:.1f} GB are needed"
        )


def thread_count() -> int:
    """Return how many threads the card runs at a time."""
    device = card().get_current_device()
    return int(device.MULTIPROCESSOR_COUNT * device.MAX_THREADS_PER_MULTIPROCESSOR)


def is_of_card(error: Exception) -> bool:
    """Return whether an exception is the card's, of PyTorch or of Numba."""
    if type(error).__module__.startswith("numba.cuda"):
        return True
    return isinstance(error, RuntimeError) and any(word in str(error) for word in WORDS)
