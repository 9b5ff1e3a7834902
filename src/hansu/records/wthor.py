"""WTHOR: the database of othello games of the Fédération Française d'Othello (``.wtb``).

All numbers are little-endian. A file is a header of 16 bytes, then 68 bytes a game:

    byte 0   century, year, month, day of writing      byte 0   tournament (16 bits)
         4   number of games (32 bits)                      2   Black's number (16 bits)
         8   number of records of other files               4   White's number (16 bits)
        10   year of the games (16 bits)                    6   Black's discs, empties to the winner
        12   size of the board, 0 or 8                      7   the same after best play
        13   kind of file, 1 for problems                   8   60 moves, 10 * row + column;
        14   empty squares when best play begins                0 after the last, no passes

Names of players are in a file of their own (``.jou``): 16 bytes as above, then 20 bytes a name.
"""

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hansu.errors import RecordError
from hansu.games.game import BLACK, WHITE, game
from hansu.games.othello.state import OthelloState
from hansu.games.state import Outcome
from hansu.records.record import UNTIMED, GameRecord, Turn
from hansu.records.replay import RESIGNED, completed, state_at
from hansu.records.source import BadGames, Source, bytes_of, read_each

HEADER = struct.Struct("<4BiHH4B")
GAME = struct.Struct("<3H2B60s")
NAME_SIZE = 20
MAX_NAMES = 2**16  # a player's number has 16 bits


@dataclass(frozen=True)
class Header:
    """The first 16 bytes of a file."""

    written: tuple[int, int, int, int] = (20, 0, 1, 1)  # century, year, month, day
    count: int = 0
    others: int = 0
    year: int = 0
    size: int = 8
    kind: int = 0
    depth: int = 0  # how many squares were empty when best play began
    reserved: int = 0


@dataclass(frozen=True)
class Entry:
    """One game as the file has it."""

    tournament: int
    black: int
    white: int
    discs: int  # Black's, with the empty squares given to the winner
    best_discs: int  # the same after best play from ``Header.depth`` empty squares on
    moves: bytes  # 10 * row + column each, both from 1

    def transcript(self) -> str:
        """The moves as text, ``f5d6c3``; passes are not written."""
        codes = self.moves.rstrip(b"\0")
        if not all(1 <= code // 10 <= 8 and 1 <= code % 10 <= 8 for code in codes):
            raise RecordError("the moves are not squares: 11 (a1) to 88 (h8) are expected")
        return "".join(f"{'abcdefgh'[code % 10 - 1]}{code // 10}" for code in codes)


def parse_wtb(content: bytes) -> tuple[Header, list[Entry]]:
    """The header and the games of a file, as they are written there; raises RecordError."""
    header = parse_header(content)
    return header, [Entry(*fields) for fields in GAME.iter_unpack(content[HEADER.size :])]


def parse_header(content: bytes) -> Header:
    """The header of a file, whose games are known to follow whole; raises RecordError."""
    if len(content) < HEADER.size:
        raise RecordError(f"the file has {len(content)} bytes, not even a header of {HEADER.size}")
    written, rest = content[:4], HEADER.unpack_from(content)[4:]
    header = Header((written[0], written[1], written[2], written[3]), *rest)
    if header.size not in (0, 8):
        raise RecordError(f"the board has {header.size} rows: only 8 are known")
    if len(content) != HEADER.size + GAME.size * header.count:
        raise RecordError(
            f"the file has {len(content)} bytes, but {header.count} games take "
            f"{HEADER.size + GAME.size * header.count}"
        )
    return header


def format_wtb(header: Header, entries: list[Entry]) -> bytes:
    """The inverse of ``parse_wtb``."""
    return _format_header(header) + b"".join(
        GAME.pack(e.tournament, e.black, e.white, e.discs, e.best_discs, e.moves) for e in entries
    )


def read_wthor(source: Source, bad: BadGames = None) -> list[GameRecord]:
    """The games of a ``.wtb`` file; names come from a ``.jou`` file beside it, if there is one."""
    _, entries = parse_wtb(bytes_of(source))
    names = _names_beside(source) if isinstance(source, Path) else []
    return read_each(entries, lambda entry: _read(entry, names), bad)


def write_wthor(records: Iterable[GameRecord]) -> bytes:
    """Games of othello as a ``.wtb`` file; the players' numbers are those of ``write_players``."""
    listed = list(records)
    numbers = {name: number for number, name in enumerate(_players(listed))}
    entries = [_write(number, record, numbers) for number, record in enumerate(listed, 1)]
    return format_wtb(Header(count=len(entries)), entries)


def write_players(records: Iterable[GameRecord]) -> bytes:
    """The ``.jou`` file that goes with ``write_wthor``; a name has 19 letters of Latin-1."""
    names = _players(list(records))
    shown = [name.encode("latin-1", errors="replace")[: NAME_SIZE - 1] for name in names]
    content = b"".join(name.ljust(NAME_SIZE, b"\0") for name in shown)
    return _format_header(Header(others=len(names), size=0)) + content


def _format_header(header: Header) -> bytes:
    h = header
    return HEADER.pack(*h.written, h.count, h.others, h.year, h.size, h.kind, h.depth, h.reserved)


def _players(records: list[GameRecord]) -> list[str]:
    names = list(dict.fromkeys(name for r in records for name in (r.first, r.second)))
    if len(names) > MAX_NAMES:
        raise RecordError(f"there are {len(names)} players: WTHOR counts up to {MAX_NAMES}")
    return names


def _names_beside(file: Path) -> list[str]:
    """The names of the ``.jou`` file with the same name, or else of the only one there."""
    found = sorted(path for path in file.parent.glob("*.[jJ][oO][uU]"))
    same = [path for path in found if path.stem.lower() == file.stem.lower()]
    if not same and len(found) != 1:
        return []
    content = bytes_of((same or found)[0])[HEADER.size :]
    parts = [content[at : at + NAME_SIZE] for at in range(0, len(content), NAME_SIZE)]
    return [part.partition(b"\0")[0].decode("latin-1") for part in parts]


def _read(entry: Entry, names: list[str]) -> GameRecord:
    state = game("othello").parse(entry.transcript())
    first, second = (
        names[number] if number < len(names) else f"player {number}"
        for number in (entry.black, entry.white)
    )
    turns = [Turn(state.move_text(move)) for move in state.move_stack]
    record = GameRecord("othello", first, second, "", BLACK, 0, turns, control=UNTIMED)
    if entry.discs > 64:
        raise RecordError(f"Black has {entry.discs} discs, but there are 64 squares")
    lead = 2 * entry.discs - 64
    told = Outcome(None if lead == 0 else BLACK if lead > 0 else WHITE, "", abs(float(lead)))
    agrees = state.is_game_over() and state.tournament_score(BLACK) == entry.discs  # type: ignore[attr-defined]
    return completed(record, None if agrees else told)


def _write(number: int, record: GameRecord, numbers: dict[str, int]) -> Entry:
    if record.game.partition(":")[0] != "othello":
        raise RecordError(
            f"game {number} is a game of {record.game}: WTHOR holds othello only; "
            "jsonl and csv hold every game"
        )
    start, last = state_at(record, 0), state_at(record, len(record.turns))
    assert isinstance(last, OthelloState)
    if start.text() != start.game.start().text():
        raise RecordError(
            f"game {number} starts from a set-up position, which WTHOR cannot hold; ggf can"
        )
    squares = [move for move in record.moves if move not in ("pass", RESIGNED)]
    codes = bytes(10 * int(square[1]) + "abcdefgh".index(square[0]) + 1 for square in squares)
    discs = last.tournament_score(BLACK) if last.is_game_over() else _discs(record.outcome)
    black, white = numbers[record.first], numbers[record.second]
    return Entry(0, black, white, discs, discs, codes.ljust(60, b"\0"))


def _discs(outcome: Outcome) -> int:
    """Black's discs in a game that ended before the board said so."""
    if outcome.winner is None:
        return 32
    lead = 64 if outcome.margin is None else int(outcome.margin)
    return 32 + (lead if outcome.winner == BLACK else -lead) // 2
