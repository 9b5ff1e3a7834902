"""Where records are read from: a file or a text, of a bounded size, whatever its encoding."""

import codecs
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from hansu.errors import HansuError, RecordError

Source = str | bytes | Path  # a text, the bytes of a file, or a file

MAX_FILE = 256 * 2**20  # bytes
MAX_GAME = 2**20  # letters of one game
MAX_LINE = 2**16  # letters of one line: some parsers need time quadratic in it
MAX_START = 20_000  # letters of the position that a game starts from
MAX_TURNS = 10_000  # of one game

BadGames = list[RecordError] | None
"""Where to put the errors of single games, which are then left out; None: the first one is raised.
"""

T = TypeVar("T")
R = TypeVar("R")


def bytes_of(source: Source) -> bytes:
    """The content of a file; raises RecordError when it cannot be read or is too long."""
    if isinstance(source, Path):
        try:
            with source.open("rb") as file:
                content = file.read(MAX_FILE + 1)
        except OSError as error:
            raise RecordError(f"cannot read {source}: {error.strerror}") from None
    else:
        content = source.encode(errors="surrogatepass") if isinstance(source, str) else source
    if len(content) > MAX_FILE:
        raise RecordError(f"the file is longer than {MAX_FILE // 2**20} MiB: split it")
    return content


def text_of(source: Source) -> str:
    """The text of a file in UTF-8, with or without BOM, UTF-16 with one, or else in Latin-1.

    >>> text_of("Café".encode("latin-1")) == text_of("Café".encode("utf-8-sig")) == "Café"
    True
    """
    if isinstance(source, str):
        text = source.removeprefix("\ufeff")
        if len(text) > MAX_FILE:
            raise RecordError(f"the text is longer than {MAX_FILE // 2**20} MiB: split it")
    else:
        content = bytes_of(source)
        wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        try:
            text = content.decode("utf-16" if wide else "utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_each(parts: Iterable[T], read: Callable[[T], R], bad: BadGames = None) -> list[R]:
    """Read every game of a file; an error says which game it is."""
    games = []
    for number, part in enumerate(parts, 1):
        try:
            if isinstance(part, str | bytes) and len(part) > MAX_GAME:
                raise RecordError(f"one game is longer than {MAX_GAME // 2**20} MiB")
            games.append(read(part))
        except HansuError as error:
            link = "," if str(error).startswith("move ") else ":"
            numbered = RecordError(f"game {number}{link} {error}")
            if bad is None:
                raise numbered from None
            bad.append(numbered)
    return games
