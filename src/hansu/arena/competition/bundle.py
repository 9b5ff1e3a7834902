"""A submission as a value: some files, checked and bounded, whatever they came in.

Nothing is unpacked to the disk to look at it. Only plain files with plain names come in: no links,
devices or paths that lead elsewhere.
"""

import hashlib
import io
import os
import re
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hansu.errors import HansuError
from hansu.protocols.manifest import ALONE, MANIFEST, is_executable, parse_manifest
from hansu.terminal_text import one_line

ENTRY = "agent.py"  # what a folder or an archive must hold, unless it is a program's
PROGRAM = "program"  # what an executable that comes alone is called
MOST_FILES = 1000
DEEPEST = 16  # folders within folders
LONGEST = 200  # letters of a path
SKIPPED = ("__pycache__", "__MACOSX")
_CAREFULLY = sum(  # Windows has only one of these, and neither such links nor such pipes
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
)
_PART = re.compile(r"[\w][\w .()+-]*")


@dataclass(frozen=True)
class Bundle:
    """The files of one submission by their paths; a single file is called ``agent.py``.

    A program of another language has an ``agent.toml``; one that comes alone gets one.
    """

    files: dict[str, bytes]

    @property
    def is_program(self) -> bool:
        """Whether it is a program of another language."""
        return MANIFEST in self.files

    @property
    def entry(self) -> str:
        """The file by which it is seated."""
        return MANIFEST if self.is_program else ENTRY

    @property
    def is_single(self) -> bool:
        """Whether it is one Python file."""
        return list(self.files) == [ENTRY]

    @property
    def digest(self) -> str:
        """The SHA-256: of the file, or of the lines that ``sha256sum`` prints for sorted files.

        >>> Bundle({"agent.py": b""}).digest[:8]
        'e3b0c442'
        """
        if self.is_single:
            return hashlib.sha256(self.files[ENTRY]).hexdigest()
        lines = (
            f"{hashlib.sha256(self.files[path]).hexdigest()}  {path}\n"
            for path in sorted(self.files)
        )
        return hashlib.sha256("".join(lines).encode()).hexdigest()


def read_submission(path: Path, max_bytes: int) -> Bundle:
    """Return what lies at a path: a file, a folder or an archive. Raises HansuError.

    What is read is what is checked and kept: whoever changes a file meanwhile changes nothing.
    """
    try:
        facts = path.lstat()
        if stat.S_ISDIR(facts.st_mode):
            return _checked(dict(_read_folder(path, max_bytes)), max_bytes)
        return unpack_submission(path.name, _read_file(path, max_bytes), max_bytes)
    except OSError as error:
        raise HansuError(f"{_shown(path.name)} cannot be read: {error.strerror or error}") from None


def unpack_submission(name: str, content: bytes, max_bytes: int) -> Bundle:
    """Return what a file that was sent holds, by the ending of its name. Raises HansuError."""
    if len(content) > max_bytes:
        raise HansuError(_too_big(max_bytes))
    if name.endswith(".py"):
        return _checked({ENTRY: content}, max_bytes)
    reader = next((read for ending, read in ARCHIVES.items() if name.endswith(ending)), None)
    if reader is None and is_executable(content):
        manifest = f'command = ["./{PROGRAM}"]\nprotocol = "{ALONE}"\n'
        return _checked({MANIFEST: manifest.encode(), PROGRAM: content}, max_bytes)
    if reader is None:
        raise HansuError(
            f"{_shown(name)} is no submission: a Python file, an executable, or a .zip or .tar.gz "
            f"with {ENTRY} or {MANIFEST} is expected"
        )
    try:
        files = dict(_bounded(reader(content, max_bytes), max_bytes))
    except HansuError:
        raise
    except Exception:  # what the libraries raise differs by method and by Python
        raise HansuError(f"{_shown(name)} is a damaged archive") from None
    return _checked(_without_top(files), max_bytes)


def _read_zip(content: bytes, max_bytes: int) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        _check_count(len(archive.infolist()))
        for member in archive.infolist():
            mode = member.external_attr >> 16
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise HansuError(_not_plain(member.filename))
            if member.flag_bits & 1:
                raise HansuError(f"{_shown(member.filename)} needs a password")
            if not member.is_dir():
                with archive.open(member) as file:
                    yield member.filename, file.read(max_bytes + 1)


def _read_tar(content: bytes, max_bytes: int) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as archive:
        for count, member in enumerate(archive):
            _check_count(count)
            if member.isdir():
                continue
            if not member.isreg() or member.issparse():
                raise HansuError(_not_plain(member.name))
            if member.size > max_bytes:
                raise HansuError(_too_big(max_bytes))
            file = archive.extractfile(member)
            assert file is not None
            yield member.name, file.read(max_bytes + 1)


ARCHIVES = {".zip": _read_zip, ".tar.gz": _read_tar, ".tgz": _read_tar}


def _bounded(members: Iterator[tuple[str, bytes]], max_bytes: int) -> Iterator[tuple[str, bytes]]:
    """Pass members on until they are too many or too big together, or two have one name."""
    total, seen = 0, set[str]()
    for path, content in members:
        total += len(content)
        if total > max_bytes:
            raise HansuError(_too_big(max_bytes))
        if path.casefold() in seen:
            raise HansuError(f"{_shown(path)} is there twice")
        seen.add(path.casefold())
        yield path, content


def _read_file(path: Path, max_bytes: int) -> bytes:
    """Read a plain file; a link, a pipe or a device is refused, and does not block us."""
    descriptor = os.open(path, os.O_RDONLY | _CAREFULLY)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise HansuError(_not_plain(path.name))
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise HansuError(_too_big(max_bytes))
    return content


def _read_folder(top: Path, max_bytes: int) -> Iterator[tuple[str, bytes]]:
    waiting, total, count = [top], 0, 0
    while waiting:
        folder = waiting.pop()
        if len(folder.relative_to(top).parts) > DEEPEST:
            raise HansuError(f"folders are more than {DEEPEST} deep")
        for found in sorted(os.scandir(folder), key=lambda each: each.name):
            if _is_hidden(found.name):
                continue
            count += 1
            _check_count(count)
            path = Path(found.path)
            if found.is_dir(follow_symlinks=False):
                waiting.append(path)
                continue
            if found.is_symlink():
                raise HansuError(_not_plain(found.name))
            content = _read_file(path, max_bytes)
            total += len(content)
            if total > max_bytes:
                raise HansuError(_too_big(max_bytes))
            yield path.relative_to(top).as_posix(), content


def _without_top(files: dict[str, bytes]) -> dict[str, bytes]:
    """Leave out what systems add, and a folder that is around everything."""
    plain = {path.removeprefix("./"): content for path, content in files.items()}
    own = {path: data for path, data in plain.items() if not any(map(_is_hidden, path.split("/")))}
    tops = {path.partition("/")[0] for path in own}
    if {ENTRY, MANIFEST} & own.keys() or len(tops) != 1 or not all("/" in path for path in own):
        return own
    return {path.partition("/")[2]: content for path, content in own.items()}


def _is_hidden(part: str) -> bool:
    return part in SKIPPED or (part.startswith(".") and part not in (".", ".."))


def _checked(files: dict[str, bytes], max_bytes: int) -> Bundle:
    if not {ENTRY, MANIFEST} & files.keys():
        raise HansuError(
            f"there is no {ENTRY} in it: call the file with your agent so; a program in another "
            f"language has an {MANIFEST} that says how to start it"
        )
    for path in files:
        _check_path(path)
    if MANIFEST in files:
        parse_manifest(files[MANIFEST], files)
    for path, content in files.items():
        if path.endswith(".py") and b"\0" in content:
            raise HansuError(f"{path} is no Python file: it holds a zero byte")
    return Bundle(files)


def _check_path(path: str) -> None:
    parts = path.split("/")
    plain = all(_PART.fullmatch(part) and not part.endswith((" ", ".")) for part in parts)
    if not plain or len(path) > LONGEST or len(parts) > DEEPEST:
        raise HansuError(
            f"{_shown(path)} is no name for a file here: letters, digits, blanks, dots, dashes "
            "and underscores are expected"
        )


def _check_count(count: int) -> None:
    if count > MOST_FILES:
        raise HansuError(f"there are more than {MOST_FILES} files in it")


def _not_plain(name: str) -> str:
    return f"{_shown(name)} is neither a plain file nor a folder: links are not followed"


def _too_big(max_bytes: int) -> str:
    return f"it is bigger than the {max_bytes // 1024:,} KiB that a submission may have"


def _shown(name: object) -> str:
    return one_line(str(name))[:LONGEST]
