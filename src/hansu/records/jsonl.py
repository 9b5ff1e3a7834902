"""JSON lines: one game a line, any game, without loss."""

from collections.abc import Iterable

from hansu.records.problems import EVERYTHING, Most, Problems, Report, read_each
from hansu.records.reading import Source, lines_of
from hansu.records.record import GameRecord
from hansu.records.replay import completed


def read_jsonl(
    source: Source, problems: Problems = None, most: Most = EVERYTHING
) -> list[GameRecord]:
    """Return the games of a file, a JSON object on each line; every move is checked."""
    return read_each(lines_of(source), _read, problems, most=most)


def write_jsonl(records: Iterable[GameRecord]) -> str:
    """Return one line of JSON for each game."""
    return "".join(f"{record.as_json()}\n" for record in records)


def _read(line: str, report: Report) -> GameRecord:
    record = GameRecord.from_json(line)
    return completed(record, record.outcome, report)
