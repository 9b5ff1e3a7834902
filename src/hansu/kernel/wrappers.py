"""Only what Python calls gets a wrapper that Python can call.

Numba makes two functions of a kernel: machine code, and a wrapper that takes Python's objects
apart. Most kernels are called by other kernels only, and the wrapper of one with many arrays is
larger than itself. Without those wrappers, compiling takes a quarter less time. When Python calls
such a kernel after all, it is compiled again, with its wrapper.
"""

from typing import Any

from numba.core.compiler_lock import global_compiler_lock
from numba.core.sigutils import normalize_signature

_depth = 0  # kernels being compiled, each because the one before calls it; under Numba's lock


def is_for_a_kernel() -> bool:
    """Return whether a kernel that is being compiled wants what is compiled or loaded now."""
    return _depth > 0


def is_callable(dispatcher: Any) -> bool:
    """Return whether Python can call a kernel without compiling anything, for some arguments."""
    return len(dispatcher.overloads) > len(vars(dispatcher).get("bare", ()))


def wrap_where_called(dispatcher: Any) -> None:
    """Compile a kernel without its wrapper where another kernel wants it."""
    compile, add = dispatcher.compile, dispatcher.add_overload
    compile_function = dispatcher._compiler.compile
    bare: set[Any] = set()  # arguments that Python cannot call it with yet

    def compile_or_wrap(signature: Any) -> Any:
        with global_compiler_lock:
            arguments = tuple(normalize_signature(signature)[0])
            if arguments in bare and not is_for_a_kernel():
                bare.remove(arguments)
                del dispatcher.overloads[arguments]
            return compile(signature)

    def compile_deeper(*arguments: Any) -> Any:
        global _depth
        _depth += 1
        try:
            return compile_function(*arguments)
        finally:
            _depth -= 1

    def choose_wrapper(flags: Any) -> Any:
        flags.no_cpython_wrapper = _depth > 1  # this kernel is counted too
        return flags

    def add_overload(result: Any) -> None:
        if result.library.get_pointer_to_function(result.fndesc.llvm_cpython_wrapper_name):
            add(result)
        else:
            arguments = tuple(result.signature.args)
            bare.add(arguments)
            dispatcher.overloads[arguments] = result

    dispatcher.compile = compile_or_wrap
    dispatcher.add_overload = add_overload
    dispatcher.bare = bare
    dispatcher._compiler.compile = compile_deeper
    dispatcher._compiler._customize_flags = choose_wrapper
