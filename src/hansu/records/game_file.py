"""A file for games still to be played: it is checked before they begin."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from hansu.deferred_signals import deferred_signals
from hansu.errors import RecordError
from hansu.records.formats import FORMATS, format_by_suffix, save_games
from hansu.records.record import GameRecord


class GameFile:
    """A file where games will be saved, in the format of its ending.

    Raises HansuError if there is no such format, or nothing can be written there.
    """

    def __init__(self, file: str | Path) -> None:
        if not isinstance(file, str | os.PathLike):
            raise RecordError(f"save: {file!r} is not the name of a file")
        self.file = Path(file)
        self.format = format_by_suffix(self.file)
        self._try()

    def check(self, unplayed: Iterable[GameRecord]) -> None:
        """Raise RecordError if the format cannot hold games that begin as these do."""
        for record in unplayed:
            try:
                self.format.write([record])
            except RecordError as error:
                said = str(error).replace("game 1 ", "the game ", 1)
                raise RecordError(f"{self.file} cannot hold these games: {said}") from None

    def _try(self) -> None:
        """Raise RecordError if the file could not be written now."""
        try:
            if self.file.exists():
                if self.file.is_file() or self.file.is_dir():  # a pipe would wait for its reader
                    self.file.open("ab").close()
                return
            with tempfile.TemporaryFile(dir=self.file.parent):
                pass
        except OSError as error:
            raise RecordError(f"cannot write {self.file}: {error.strerror}") from None

    def write(self, records: list[GameRecord]) -> None:
        """Write the games; on failure write them elsewhere and raise RecordError with the place."""
        with deferred_signals():  # a second Ctrl+C would lose the games
            self._write(records)

    def _write(self, records: list[GameRecord]) -> None:
        try:
            save_games(records, self.file, self.format)
        except RecordError as error:
            elsewhere = Path(tempfile.gettempdir()) / f"hansu-games-{os.getpid()}.jsonl"
            try:
                save_games(records, elsewhere, FORMATS["jsonl"])
            except RecordError:
                raise error from None
            raise RecordError(f"{error}; the games are kept in {elsewhere}") from None
