"""``@kernel``: compile a Python function with Numba and keep the machine code on disk.

Numba's own ``cache=True`` is not enough here: it misses on every start for functions that close
over other compiled functions (all our generic algorithms), it does not notice an edit in another
file, and its shared index file can pair a key with another process's code when several start at
once. So each compiled function is one file here, named by a digest of everything it depends on,
written aside and moved into place: there is no index to corrupt. Processes that need the same
function at once compile it once: the others wait for the first. A file is a pickle, which can do
anything: it is only read where nobody but us, or root, can have written it (``cache_folders``).

``NUMBA_DISABLE_JIT=1`` turns ``@kernel`` into a no-op: the very same code runs as plain Python.
"""

import functools
import hashlib
import itertools
import os
import pickle
import re
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, overload

import numba
import numpy as np
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps
from numba.cpython import hashing as hashing  # registers symbols that machine code may call

from hansu.atomic_write import atomic_write
from hansu.file_lock import hold
from hansu.kernel.cache_folders import PACKAGE as PACKAGE
from hansu.kernel.cache_folders import cache_folders, make_safe_folder, read_safely
from hansu.kernel.notice import compiling
from hansu.kernel.tiers import JIT as JIT
from hansu.kernel.tiers import make_tiered
from hansu.kernel.wrappers import is_for_a_kernel, wrap_where_called

F = TypeVar("F", bound=Callable[..., Any])
Part = ModuleType | Callable[..., Any] | int
Variant = Part | tuple[Part, ...]
Lock = tuple[int, Path] | None

LONGEST_WAIT = 15.0  # seconds for another process that compiles the same; it may have been paused
PAUSE = 0.05  # seconds between two looks
UNRESOLVED = b".numba.unresolved$"
"""Names what one form of a recursive kernel calls another by: a pointer that Numba sets while it
compiles. Code from the disk would jump to nowhere, so it is not kept there."""

_IMPORT = re.compile(
    r"^\s*(?:from|import) (hansu[\w.]*)(?: import (\([^)]*\)|[^\n]*))?", re.MULTILINE
)

# Numba numbers what it compiles, from 1 in every process, to tell functions with the same name and
# types apart, such as one game's search and another's. Code from the cache was numbered by other
# processes: with the same number, calls would silently go to the function that was loaded first.
FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(6)))

if not JIT:
    np.seterr(over="ignore")  # machine integers wrap around silently; so shall plain Python's


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(
    *, variant: Variant = ..., allocates: bool = ..., parallel: bool = ..., inline: bool = ...
) -> Callable[[F], F]: ...
def kernel(
    function: Any = None,
    *,
    variant: Variant = (),
    allocates: bool = True,
    parallel: bool = False,
    inline: bool = False,
) -> Any:
    """Compile ``function`` on first call, or load it from the cache.

    A factory that makes one function per game passes as ``variant`` what it closes over: the
    game's rules, or several modules, compiled functions and numbers. It distinguishes functions
    with the same source.

    ``allocates=False`` is for a function that neither makes arrays nor calls one that returns some.
    It does not count references to its arguments: two locked instructions each, at every call.

    With ``inline`` the function becomes part of its callers. One that returns a part of an array
    must, to run on a GPU.

    With ``parallel`` a loop over ``numba.prange`` runs on all cores (``NUMBA_NUM_THREADS`` of
    them). Only programs such as training may use it: where Numba has only its simplest threading
    layer, two such calls at the same time end the process.
    """
    if function is None:
        return lambda f: _compiled(f, variant, allocates, parallel, inline)
    return _compiled(function, variant, allocates, parallel, inline)


def _compiled(
    function: Any, variant: Variant, allocates: bool, parallel: bool, inline: bool
) -> Any:
    if not JIT:
        return function
    dispatcher = numba.njit(
        function,
        nogil=True,
        error_model="numpy",
        parallel=parallel,
        inline="always" if inline else "never",
        no_cfunc_wrapper=True,  # nothing calls a kernel through a C pointer
        _nrt=allocates,
    )
    parts = variant if isinstance(variant, tuple) else (variant,)
    cache = KernelCache(function, parts, parallel)
    if not all(source.is_file() for source in cache.sources):
        return dispatcher  # typed in, in a notebook or a shell: no file could show what changed
    dispatcher._cache = cache
    wrap_where_called(dispatcher)
    if _calls_itself(function):
        _take_constants_for_numbers(dispatcher)
    compile = dispatcher._compiler.compile

    def compile_or_give_up(*arguments: Any) -> Any:
        try:
            return compile(*arguments)
        except BaseException:
            cache.give_up()
            raise

    dispatcher._compiler.compile = compile_or_give_up
    make_tiered(dispatcher, lambda sig: cache.is_on_disk(sig, dispatcher.targetctx))
    return dispatcher


def _calls_itself(function: Callable[..., Any]) -> bool:
    code = function.__code__
    return function.__name__ in (*code.co_names, *code.co_freevars)


def _take_constants_for_numbers(dispatcher: Any) -> None:
    """Compile one form for a constant and for any other number.

    The call of a recursive kernel with a constant would otherwise be a form of its own, which calls
    the other one in a way that cannot be kept on disk (``UNRESOLVED``).
    """
    fold = dispatcher._compiler.fold_argument_types

    def fold_without_constants(arguments: Any, by_name: Any) -> Any:
        signature, kinds = fold(arguments, by_name)
        return signature, tuple(map(numba.types.unliteral, kinds))

    dispatcher._compiler.fold_argument_types = fold_without_constants


class KernelCache(_Cache):  # type: ignore[misc]  # Numba has no types
    """One function's compiled forms on disk: a file for each signature."""

    def __init__(
        self, function: Callable[..., Any], variant: tuple[Part, ...], parallel: bool = False
    ) -> None:
        self._name = f"{function.__module__}.{function.__qualname__}".replace("<locals>.", "")
        self._line = function.__code__.co_firstlineno
        self._parallel = parallel
        self.sources = {Path(function.__code__.co_filename)}.union(*map(_part_sources, variant))
        self.variant = " ".join(map(_part_name, variant))
        self._held: dict[str, Lock] = {}  # what this process compiles

    @property
    def cache_path(self) -> str:
        """The folder that new code is written to."""
        return str(next(cache_folders()))

    def is_on_disk(self, sig: Any, target_context: Any) -> bool:
        """Return whether the compiled form for a signature is there, probably to be loaded."""
        name = "-".join(self._file_name(sig, target_context.codegen(), bare=False))
        return any((folder / f"{name}.nbc").is_file() for folder in cache_folders())

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """Return the compiled form for a signature, or None: Numba then compiles it."""
        # Machine code needs Numba's runtime and symbols, not what a compilation needs: that would
        # double the time that a small command takes to start.
        rtsys.initialize(target_context)
        bare = is_for_a_kernel()
        stem, digest = self._file_name(sig, target_context.codegen(), bare)
        name = f"{stem}-{digest}.nbc"
        found = self._load(name, target_context)
        if found is None and bare:
            wrapped = self._file_name(sig, target_context.codegen(), bare=False)
            found = self._load("-".join(wrapped) + ".nbc", target_context)
        if found is None and self._waited(stem):
            found = self._load(name, target_context)
        if found is None:
            compiling(self.variant or self._name)
        else:
            self._let_go(stem)
        return found

    def _load(self, name: str, target_context: Any) -> CompileResult | None:
        for folder in cache_folders():
            try:
                payload = pickle.loads(read_safely(folder, name))
                return CompileResult._rebuild(target_context, *payload)
            except FileNotFoundError:
                continue
            except Exception:  # noqa: S112 - a damaged file is a miss: it is compiled and written anew
                continue
        return None

    def _waited(self, stem: str) -> bool:
        """Get the right to compile something; return whether another process had it before.

        Functions are compiled after those that they call, so no two wait for each other.
        """
        begin = time.monotonic()
        while stem not in self._held and time.monotonic() < begin + LONGEST_WAIT:
            try:
                self._held[stem] = _lock(f"{stem}.lock")
            except BlockingIOError:
                time.sleep(PAUSE)
        return time.monotonic() > begin + PAUSE

    def _let_go(self, stem: str) -> None:
        if lock := self._held.pop(stem, None):
            file, path = lock
            path.unlink(missing_ok=True)
            os.close(file)

    def give_up(self) -> None:
        """Let others try to compile what this process cannot."""
        for stem in list(self._held):
            self._let_go(stem)

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        """Write a newly compiled form; a failure only costs the next start some seconds."""
        stem, digest = self._file_name(sig, data.codegen, is_for_a_kernel())
        try:
            content = dumps(data._reduce())
            if UNRESOLVED not in content:
                self._save(stem, f"{stem}-{digest}.nbc", content)
        finally:
            self._let_go(stem)

    def _save(self, stem: str, name: str, content: bytes) -> None:
        for folder in cache_folders():
            try:
                make_safe_folder(folder)
                atomic_write(folder / name, content)
                (folder / name).chmod(
                    0o644
                )  # whatever the umask: what others may write is not read
            except OSError:
                continue
            for old in folder.glob(f"{stem}-*.nbc"):
                if old.name != name:
                    old.unlink(missing_ok=True)
            return

    def enable(self) -> None:
        """Part of Numba's cache interface; this cache is always on."""

    def disable(self) -> None:
        """Part of Numba's cache interface; this cache is always on."""

    def flush(self) -> None:
        """Part of Numba's cache interface; nothing is buffered."""

    def _file_name(self, sig: Any, codegen: Any, bare: bool) -> tuple[str, str]:
        """Return what the function is, and a digest of the sources it was made from."""
        what = (
            (self._line, self._parallel, bare),
            [_type_name(kind) for kind in sig],
            self.variant,
            codegen.magic_tuple(),
            sys.version_info[:2],
            numba.__version__,
            np.__version__,
            numba.config.BOUNDSCHECK,
            numba.config.OPT,
        )
        stem = f"{self._name}-{_short(repr(what).encode())}"
        return stem, _short(b"".join(map(_file_digest, sorted(dependencies(self.sources)))))


def _lock(name: str) -> Lock:
    """Hold a file beside the code; None where nothing can be written, so nobody waits."""
    for folder in cache_folders():
        try:
            make_safe_folder(folder)
            return hold(folder / name), folder / name
        except BlockingIOError:
            raise
        except OSError:
            continue
    return None


def dependencies(sources: Iterable[Path]) -> set[Path]:
    """Return these files and all that they import, of this package or of their own."""
    found: set[Path] = set()
    left = set(sources)
    while left:
        file = left.pop()
        found.add(file)
        left |= _imported(file) - found
    return found


@functools.cache
def _imported(file: Path) -> frozenset[Path]:
    """Return the files that a file imports; of a foreign package, all files."""
    root = file
    while (root.parent / "__init__.py").exists():
        root = root.parent
    foreign = root.is_dir() and root != PACKAGE
    found = set(root.rglob("*.py")) if foreign else set()
    for module, names in _IMPORT.findall(_text(file)):
        place = PACKAGE.joinpath(*module.split(".")[1:])
        found |= {place / f"{name}.py" for name in re.findall(r"\w+", names)}
        found |= {place.with_suffix(".py"), place / "__init__.py"}
    return frozenset(path for path in found if path.is_file())


@functools.cache
def _file_digest(file: Path) -> bytes:
    return hashlib.sha256(f"{file.parent.name}/{file.name} {_text(file)}".encode()).digest()


@functools.cache
def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _type_name(kind: Any) -> str:
    """Return the name of an argument's type; the Positions of two games may look the same."""
    owner = getattr(kind, "instance_class", None)
    return f"{kind} {owner.__module__}.{owner.__qualname__}" if owner else str(kind)


def _part_name(part: Part) -> str:
    if isinstance(part, int):
        return str(part)
    if isinstance(part, ModuleType):
        return part.__name__
    own = getattr(getattr(part, "_cache", None), "variant", "")  # a kernel made for something too
    return f"{part.__module__}.{part.__qualname__}({own})"


def _part_sources(part: Part) -> set[Path]:
    if isinstance(part, int):
        return set()
    if isinstance(part, ModuleType):
        return {Path(part.__file__ or "")}
    own: set[Path] = getattr(getattr(part, "_cache", None), "sources", set())
    return own | {Path(getattr(part, "py_func", part).__code__.co_filename)}


def _short(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
