"""Where compiled code lies, and whether it is safe to read: who writes it decides what we run."""

import functools
import os
import stat
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent
NOBODY_ELSE = stat.S_IWGRP | stat.S_IWOTH

_relied_on: frozenset[Path] | None = None


class UnsafeCacheWarning(UserWarning):
    """Compiled code is there and not used: somebody else may have written it."""


def cache_folders() -> Iterator[Path]:
    """Where compiled code may lie: beside the package, else in the user's cache folder."""
    chosen = os.environ.get("HANSU_CACHE_DIR")
    if chosen:
        yield Path(chosen).absolute()
        return
    yield PACKAGE / "__pycache__" / "kernels"
    yield user_cache_folder()


def user_cache_folder() -> Path:
    """The user's own folder for compiled code."""
    from platformdirs import user_cache_path  # not needed where a folder is chosen

    return user_cache_path("hansu") / "kernels"


def safe_cache_folders() -> list[Path]:
    """Those that are there and that nobody else can write."""
    return [folder for folder in cache_folders() if folder.is_dir() and _is_safe(folder)]


def rely_on(folders: Iterable[str]) -> None:
    """Read these folders alone, unchecked: inside a sandbox, where all owners look the same.

    Whoever made the sandbox has checked them, and nothing inside can write them.
    """
    global _relied_on
    _relied_on = frozenset(map(Path, folders))


def read_safely(folder: Path, name: str) -> bytes:
    """Return the content of a file that nobody else can have written.

    Raises:
        FileNotFoundError: There is no such file.
    """
    if _relied_on is not None:
        if folder not in _relied_on:
            raise FileNotFoundError(name)
        return (folder / name).read_bytes()
    flags = [getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")]
    with os.fdopen(os.open(folder / name, sum(flags)), "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode) or not _is_ours(facts) or not _is_safe(folder):
            _warn(folder)
            raise FileNotFoundError(name)
        return file.read()


def make_safe_folder(folder: Path) -> None:
    """Make a folder that only we can write; raises OSError where others can write it."""
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
    if not _is_safe(folder):
        raise PermissionError(f"others can write {folder}")


def _is_safe(folder: Path) -> bool:
    return _is_ours(folder.stat())


def _is_ours(facts: os.stat_result) -> bool:
    """Whether something belongs to us or to root, and nobody else may write it."""
    if not hasattr(os, "geteuid"):
        return True  # Windows: folders of a user are that user's own
    return facts.st_uid in (os.geteuid(), 0) and not facts.st_mode & NOBODY_ELSE


@functools.cache
def _warn(folder: Path) -> None:
    warnings.warn(
        f"the compiled code in {folder} is not used: it must belong to you or to root, and nobody "
        "else may write it",
        UnsafeCacheWarning,
        stacklevel=2,
    )
