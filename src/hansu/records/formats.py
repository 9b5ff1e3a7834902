"""The table of formats, and how a file is told from its name and content."""

import importlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hansu.errors import RecordError, UnknownName
from hansu.records.record import GameRecord
from hansu.records.source import BadGames, bytes_of, text_of
from hansu.records.writing import write_whole


@dataclass(frozen=True)
class Format:
    """One way to write games; its module has ``read_NAME`` and ``write_NAME``."""

    name: str
    suffix: str
    holds: str

    @property
    def read(self) -> Callable[..., list[GameRecord]]:
        """From a text, bytes or a Path to records."""
        function: Callable[..., Any] = self._function("read")
        return function

    @property
    def write(self) -> Callable[[Iterable[GameRecord]], str | bytes]:
        """From records to text, or to bytes where the format is not text."""
        function: Callable[..., Any] = self._function("write")
        return function

    def _function(self, verb: str) -> Any:
        module = importlib.import_module(f"hansu.records.{self.name}")
        return getattr(module, f"{verb}_{self.name}")


FORMATS = {
    each.name: each
    for each in (
        Format("jsonl", ".jsonl", "every game, everything that is known"),
        Format("csv", ".csv", "every game, a row each"),
        Format("headers", ".pgn", "every game's players and result, for rating programs"),
        Format("pgn", ".pgn", "microchess"),
        Format("sgf", ".sgf", "go"),
        Format("ggf", ".ggf", "othello"),
        Format("wthor", ".wtb", "othello, the moves and the discs"),
        Format("transcript", ".txt", "connect4, othello, tictactoe: the moves"),
    )
}
"""Name -> format. A format's module is loaded when it is first used."""


def format_by_name(name: str) -> Format:
    """A format of the table; otherwise an error that lists them."""
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS)
    return FORMATS[name]


def format_by_suffix(file: Path) -> Format:
    """The format to write a file in, told from the end of its name.

    >>> format_by_suffix(Path("games.sgf")).name
    'sgf'
    """
    by_suffix = {each.suffix: each for each in FORMATS.values()}
    if file.suffix.lower() not in by_suffix:
        raise UnknownName("file ending", file.suffix, by_suffix)
    return by_suffix[file.suffix.lower()]


def save_games(records: list[GameRecord], file: Path, chosen: Format) -> None:
    """Write games to a file."""
    content = chosen.write(records)
    files = {file: content.encode(errors="replace") if isinstance(content, str) else content}
    if chosen.name == "wthor":
        from hansu.records.wthor import write_players

        files[file.with_suffix(".jou")] = write_players(records)
    for place, raw in files.items():
        write_whole(place, raw)


def detect(content: bytes, suffix: str = "") -> Format:
    """The format that a file is in.

    >>> detect(b"4453").name, detect(b"(;GM[1]SZ[9])").name, detect(b'{"format": 1}').name
    ('transcript', 'sgf', 'jsonl')
    """
    if suffix.lower() == ".wtb":
        return FORMATS["wthor"]
    head = text_of(content[:10_000]).lstrip()
    return FORMATS[_name_of(head)]


def _name_of(head: str) -> str:
    if head.startswith("{"):
        return "jsonl"
    first = head.partition("\n")[0]
    if {"game", "moves"} <= set(re.split(r"[,\s]", first)):
        return "csv"
    if re.search(r"\(\s*;", head):
        return "ggf" if re.search(r"GM\s*\[\s*othello", head, re.IGNORECASE) else "sgf"
    if re.match(r"[\[%]|1\.", head):
        return "headers" if re.search(r'^\[Game\s+"', head, re.MULTILINE) else "pgn"
    return "transcript"


def read_games(place: Path, bad: BadGames = None) -> list[GameRecord]:
    """The games of a file, or of all files in a folder whose names end as a format's do.

    With a list as ``bad`` the games that cannot be read are left out, and their errors put there.
    """
    games = [record for file in game_files(place) for record in _read_file(file, bad)]
    if not games and not bad:
        raise RecordError(f"there are no games in {place}")
    return games


def game_files(place: Path) -> list[Path]:
    """The file itself, or the files in a folder whose names end as a format's do."""
    if not place.is_dir():
        return [place]
    suffixes = {each.suffix for each in FORMATS.values()}
    return sorted(f for f in place.rglob("*") if f.suffix.lower() in suffixes and f.is_file())


def _read_file(file: Path, bad: BadGames) -> list[GameRecord]:
    """The games of one file; an error names the file."""
    chosen = detect(bytes_of(file), file.suffix)
    own: BadGames = None if bad is None else []
    try:
        games = chosen.read(file, own)
    except RecordError as error:
        if bad is None:
            raise RecordError(f"{file}: {error}") from None
        own, games = [error], []
    if bad is not None and own:
        bad += [RecordError(f"{file}: {error}") for error in own]
    if not games and not own:
        raise RecordError(f"{file}: there are no games in it")
    return games
