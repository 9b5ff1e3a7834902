"""The games of this server, kept in a folder: they survive its end, and lie there as files."""

import contextlib
import re
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

from hansu.atomic_write import atomic_write
from hansu.errors import HansuError
from hansu.games.game import BLACK, WHITE
from hansu.records.record import GameRecord
from hansu.web.refusals import Refusal
from hansu.web.review_shelf import review_key

GAMES = "games"  # its folder; a game is a file of one line, as every reader of records knows it
SUFFIX = ".jsonl"
MOST_GAMES = 1000
MOST_BYTES = 64 * 2**20  # of all games together
MOST_OF_ONE = 2**20  # bytes of one game
SHARE = 4  # one of so many games may be one visitor's
_ID = re.compile("[A-Za-z0-9_-]{1,32}")


class Library:
    """Recorded games by their ids, oldest first; without a folder nothing is kept.

    When it is full, the oldest game makes room; where it is shared, and one visitor fills it, that
    visitor's oldest.
    """

    def __init__(self, folder: Path | None, shared: bool = False) -> None:
        self._shared = shared  # by visitors from elsewhere
        self._folder = None if folder is None else folder / GAMES
        self._lock = threading.Lock()
        self._listed: OrderedDict[str, dict[str, Any]] | None = None
        self._owners: dict[str, str] = {}  # the visitors of games that were kept in this run

    @property
    def is_kept(self) -> bool:
        """Whether there is a folder."""
        return self._folder is not None

    def keep(self, game_id: str, record: GameRecord, address: str = "") -> None:
        """Write a game, or its newer state; raises HansuError."""
        if self._folder is None or not (record.turns or record.comments):
            return
        line = record.as_json() + "\n"
        if len(line.encode()) > MOST_OF_ONE:
            raise Refusal("too_large", most=MOST_OF_ONE // 1024)
        with self._lock:
            listed = self._known()
            file = self._file(game_id)
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                atomic_write(file, line)
            except OSError as error:
                raise HansuError(f"cannot write {file}: {error.strerror}") from None
            listed.pop(game_id, None)
            listed[game_id] = _facts(game_id, record, file)
            self._owners[game_id] = address
            self._make_room(listed, address)

    def games(self) -> list[dict[str, Any]]:
        """Return the facts of all games, newest first."""
        with self._lock:
            return list(reversed(self._known().values()))

    def line(self, game_id: str) -> str:
        """Return a game as a line of JSON; raises HansuError."""
        with self._lock, contextlib.suppress(OSError, UnicodeDecodeError):
            if game_id in self._known():
                return self._file(game_id).read_text(encoding="utf-8").strip()
        raise Refusal("no_such_game")

    def remove(self, game_id: str) -> str:
        """Delete a game; return the key of its review, unless another copy needs it.

        Raises HansuError.
        """
        with self._lock:
            if game_id not in self._known():
                raise Refusal("no_such_game")
            key = str(self._known()[game_id]["review"])
            self._delete(self._known(), game_id)
            return "" if any(each["review"] == key for each in self._known().values()) else key

    def _file(self, game_id: str) -> Path:
        assert self._folder is not None
        if not _ID.fullmatch(game_id):
            raise Refusal("no_such_game")
        return self._folder / f"{game_id}{SUFFIX}"

    def _known(self) -> OrderedDict[str, dict[str, Any]]:
        """Return what lies in the folder; it is read once."""
        if self._listed is None:
            self._listed = OrderedDict()
            found = self._folder.glob(f"*{SUFFIX}") if self._folder else ()
            for file in sorted(found, key=lambda file: file.stat().st_mtime)[-MOST_GAMES:]:
                with contextlib.suppress(HansuError, OSError, UnicodeDecodeError):
                    if _ID.fullmatch(file.stem) and file.stat().st_size <= MOST_OF_ONE:
                        record = GameRecord.from_json(file.read_text(encoding="utf-8"))
                        self._listed[file.stem] = _facts(file.stem, record, file)
        return self._listed

    def _make_room(self, listed: OrderedDict[str, dict[str, Any]], address: str) -> None:
        own = [each for each in listed if self._owners.get(each) == address]
        if self._shared and len(own) > MOST_GAMES // SHARE:
            self._delete(listed, own[0])
        size = sum(each["bytes"] for each in listed.values())
        while len(listed) > MOST_GAMES or size > MOST_BYTES:
            oldest = next(iter(listed))
            size -= listed[oldest]["bytes"]
            self._delete(listed, oldest)

    def _delete(self, listed: OrderedDict[str, dict[str, Any]], game_id: str) -> None:
        with contextlib.suppress(OSError):
            self._file(game_id).unlink(missing_ok=True)
        listed.pop(game_id, None)
        self._owners.pop(game_id, None)


def _facts(game_id: str, record: GameRecord, file: Path) -> dict[str, Any]:
    found = file.stat()
    return {
        "id": game_id,
        "name": record.game.partition(":")[0],
        "white": record.player(WHITE),
        "black": record.player(BLACK),
        "result": record.outcome.result(),
        "reason": record.outcome.reason,
        "turns": len(record.turns),
        "review": review_key(record),
        "annotated": bool(record.branches or record.comments),
        "saved": round(found.st_mtime, 3),
        "bytes": found.st_size,
    }
