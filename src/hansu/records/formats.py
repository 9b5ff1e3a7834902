"""The table of formats, and detection of a file's format."""

import importlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hansu.errors import RecordError, UnknownName
from hansu.records.problems import EVERYTHING, Most, Problem, Problems, tell
from hansu.records.reading import BOMS, Source, bytes_of, text_of
from hansu.records.record import GameRecord
from hansu.records.writing import write_whole


@dataclass(frozen=True)
class Format:
    """A file format; its module has ``read_NAME`` and ``write_NAME``."""

    name: str
    suffix: str
    holds_variations: bool = False  # and comments; the others hold the moves of the game

    @property
    def read(self) -> Callable[..., list[GameRecord]]:
        """The function that reads a text, bytes or a Path."""
        function: Callable[..., Any] = self._function("read")
        return function

    @property
    def write(self) -> Callable[[Iterable[GameRecord]], str | bytes]:
        """The function that writes records as text, or as bytes in WTHOR."""
        function: Callable[..., Any] = self._function("write")
        return function

    def _function(self, verb: str) -> Any:
        module = importlib.import_module(f"hansu.records.{self.name}")
        return getattr(module, f"{verb}_{self.name}")


FORMATS = {
    each.name: each
    for each in (
        Format("jsonl", ".jsonl", holds_variations=True),
        Format("csv", ".csv"),
        Format("headers", ".pgn"),
        Format("pgn", ".pgn", holds_variations=True),
        Format("sgf", ".sgf", holds_variations=True),
        Format("ggf", ".ggf"),
        Format("wthor", ".wtb"),
        Format("transcript", ".txt"),
    )
}
"""Name -> format. A format's module is loaded when it is first used."""


def format_by_name(name: str) -> Format:
    """Return a format by name; raises UnknownName, which lists them."""
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS)
    return FORMATS[name]


def format_by_suffix(file: Path) -> Format:
    """Return the format to write a file in, by the end of its name.

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
    """Return the format that a file is in.

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
    if {"game", "moves"} <= set(re.split(r"[,;|\s\"]+", first.lower())):
        return "csv"
    if re.search(r"\(\s*;", head):
        return "ggf" if re.search(r"GM\s*\[\s*othello", head, re.IGNORECASE) else "sgf"
    if re.match(r"[\[%]", head):
        return "headers" if re.search(r'^\[Game\s+"', head, re.MULTILINE) else "pgn"
    if first.startswith("1."):
        return "transcript" if _is_othello(first) else "pgn"
    return "transcript"


def _is_othello(line: str) -> bool:
    """Return whether numbered moves are othello's: squares, some off the microchess board."""
    from hansu.records.transcript import read_line

    found = read_line(line)
    beyond = re.search(r"[e-h][1-8]|[a-d][6-8]", line, re.IGNORECASE)
    return found.game == "othello" and not found.rest and beyond is not None


def read_games(place: Path | list[Path], problems: Problems = None) -> list[GameRecord]:
    """Return the games of a file, or of all files of a folder with a format's ending.

    Foreign files are read as far as they make sense. Problems go to the list ``problems``, or
    become warnings; without any game RecordError is raised. ``place`` may be a list.
    """
    found: list[RecordError] = []
    places = place if isinstance(place, list) else [place]
    files = [file for each in places for file in game_files(each)]
    games = [record for file in files for record in _read_file(file, found)]
    if not games:
        names = ", ".join(map(str, places))
        raise found[0] if found else RecordError(f"there are no games in {names}")
    tell(found, problems)
    return games


def game_files(place: Path) -> list[Path]:
    """Return the file itself, or the files in a folder whose names end as a format's do."""
    if not place.is_dir():
        return [place]
    suffixes = {each.suffix for each in FORMATS.values()}
    return sorted(f for f in place.rglob("*") if f.suffix.lower() in suffixes and f.is_file())


def _read_file(file: Path, problems: list[RecordError]) -> list[GameRecord]:
    """Return the games of one file; problems name the file."""
    own: list[RecordError] = []
    games: list[GameRecord] = []
    try:
        games = read_content(file, bytes_of(file), file.suffix, own)
    except RecordError as error:
        own.append(error)
    for problem in own:
        placed = problem if isinstance(problem, Problem) else Problem(str(problem))
        problems.append(placed.in_file(str(file)))
    return games


def read_content(
    source: Source, content: bytes, suffix: str, problems: Problems, most: Most = EVERYTHING
) -> list[GameRecord]:
    """Return the games of a file with this content; ``source`` goes to its reader."""
    if content.strip() in (b"", *BOMS):
        raise RecordError("the file is empty")
    return detect(content, suffix).read(source, problems, most)
