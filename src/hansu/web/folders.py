"""Folders that the organiser shows on the page: tournaments and training runs, as they grow."""

import csv
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hansu
from hansu.arena.tournament.live import live_games
from hansu.arena.tournament.report import terms
from hansu.arena.tournament.tournament import count, open_ledger
from hansu.errors import HansuError, RecordError, UnknownName, why
from hansu.file_lock import is_held
from hansu.games.game import GAMES as KNOWN_GAMES
from hansu.games.game import Game, game
from hansu.learning.log import LOG, read_rows
from hansu.learning.run_folder import LOCK, RUN
from hansu.learning.settings import CONTROL, Control, write_control
from hansu.learning.shown_games import GAMES
from hansu.records.facts import listed_facts
from hansu.records.jsonl import read_jsonl
from hansu.records.record import GameRecord
from hansu.web.messages import NewControl

TOURNAMENT_FILE, LOG_FILE = "tournament.sqlite", LOG
MODEL = "model.onnx"  # of a run, to play with
MOST_ROWS = 5000  # of a training log: the newest
PLACE = ("round", "epoch", "seconds")  # of a row in a run
CURVES = (
    *("loss", "policy_loss", "value_loss", "validation_policy_loss", "validation_value_loss"),
    *("entropy", "elo", "accuracy", "gate_score", "gate_error", "promoted"),
    *("simulations_per_second", "games", "learning_rate", "simulations"),
    *("training_loss", "validation_loss"),
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
    live, facts = live_games(folder), result.facts()
    del facts["seed"]  # told with the conditions once all games have been played
    return {
        **facts,
        "name": game(result.plan.game).name,
        "terms": terms(result.plan, is_over=len(result.records) == result.plan.scheduled),
        "version": hansu.__version__,
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
    """Return the curves of a training run, how it stands, and what may be adjusted."""
    games, which = _games(folder), _game(folder)
    return {
        "rows": list(_rows(folder / LOG_FILE))[-MOST_ROWS:],
        "control": _control(folder),
        "name": which.name if which else game(games[0].game).name if games else None,
        "game": str(which) if which else None,
        "running": is_held(folder / LOCK),
        "updated": (folder / LOG_FILE).stat().st_mtime,
        "model": (folder / MODEL).is_file(),
        "games": [listed_facts(number, record) for number, record in enumerate(games)],
    }


def run_model(shown: Path | None, name: str) -> str:
    """Return the model of a run as an agent; raises HansuError."""
    file = (folder_of(shown, LOG_FILE, name) / MODEL).absolute()
    if not file.is_file():
        raise HansuError(f"the run {name} has no model to play with yet")
    if "," in str(file):
        raise HansuError("a model cannot be played with from a folder with a comma in its name")
    return f"self_learning:model={file}"


def _game(folder: Path) -> Game | None:
    """Return the game that a run is about, where its folder tells."""
    try:
        told = json.loads((folder / RUN).read_text(encoding="utf-8"))["game"]
        return game(told) if str(told).partition(":")[0] in KNOWN_GAMES else None
    except (OSError, ValueError, TypeError, KeyError, HansuError):
        return None


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
            yield {name: _number(row.get(name, "")) for name in (*PLACE, *CURVES)}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise HansuError(f"cannot read {log.name}: {why(error)}") from None


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
