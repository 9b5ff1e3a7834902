"""The sources of records: a file or a text, of a bounded size, in any common encoding."""

import codecs
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from hansu.errors import RecordError

Source = str | bytes | Path  # a text, the bytes of a file, or a file

T = TypeVar("T")


class Part(NamedTuple, Generic[T]):
    """One game as a file has it, and the line on which it begins."""

    content: T
    line: int | None = None


MAX_FILE = 256 * 2**20  # bytes
MAX_GAME = 2**20  # letters of one game
MAX_START = 20_000  # letters of the position that a game starts from
MAX_TURNS = 10_000  # of one game


def bytes_of(source: Source) -> bytes:
    """Return the content of a file; raises RecordError when it cannot be read or is too long."""
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
    """Return the text of a file, without BOM and with plain line ends.

    The encoding is Unicode by its BOM or as valid UTF-8, else the one that SGF names in ``CA``,
    else Shift_JIS or Korean where that is very likely, else Latin-1.

    >>> text_of("Café".encode("latin-1")) == text_of("Café".encode("utf-8-sig")) == "Café"
    True
    >>> text_of("(;CA[GBK]PB[古力])".encode("gbk")), text_of("이세돌".encode("cp949"))
    ('(;CA[GBK]PB[古力])', '이세돌')
    """
    text = source if isinstance(source, str) else _decoded(bytes_of(source))
    if len(text) > MAX_FILE:
        raise RecordError(f"the text is longer than {MAX_FILE // 2**20} MiB: split it")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removeprefix("\ufeff").replace("\n\ufeff", "\n")  # of files that were put together


def lines_of(source: Source) -> Iterator[Part[str]]:
    """Yield the lines of a file that are not blank, stripped."""
    for number, line in enumerate(io.StringIO(text_of(source)), 1):
        if line.strip():
            yield Part(line.strip(), number)


BOMS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",  # begins as UTF-16 does: checked first
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


# Only these: some of Python's encodings are slow, or no text.
_CHARSET = (
    rb"(?i)CA\[\s*((?:big5|cp|euc|gb|iso|koi|ks|latin|shift|sjis|windows)[a-z0-9_.:-]{0,20})\s*\]"
)


def _decoded(content: bytes) -> str:
    for bom, encoding in BOMS.items():
        if content.startswith(bom):
            return content.decode(encoding, errors="replace")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        is_cut = error.reason == "unexpected end of data" and not content[: error.start].isascii()
        if is_cut:  # within a letter, and there were others before
            return content.decode(errors="replace")
    for encoding, is_likely in _guesses(content):
        try:
            text = content.decode(encoding)
        except (LookupError, UnicodeError):
            continue
        if re.search(is_likely, text):
            return text
    return content.decode("latin-1")


def _guesses(content: bytes) -> list[tuple[str, str]]:
    """Return encodings to try, each with a pattern that the decoded text must have."""
    named = re.search(_CHARSET, content[:10_000])
    asked = [(named[1].decode(), "")] if named else []
    korean = [("cp949", "[가-힣]{2}"), ("euc_kr", r"\A[\x00-\x7f가-힣]+\Z")]  # or single ones alone
    return [*asked, ("shift_jis", "[\u3041-\u30fe]"), *korean]
