"""Tiered execution: a kernel runs as plain Python until a thread beside has compiled it.

A page must not wait for the compiler. Code under ``interpret_first`` runs what is not compiled yet
in the interpreter, thousands of times slower but at once, and has it compiled in the background:
the next calls find machine code. All other code waits for the compiler, as Numba does.
"""

import atexit
import contextlib
import functools
import queue
import threading
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType
from typing import Any

import numba
import numpy as np
from numba.core.compiler_lock import global_compiler_lock
from numba.core.extending import _Intrinsic
from numba.core.registry import CPUDispatcher

from hansu.kernel.wrappers import is_callable

JIT = not numba.config.DISABLE_JIT
"""False when NUMBA_DISABLE_JIT=1: kernels are then plain Python functions."""

TWIN = "interpreted"  # where a function has its form for the interpreter
CALLABLE = CPUDispatcher | FunctionType | _Intrinsic
LONGEST_END = 5.0  # seconds that the end of the program waits for the function being compiled

Job = Callable[[], Any]


class _Thread(threading.local):
    interprets = False  # whether this thread never waits for the compiler


_thread = _Thread()
_making = threading.Lock()
_in_python: dict[Any, Any] = {}  # of an intrinsic, the same in Python


@contextlib.contextmanager
def interpret_first(wanted: bool = True) -> Iterator[None]:
    """In this thread, interpret what is not compiled yet, and compile it in the background."""
    before, _thread.interprets = _thread.interprets, wanted
    try:
        yield
    finally:
        _thread.interprets = before


def is_interpreting() -> bool:
    """Return whether this thread does not wait for the compiler."""
    return _thread.interprets


def is_compiled(kernel: Any) -> bool:
    """Return whether a kernel has machine code; without a compiler, nothing is waited for."""
    return not JIT or is_callable(kernel)


def in_python(intrinsic: Any, function: Any) -> Any:
    """Return an intrinsic of compiled code; the interpreter calls ``function`` in its place."""
    _in_python[intrinsic] = function
    return intrinsic if JIT else function


def make_tiered(dispatcher: Any, is_on_disk: Callable[[Any], bool]) -> None:
    """Let a kernel be interpreted where its caller does not wait for the compiler."""
    wait = dispatcher._compile_for_args
    asked: set[Any] = set()

    def compile_or_interpret(*arguments: Any) -> Any:
        if not _thread.interprets:
            return wait(*arguments)
        kinds = tuple(map(dispatcher.typeof_pyval, arguments))
        if is_on_disk(kinds) and global_compiler_lock._lock.acquire(blocking=False):
            try:
                return wait(*arguments)  # loading takes some milliseconds
            finally:
                global_compiler_lock._lock.release()
        if kinds not in asked:
            asked.add(kinds)
            compile_beside(functools.partial(dispatcher.compile, kinds))
        return functools.partial(_interpret, interpreted(dispatcher))  # Numba calls what it gets

    dispatcher._compile_for_args = compile_or_interpret


def _interpret(function: Any, *arguments: Any) -> Any:
    with np.errstate(all="ignore"):  # machine integers wrap around silently
        return _as_compiled(function(*arguments))


def _as_compiled(value: Any) -> Any:
    """Return a value as compiled code hands it out: with Python's numbers, not NumPy's."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple):
        items = map(_as_compiled, value)
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


def interpreted(value: Any) -> Any:
    """Return a kernel as a plain function that calls nothing but plain functions."""
    with _making:  # nobody gets one that is half made
        return _twin(value)


def _twin(value: Any) -> Any:
    if isinstance(value, _Intrinsic):
        value = _in_python[value]
    function = getattr(value, "py_func", value)
    if (made := vars(function).get(TWIN)) is not None:
        return made
    names, own = _names(function.__code__), function.__globals__
    used: dict[str, Any] = {name: own[name] for name in names if name in own}
    cells = tuple(CellType() for _ in function.__closure__ or ())
    made = FunctionType(function.__code__, used, function.__name__, function.__defaults__, cells)
    vars(function)[TWIN] = made  # before what it calls: a function may call itself
    for name, item in used.items():
        used[name] = _twin(item) if isinstance(item, CALLABLE) else item
    for cell, source in zip(cells, function.__closure__ or (), strict=True):
        item = source.cell_contents
        cell.cell_contents = _twin(item) if isinstance(item, CALLABLE) else item
    return made


def _names(code: CodeType) -> set[str]:
    """Return the global names of a function and of those that it contains."""
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return set(code.co_names).union(*map(_names, inner))


# The background ----------------------------------------------------------------------------------

_jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
_start = threading.Lock()
_worker: threading.Thread | None = None
_ending = False


def compile_beside(job: Job) -> None:
    """Do something that compiles in the background, one after another."""
    global _worker
    _jobs.put(job)
    with _start:
        if _worker is None:
            _worker = threading.Thread(target=_work, name="compiler", daemon=True)
            _worker.start()
            atexit.register(_end)


def _work() -> None:
    while not _ending:
        with contextlib.suppress(Exception):  # whoever waits for the compiler is told
            _jobs.get()()


def _end() -> None:
    """Let the function that is being compiled end: the interpreter must not stop inside LLVM."""
    global _ending
    _ending = True
    _jobs.put(lambda: None)
    if _worker is not None:
        _worker.join(LONGEST_END)
