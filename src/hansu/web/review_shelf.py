"""Finished reviews, kept in a folder: each belongs to a game and needs no second search."""

import contextlib
import hashlib
import json
import threading
from pathlib import Path
from typing import Any

from hansu.atomic_write import atomic_write
from hansu.records.record import GameRecord

REVIEWS = "reviews"  # its folder
SUFFIX = ".json"
MOST_REVIEWS = 1000
MOST_OF_ONE = 2**20  # bytes
FORMAT = 1  # of the files; others are not read


def review_key(record: GameRecord) -> str:
    """Return what tells a game from others, whatever its players are called and what is said of it.

    >>> record = GameRecord("tictactoe", "a", "b", ".........", True, 1)
    >>> review_key(record) == review_key(GameRecord("tictactoe", "c", "d", ".........", True, 2))
    True
    """
    ending = record.outcome.winner, record.outcome.reason, record.evidence
    told = json.dumps([record.game, record.start, record.moves, *ending])
    return hashlib.sha256(told.encode()).hexdigest()[:32]


class ReviewShelf:
    """The newest finished review of each game; without a folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = None if folder is None else folder / REVIEWS
        self._lock = threading.Lock()

    def keep(self, key: str, wanted: dict[str, Any], facts: dict[str, Any]) -> None:
        """Write a review with what was asked for; a full disk loses only the review."""
        if self._folder is None:
            return
        text = json.dumps({"format": FORMAT, "wanted": wanted, "facts": facts}, ensure_ascii=False)
        if len(text.encode()) > MOST_OF_ONE:
            return
        with self._lock, contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            atomic_write(self._folder / f"{key}{SUFFIX}", text)
            files = sorted(self._folder.glob(f"*{SUFFIX}"), key=lambda file: file.stat().st_mtime)
            for file in files[:-MOST_REVIEWS]:
                file.unlink(missing_ok=True)

    def has(self, key: str) -> bool:
        """Return whether there is a review of a game."""
        return self._folder is not None and (self._folder / f"{key}{SUFFIX}").is_file()

    def find(self, key: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Return what was asked for and what was found; None without a readable review."""
        if self._folder is None:
            return None
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
            file = self._folder / f"{key}{SUFFIX}"
            if file.stat().st_size > MOST_OF_ONE:
                return None
            told = json.loads(file.read_text(encoding="utf-8"))
            if told["format"] == FORMAT:
                return dict(told["wanted"]), dict(told["facts"])
        return None

    def remove(self, key: str) -> None:
        """Delete the review of a game, if there is one."""
        if self._folder is not None:
            with self._lock, contextlib.suppress(OSError):
                (self._folder / f"{key}{SUFFIX}").unlink(missing_ok=True)
