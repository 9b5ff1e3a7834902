"""PGN without moves: results that outside rating programs (Ordo, BayesElo) read, of any game.

The tag ``Game`` names the game and its rules, ``White`` and ``Black`` who had that colour.
"""

import io
from collections.abc import Iterable

import chess.pgn

from hansu.errors import RecordError
from hansu.games.game import WHITE
from hansu.records import tags
from hansu.records.record import GameRecord
from hansu.records.replay import completed, game_of
from hansu.records.source import BadGames, Source, read_each, text_of


def read_headers(source: Source, bad: BadGames = None) -> list[GameRecord]:
    """The players and results of a file; the records have no moves."""
    handle = io.StringIO(text_of(source))
    found = []
    while (headers := chess.pgn.read_headers(handle)) is not None:
        found.append(headers)
    return read_each(found, _read, bad)


def write_headers(records: Iterable[GameRecord]) -> str:
    """Players and result of every game, without its moves.

    >>> record = GameRecord("go:size=5", "me", "you", "", False, 0)
    >>> print(write_headers([record]).splitlines()[4])
    [White "you"]
    """
    return "\n".join(_write(number, record) for number, record in enumerate(records, 1))


def _read(headers: chess.pgn.Headers) -> GameRecord:
    name = tags.text(headers, "Game") or headers.get("Variant", "").lower()
    if not name:
        raise RecordError('the tags do not name the game: [Game "go:size=9"] is expected')
    record = tags.read_record(headers, name)
    if game_of(record).first_color != WHITE:
        record.first, record.second = record.second, record.first
    told = tags.read_outcome(headers)
    return completed(record, told)


def _write(number: int, record: GameRecord) -> str:
    found = tags.of_record(number, record) | {"Game": record.game}
    lines = [f'[{name} "{value}"]' for name, value in found.items()]
    return "\n".join([*lines, "", found["Result"], ""])
