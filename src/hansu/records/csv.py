"""CSV: one row a game, for spreadsheets and data frames; all moves are in one cell."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import Any

from hansu.errors import RecordError
from hansu.games.state import Outcome
from hansu.records.problems import EVERYTHING, Findings, Most, Problems, Report, read_each
from hansu.records.reading import Part, Source, text_of
from hansu.records.record import GameRecord, TimeControl, Turn, isolation_text, read_isolation
from hansu.records.replay import completed

COLORS = {"white": True, "black": False, "": None}
DELIMITERS = ",;\t|"
COLUMNS = [
    "game",
    "first",
    "second",
    "first_color",
    "winner",
    "reason",
    "margin",
    "turns",
    "seed",
    "seconds",
    "move_seconds",
    "increment",
    "evidence",
    "isolation",
    "start",
    "moves",
    "used",
    "values",
    "depths",
    "nodes",
    "final",
]


def read_csv(
    source: Source, problems: Problems = None, most: Most = EVERYTHING
) -> list[GameRecord]:
    """Return the games of a file; its first row names the columns, in any order, not all needed.

    Cells are separated by commas, semicolons, tabs or bars, as the first row has it.
    """
    text = text_of(source).lstrip()
    if not text:
        raise RecordError("the file is empty: a row of column names is expected")
    first = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    names = [cell.strip().strip('"').lower() for cell in first.split(delimiter)]
    if "game" not in names or "moves" not in names:
        raise RecordError(f"the first row must name the columns: {','.join(COLUMNS)}")
    findings = Findings()
    rows = _rows(text, delimiter, findings)
    return read_each(
        rows, lambda row, report: _read(names, row, report), problems, findings, most=most
    )


def _rows(text: str, delimiter: str, findings: Findings) -> Iterator[Part[list[str]]]:
    """Yield the rows after the first, each with its line; what is not CSV is left out."""
    rows = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    begin = 1
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            findings.add(f"the row is not CSV: {error}", begin)
            row = []
        if row and begin > 1:
            yield Part(row, begin)
        begin = rows.line_num + 1


def write_csv(records: Iterable[GameRecord]) -> str:
    """Return a row of column names, then a row for each game."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(COLUMNS)
    rows.writerows([_cells(record)[name] for name in COLUMNS] for record in records)
    return out.getvalue()


def _cells(record: GameRecord) -> dict[str, Any]:
    names = {color: name for name, color in COLORS.items()}
    outcome, control, turns = record.outcome, record.control, record.turns
    return {
        "game": record.game,
        "first": record.first,
        "second": record.second,
        "first_color": names[record.first_color],
        "winner": names[outcome.winner],
        "reason": outcome.reason,
        "margin": _text(outcome.margin),
        "turns": len(turns),
        "seed": record.seed,
        "seconds": _text(control.seconds),
        "move_seconds": _text(control.move_seconds),
        "increment": _text(control.increment),
        "evidence": record.evidence,
        "isolation": isolation_text(record.isolation),
        "start": record.start,
        "moves": " ".join(record.moves),
        "used": " ".join(f"{turn.seconds:.6f}" for turn in turns),
        "values": " ".join(_text(turn.value) or "-" for turn in turns),
        "depths": " ".join(_text(turn.depth) or "-" for turn in turns),
        "nodes": " ".join(_text(turn.nodes) or "-" for turn in turns),
        "final": record.final,
    }


def _text(number: float | None) -> str:
    return "" if number is None else f"{number:.16g}"


def _read(names: list[str], row: list[str], report: Report) -> GameRecord:
    if len(row) != len(names):
        raise RecordError(f"the row has {len(row)} cells and the first row {len(names)}")
    cells = dict.fromkeys(COLUMNS, "") | dict(zip(names, row, strict=True))
    moves = cells["moves"].split()
    used = cells["used"].split() or ["0"] * len(moves)
    columns = [cells[name].split() or ["-"] * len(moves) for name in ("values", "depths", "nodes")]
    if any(len(column) != len(moves) for column in (used, *columns)):
        raise RecordError(f"there are {len(moves)} moves, but not as many times, values or depths")
    record = GameRecord(
        game=cells["game"],
        first=cells["first"],
        second=cells["second"],
        start=cells["start"],
        first_color=True,  # the game decides
        seed=_seed(cells["seed"] or "0"),
        turns=[
            Turn(move, _number(seconds), _number_or_none(value), _count(depth), _count(nodes))
            for move, seconds, value, depth, nodes in zip(moves, used, *columns, strict=True)
        ],
        evidence=cells["evidence"],
        isolation=read_isolation(cells["isolation"]),
        control=TimeControl(
            _number_or_none(cells["seconds"]),
            _number_or_none(cells["move_seconds"]),
            _number(cells["increment"] or "0"),
        ),
    )
    winner, margin = _color(cells["winner"]), _number_or_none(cells["margin"])
    is_stated = cells["reason"] or winner is not None
    stated = Outcome(winner, cells["reason"], margin) if is_stated else None
    return completed(record, stated, report)


def _color(text: str) -> bool | None:
    if text not in COLORS:
        raise RecordError(f"a colour is white or black, not {text[:20]!r}")
    return COLORS[text]


def _seed(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,40}", text):
        raise RecordError(f"a seed is a whole number, not {text[:20]!r}")
    return int(text)


def _count(text: str) -> int | None:
    number = _number_or_none(text)
    return None if number is None else int(number)


def _number_or_none(text: str) -> float | None:
    return None if text in ("", "-") else _number(text)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise RecordError(f"a number is expected, not {text[:20]!r}") from None
    if not abs(number) < 2**63:
        raise RecordError(f"{text[:20]} is too large")
    return number
