"""Games in progress, in files beside the results, for spectators."""

import contextlib
import shutil
import time
from pathlib import Path

from hansu.agents.agent import Answer
from hansu.arena.player import turn_of
from hansu.arena.referee import Watcher
from hansu.atomic_write import atomic_write
from hansu.errors import RecordError
from hansu.games.state import State
from hansu.records.record import GameRecord, written

FOLDER = "playing"
SELDOM = 0.1  # seconds between two writes of one game, so that fast games are not slowed down


def shown_live(folder: Path, number: int, game: GameRecord) -> Watcher:
    """Return a watcher that keeps a game in progress in a file."""
    file, next_at = folder / FOLDER / f"{number}.json", 0.0

    def watch(before: State, answer: Answer, used: float) -> None:
        nonlocal next_at
        text = written(before, answer.move)
        game.turns.append(turn_of(text, used, answer.info))
        if time.monotonic() < next_at:
            return
        next_at = time.monotonic() + SELDOM
        with contextlib.suppress(OSError):  # the game matters, not the spectators
            file.parent.mkdir(exist_ok=True)
            atomic_write(file, game.as_json())

    return watch


def live_games(folder: Path) -> dict[int, GameRecord]:
    """Return the games in progress of a tournament's folder, as far as they have got."""
    found = {}
    for file in sorted((folder / FOLDER).glob("*.json")):
        with contextlib.suppress(OSError, RecordError, ValueError):  # it has just ended
            found[int(file.stem)] = GameRecord.from_json(file.read_text(encoding="utf-8"))
    return found


def forget_live(folder: Path | None, number: int | None = None) -> None:
    """Remove the file of a finished game; without a number, all of them."""
    if folder is None:
        return
    with contextlib.suppress(OSError):
        if number is None:
            shutil.rmtree(folder / FOLDER)
        else:
            (folder / FOLDER / f"{number}.json").unlink()
