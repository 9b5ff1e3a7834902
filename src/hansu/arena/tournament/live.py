"""Games in progress, in files beside the results, for spectators."""

import contextlib
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hansu.agents.agent import Answer
from hansu.arena.player import turn_of
from hansu.arena.referee import Watcher
from hansu.atomic_write import atomic_write
from hansu.errors import RecordError
from hansu.games.state import State
from hansu.records.record import GameRecord, TimeControl, written

FOLDER = "playing"
SELDOM = 0.1  # seconds between two writes of one game, so that fast games are not slowed down


def begun_record(
    start: State, first: str, second: str, seed: int, control: TimeControl
) -> GameRecord:
    """Return the record of a game that begins."""
    game = start.game
    begun = GameRecord(str(game), first, second, start.text(), game.first_color, seed)
    return replace(begun, control=control)


def watched(game: GameRecord, show: Callable[[GameRecord], None], begin: float = 0.0) -> Watcher:
    """Return a watcher that shows a game in progress, from so many seconds on."""
    next_at = time.monotonic() + begin

    def watch(before: State, answer: Answer, used: float) -> None:
        nonlocal next_at
        text = written(before, answer.move)
        game.turns.append(turn_of(text, used, answer.info))
        if time.monotonic() >= next_at:
            next_at = time.monotonic() + SELDOM
            show(game)

    return watch


def show_live(folder: Path, number: int, game: GameRecord) -> None:
    """Keep how far a game has got in a file."""
    file = folder / FOLDER / f"{number}.json"
    with contextlib.suppress(OSError):  # the game matters, not the spectators
        file.parent.mkdir(exist_ok=True)
        atomic_write(file, game.as_json())


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
