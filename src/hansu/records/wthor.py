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
from dataclasses import dataclass, replace
from pathlib import Path

from hansu.errors import RecordError
from hansu.games.game import BLACK, WHITE, game
from hansu.games.othello.state import OthelloState
from hansu.games.state import Outcome
from hansu.records.problems import EVERYTHING, Findings, Most, Problems, Report, read_each
from hansu.records.reading import Part, Source, bytes_of
from hansu.records.record import RESIGNED, UNTIMED, GameRecord, Turn
from hansu.records.replay import completed, state_at

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

    def squares(self) -> list[str]:
        """Return the moves as text, f5 and so on; passes are not written."""
        return [_square(code) for code in self.moves.rstrip(b"\0")]


def _square(code: int) -> str:
    row, column = divmod(code, 10)
    return f"{'abcdefgh'[column - 1]}{row}" if 1 <= row <= 8 and 1 <= column <= 8 else f"({code})"


def parse_wtb(content: bytes) -> tuple[Header, list[Entry]]:
    """Return the header and the whole games of a file; raises RecordError."""
    header, games, _ = split_wtb(content)
    return header, [Entry(*fields) for fields in GAME.iter_unpack(games)]


def split_wtb(content: bytes) -> tuple[Header, bytes, str]:
    """Return the header, the bytes of all whole games, and a problem with their number or "".

    Raises RecordError when the file is no such file, or when there is no game in it.
    """
    if len(content) < HEADER.size:
        raise RecordError(f"the file has {len(content)} bytes, not even a header of {HEADER.size}")
    written, rest = content[:4], HEADER.unpack_from(content)[4:]
    header = Header((written[0], written[1], written[2], written[3]), *rest)
    if header.size not in (0, 8):
        raise RecordError(f"the board has {header.size} rows: only 8 are known")
    expected = HEADER.size + GAME.size * header.count
    if len(content) == expected:
        return header, content[HEADER.size :], ""
    damage = (
        f"the file has {len(content)} bytes, but {header.count} games take {expected}: "
        "games may be missing"
    )
    whole = (len(content) - HEADER.size) // GAME.size
    if not whole:
        raise RecordError(damage)
    return header, content[HEADER.size : HEADER.size + GAME.size * whole], damage


def format_wtb(header: Header, entries: list[Entry]) -> bytes:
    """Return the inverse of ``parse_wtb``."""
    return _format_header(header) + b"".join(
        GAME.pack(e.tournament, e.black, e.white, e.discs, e.best_discs, e.moves) for e in entries
    )


def read_wthor(
    source: Source, problems: Problems = None, most: Most = EVERYTHING
) -> list[GameRecord]:
    """Return the games of a ``.wtb`` file, with names from a ``.jou`` file beside it."""
    _, games, damage = split_wtb(bytes_of(source))
    findings = Findings()
    if damage:
        findings.add(damage)
    names = _names_beside(source) if isinstance(source, Path) else []

    def read(entry: Entry, report: Report) -> GameRecord:
        if damage and not entry.squares():
            raise RecordError("it has no moves")
        return _read(entry, names, report)

    parts = (Part(Entry(*fields)) for fields in GAME.iter_unpack(games))
    return read_each(parts, read, problems, findings, most=most)


def write_wthor(records: Iterable[GameRecord]) -> bytes:
    """Return games of othello as a ``.wtb`` file; ``write_players`` numbers the players alike."""
    listed = list(records)
    numbers = {name: number for number, name in enumerate(_players(listed))}
    entries = [_write(number, record, numbers) for number, record in enumerate(listed, 1)]
    return format_wtb(Header(count=len(entries)), entries)


def write_players(records: Iterable[GameRecord]) -> bytes:
    """Return the ``.jou`` file that goes with ``write_wthor``; a name has 19 letters of Latin-1."""
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
    """Return the names of the ``.jou`` file with the same name, or else of the only one there."""
    found = sorted(path for path in file.parent.glob("*.[jJ][oO][uU]"))
    same = [path for path in found if path.stem.lower() == file.stem.lower()]
    if not same and len(found) != 1:
        return []
    content = bytes_of((same or found)[0])[HEADER.size :]
    parts = [content[at : at + NAME_SIZE] for at in range(0, len(content), NAME_SIZE)]
    return [part.partition(b"\0")[0].decode("latin-1") for part in parts]


def _read(entry: Entry, names: list[str], report: Report) -> GameRecord:
    first, second = (
        names[number] if number < len(names) else f"player {number}"
        for number in (entry.black, entry.white)
    )
    turns = [Turn(square) for square in entry.squares()]
    record = GameRecord("othello", first, second, "", BLACK, 0, turns, control=UNTIMED)
    if entry.discs > 64:
        raise RecordError(f"Black has {entry.discs} discs, but there are 64 squares")
    lead = 2 * entry.discs - 64
    stated = Outcome(None if lead == 0 else BLACK if lead > 0 else WHITE, "", abs(float(lead)))
    record = completed(record, stated, report)
    last = game("othello").parse(record.final)
    assert isinstance(last, OthelloState)
    ruled = last.outcome()
    agrees = ruled is not None and last.tournament_score(BLACK) == entry.discs
    return replace(record, outcome=ruled) if ruled is not None and agrees else record


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
    """Return Black's discs in a game that ended before the board said so."""
    if outcome.winner is None:
        return 32
    lead = 64 if outcome.margin is None else int(outcome.margin)
    return 32 + (lead if outcome.winner == BLACK else -lead) // 2
