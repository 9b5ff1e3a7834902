"""Games that are being played, in files beside the results: for whoever looks on."""

import contextlib
import os
import shutil
import time
from pathlib import Path
from typing import Any

from hansu.arena.referee import Watcher
from hansu.errors import RecordError
from hansu.games.state import RESIGN, State
from hansu.records.record import GameRecord, Turn

FOLDER = "playing"
SELDOM = 0.1  # seconds between two looks at one game, at least: fast games are not slowed down


def shown_live(folder: Path, number: int, game: GameRecord) -> Watcher:
    """For the referee: keeps a game that has just begun in a file, as far as it has got."""
    file, next_at = folder / FOLDER / f"{number}.json", 0.0

    def watch(before: State, move: Any, used: float) -> None:
        nonlocal next_at
        game.turns.append(Turn("resign" if move is RESIGN else before.move_text(move), used))
        if time.monotonic() < next_at:
            return
        next_at = time.monotonic() + SELDOM
        with contextlib.suppress(OSError):  # the game matters, not who looks on
            file.parent.mkdir(exist_ok=True)
            fresh = file.with_suffix(".new")
            fresh.write_text(game.as_json(), encoding="utf-8")
            os.replace(fresh, file)

    return watch


def live_games(folder: Path) -> dict[int, GameRecord]:
    """The games that are being played in a tournament's folder, as far as they have got."""
    found = {}
    for file in sorted((folder / FOLDER).glob("*.json")):
        with contextlib.suppress(OSError, RecordError, ValueError):  # it has just ended
            found[int(file.stem)] = GameRecord.from_json(file.read_text(encoding="utf-8"))
    return found


def forget_live(folder: Path | None, number: int | None = None) -> None:
    """A game is over and kept elsewhere; without its number: all of them."""
    if folder is None:
        return
    with contextlib.suppress(OSError):
        if number is None:
            shutil.rmtree(folder / FOLDER)
        else:
            (folder / FOLDER / f"{number}.json").unlink()
