"""JSON lines: one game a line, all games in one format, and nothing is lost."""

import json
from collections.abc import Iterable
from typing import Any

from hansu.errors import RecordError
from hansu.records.record import GameRecord
from hansu.records.replay import completed
from hansu.records.source import BadGames, Source, read_each, text_of


def read_jsonl(source: Source, bad: BadGames = None) -> list[GameRecord]:
    """The games of a file, a JSON object on each line; every move is checked."""
    lines = [line for line in text_of(source).split("\n") if line.strip()]
    return read_each(lines, _read, bad)


def write_jsonl(records: Iterable[GameRecord]) -> str:
    """One line of JSON for each game."""
    return "".join(f"{json.dumps(record.as_json())}\n" for record in records)


def _read(line: str) -> GameRecord:
    try:
        data: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"the line is not JSON: {str(error)[:80]}") from None
    record = GameRecord.from_json(data)
    return completed(record, record.outcome)
