"""Folders that the organiser shows on the page: tournaments and training runs, as they grow."""

import csv
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hansu.arena.tournament.live import live_games
from hansu.arena.tournament.tournament import count, open_ledger
from hansu.errors import HansuError, RecordError, UnknownName
from hansu.games.game import game
from hansu.learning.log import LOG, read_rows
from hansu.learning.settings import CONTROL, Control, write_control
from hansu.learning.shown_games import GAMES
from hansu.records.facts import listed_facts
from hansu.records.jsonl import read_jsonl
from hansu.records.record import GameRecord
from hansu.web.messages import NewControl

TOURNAMENT_FILE, LOG_FILE = "tournament.sqlite", LOG
MOST_ROWS = 5000  # of a training log: the newest
CURVES = (
    *("loss", "policy_loss", "value_loss", "validation_policy_loss", "validation_value_loss"),
    *("entropy", "elo", "accuracy", "gate_score", "gate_error", "promoted"),
    *("simulations_per_second", "games", "learning_rate", "simulations"),
)


def folders(shown: Path | None, mark: str) -> list[str]:
    """Return the names of the folders that hold a file, newest first."""
    files = sorted(shown.glob(f"*/{mark}"), key=_age) if shown else []
    return [file.parent.name for file in files]


def _age(file: Path) -> tuple[float, str]:
    return -file.stat().st_mtime, file.parent.name


def folder_of(shown: Path | None, mark: str, name: str) -> Path:
    """Return one of these folders by its name; no other can be named."""
    known = folders(shown, mark)
    if shown is None or name not in known:
        raise UnknownName("folder", name[:40], known)
    return shown / name


def tournament_facts(folder: Path) -> dict[str, Any]:
    """Return the table so far, and the games to choose from."""
    ledger = open_ledger(folder, None)
    result = count(ledger, ledger.plan())
    live = live_games(folder)
    return {
        **result.facts(),
        "name": game(result.plan.game).name,
        "rounds": result.plan.rounds,
        "playing": [listed_facts(n, game) for n, game in live.items() if n not in result.records],
        "played": [listed_facts(number, record) for number, record in result.records.items()],
    }


def tournament_record(folder: Path, number: int) -> str:
    """Return a game as a line of JSON, also one in progress."""
    records = {**live_games(folder), **open_ledger(folder, None).records()}
    if number not in records:
        raise HansuError(f"there is no game {number + 1} in this tournament yet")
    return records[number].as_json()


def run_facts(folder: Path) -> dict[str, Any]:
    """Return the curves of a training run, and what may be adjusted."""
    games = _games(folder)
    return {
        "rows": list(_rows(folder / LOG_FILE))[-MOST_ROWS:],
        "control": _control(folder),
        "name": game(games[0].game).name if games else None,
        "games": [listed_facts(number, record) for number, record in enumerate(games)],
    }


def run_record(folder: Path, number: int) -> str:
    """Return a game that a training run shows as a line of JSON."""
    records = _games(folder)
    if not 0 <= number < len(records):
        raise HansuError(f"there is no game {number + 1} of this run")
    return records[number].as_json()


def _games(folder: Path) -> list[GameRecord]:
    """Return the games that can be read; the curves are shown whatever happened to the games."""
    file = folder / GAMES
    try:
        return read_jsonl(file, problems=[]) if file.exists() else []
    except RecordError:
        return []


def _rows(log: Path) -> Iterator[dict[str, float | None]]:
    try:
        for row in read_rows(log):
            yield {name: _number(row.get(name, "")) for name in ("round", *CURVES)}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise HansuError(f"cannot read {log.name}: {error}") from None


def _number(text: str) -> float | None:
    if text in ("True", "False"):
        return float(text == "True")
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _control(folder: Path) -> dict[str, Any] | None:
    try:
        found = json.loads((folder / CONTROL).read_text(encoding="utf-8"))
        return vars(Control(**found).checked())
    except (OSError, ValueError, TypeError):
        return None


def change_control(folder: Path, wanted: NewControl) -> None:
    """Ask the training run for something else; it reads this before its next round."""
    now = _control(folder)
    if now is None:
        raise HansuError(f"{CONTROL} of this run cannot be read: correct it, or take it away")
    write_control(folder, Control(**{**now, **wanted.model_dump(exclude_none=True)}).checked())
