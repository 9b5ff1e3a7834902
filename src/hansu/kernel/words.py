"""Arrays of words: as a tuple, to build a Position from, and without reference counting."""

from typing import Any

from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.unsafe.ndarray import to_fixed_tuple

from hansu.kernel.compile import JIT


def _plain_tuple(words: Any, length: int) -> tuple[Any, ...]:
    return tuple(words[:length])


fixed_tuple: Any = to_fixed_tuple if JIT else _plain_tuple
"""``fixed_tuple(words, length)``: the first words as a tuple; ``length`` is a constant."""


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


borrowed: Any = _borrowed if JIT else _plain_borrowed
"""``borrowed(array)``: the same array without an owner, valid as long as the original lives.

Numba counts the references to an array with atomic additions whenever it is handed on; in a hot
loop of small functions that costs more than the work itself. Nothing is counted for this one.
"""
