"""Games in progress on other machines, for spectators here."""

from pathlib import Path
from typing import Any

from hansu.arena.cluster.assignment import LONGEST, Assignment
from hansu.arena.tournament.live import show_live
from hansu.errors import HansuError
from hansu.ray_connection import load_ray
from hansu.records.record import GameRecord


class LiveBoard:
    """An actor of Ray: workers hang up how far a game has got, and the executor collects it."""

    def __init__(self) -> None:
        self._news: dict[str, str] = {}

    def show(self, key: str, game: str) -> None:
        """Take the newest state of a game, by the key of its assignment."""
        self._news[key] = game

    def collect(self) -> dict[str, str]:
        """Return what is new since the last time."""
        news, self._news = self._news, {}
        return news


class Spectators:
    """The executor's end of the board; nobody waits for it, and the games do not need it."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._ray = folder, load_ray()
        self.board = self._ray.remote(num_cpus=0, max_restarts=-1)(LiveBoard).remote()
        self._asked: Any = None

    def update(self, playing: dict[str, Assignment]) -> None:
        """Write into the folder what has come in about games in progress, by their keys."""
        if self._asked is not None:
            if not self._ray.wait([self._asked], timeout=0)[0]:
                return
            try:
                news = self._ray.get(self._asked)
            except self._ray.exceptions.RayError:  # its machine is gone; it starts on another
                news = {}
            for key, text in news.items():
                if key in playing:
                    _write(self._folder, playing[key], text)
        self._asked = self.board.collect.remote()

    def close(self) -> None:
        """End the actor."""
        self._ray.kill(self.board)


def _write(folder: Path, asked: Assignment, text: Any) -> None:
    """Show a game if it is the one that was assigned; a strange one is no reason to stop."""
    if not isinstance(text, str) or len(text) > LONGEST:
        return
    try:
        game = GameRecord.from_json(text)
    except HansuError:
        return
    if (game.first, game.second) == (asked.first.name, asked.second.name):
        show_live(folder, asked.game.number, game)
