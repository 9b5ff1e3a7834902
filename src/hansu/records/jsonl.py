"""JSON lines: one game a line, all games in one format, and nothing is lost."""

from collections.abc import Iterable

from hansu.records.record import GameRecord
from hansu.records.replay import completed
from hansu.records.source import BadGames, Source, read_each, text_of


def read_jsonl(source: Source, bad: BadGames = None) -> list[GameRecord]:
    """The games of a file, a JSON object on each line; every move is checked."""
    lines = [line for line in text_of(source).split("\n") if line.strip()]
    return read_each(lines, _read, bad)


def write_jsonl(records: Iterable[GameRecord]) -> str:
    """One line of JSON for each game."""
    return "".join(f"{record.as_json()}\n" for record in records)


def _read(line: str) -> GameRecord:
    record = GameRecord.from_json(line)
    return completed(record, record.outcome)
