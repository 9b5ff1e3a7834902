"""Arrays in compiled code: words as a Position, borrowed arrays, scratch memory."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from hansu.kernel.tiers import in_python


def scratch(length: int, kind: Any) -> Any:
    """Return an array for the caller's own use; ``length`` is a constant. It is not zeroed.

    On a GPU it lies in the thread's local memory, where nothing else can be allocated.
    """
    return np.empty(length, kind)


@overload(scratch, target="cpu")
def _scratch(length, kind):
    return lambda length, kind: np.empty(length, kind)


def _plain_borrowed(array: Any) -> Any:
    return array


@intrinsic
def _borrowed(typing_context: Any, array: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view = context.make_array(signature.return_type)(context, builder, args[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return array(array), codegen


borrowed: Any = in_python(_borrowed, _plain_borrowed)
"""``borrowed(array)``: the same array without an owner, valid as long as the original lives.

Numba counts the references to an array with atomic additions whenever it is handed on; in a hot
loop of small functions that costs more than the work itself. Nothing is counted for this one.
"""


def _plain_prefetch(array: Any, index: Any) -> None:
    """Do nothing: plain Python has no cache to fill."""


@intrinsic
def _prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, args[0])
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        place = builder.bitcast(builder.gep(view.data, [args[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(fetch, [place, number(0), number(3), number(1)])  # to read, often, data
        return context.get_dummy_value()

    return types.void(array, index), codegen


prefetch: Any = in_python(_prefetch, _plain_prefetch)
"""``prefetch(array, index)``: bring an entry into the processor's cache, which is needed soon."""
