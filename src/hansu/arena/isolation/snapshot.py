"""An agent's file or package as an archive: what it sees is a copy of this, and nothing beside it.

Only plain files, folders and links go in: no dotfiles, pipes, sockets or devices. The archive
lies in an unnamed file, so nothing of it is left when the arena is killed. It is written with our
rights and read by the process inside before that gives up its own: a private folder stays private.
"""

import os
import stat
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from hansu.arena.isolation.limits import MIB, SandboxLimits
from hansu.errors import HansuError

DEPTH = 32  # folders within folders
SKIPPED = ("__pycache__",)


def take_snapshot(place: Path, root: Path, limits: SandboxLimits) -> IO[bytes]:
    """The archive of a file or folder below ``root``; raises HansuError if it is too big."""
    archive = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    files = total = 0
    try:
        with tarfile.open(fileobj=archive, mode="w") as out:
            for path, facts in _walk(place):
                member = tarfile.TarInfo(str(path.relative_to(root)))
                files += 1
                total += facts.st_size
                _check_size(place, files, total, limits)
                _add(out, member, path, facts)
    except OSError as error:
        archive.close()
        raise HansuError(f"{place} cannot be read: {error.strerror or error}") from None
    except BaseException:
        archive.close()
        raise
    archive.seek(0)
    return archive


def unpack(descriptor: int, folder: str) -> None:
    """Inside: put the archive where the agent expects it."""
    with os.fdopen(descriptor, "rb") as file, tarfile.open(fileobj=file, mode="r|") as archive:
        for member in archive:
            archive.extract(member, folder, filter="fully_trusted")


def _walk(place: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Everything that an agent may see, folders before what is in them."""
    waiting = [(place, 0)]
    while waiting:
        path, depth = waiting.pop()
        facts = path.lstat()
        kind = stat.S_IFMT(facts.st_mode)
        if kind not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
            continue
        yield path, facts
        if kind != stat.S_IFDIR:
            continue
        if depth >= DEPTH:
            raise HansuError(f"{place} holds folders more than {DEPTH} deep")
        found = sorted(os.listdir(path))  # so that the same files make the same archive
        names = [name for name in found if name[0] != "." and name not in SKIPPED]
        waiting += [(path / name, depth + 1) for name in names]


def _check_size(place: Path, files: int, total: int, limits: SandboxLimits) -> None:
    if files > limits.code_files:
        raise HansuError(f"{place} holds more than {limits.code_files} files")
    if total > limits.code_bytes:
        most = limits.code_bytes / MIB
        raise HansuError(f"{place} is bigger than the {most:g} MiB that an agent may have")


def _add(out: tarfile.TarFile, member: tarfile.TarInfo, path: Path, facts: os.stat_result) -> None:
    if stat.S_ISDIR(facts.st_mode):
        member.type, member.mode = tarfile.DIRTYPE, 0o755
        out.addfile(member)
    elif stat.S_ISLNK(facts.st_mode):
        member.type, member.linkname = tarfile.SYMTYPE, os.readlink(path)
        out.addfile(member)
    else:
        # Whoever swaps the file for a pipe or a link meanwhile is refused, and does not block us.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            member.mode = 0o755  # a program may have lost its mark on the way
            member.size = os.fstat(descriptor).st_size
            if not stat.S_ISREG(os.fstat(descriptor).st_mode) or member.size > facts.st_size:
                raise OSError("it changes while it is read")
            out.addfile(member, file)
