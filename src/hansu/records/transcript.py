"""Transcripts: a game is the line of its moves, ``4453`` (connect4) or ``f5d6c3`` (othello).

Nothing but the moves is kept. Blank lines and lines that begin with # are skipped, what follows
the moves on a line (a score, a name) is not read, and ``-`` is a game without a move.
"""

import re
from collections.abc import Iterable

from hansu.errors import RecordError
from hansu.games.game import game
from hansu.games.state import State
from hansu.records.record import UNTIMED, GameRecord, Turn
from hansu.records.replay import RESIGNED, completed, start_of
from hansu.records.source import BadGames, Source, read_each, text_of

LINES = {
    "connect4": r"[1-7]+",
    "tictactoe": r"([a-c][1-3])+",  # othello cannot begin in that corner
    "othello": r"([a-h][1-8]|pass|ps|--)+",
}
NO_MOVES = "-"


def read_transcript(source: Source, bad: BadGames = None) -> list[GameRecord]:
    """The games of a file, a line each; the moves tell which game it is."""
    lines = [line.strip() for line in text_of(source).split("\n")]
    lines = [line for line in lines if line and not line.startswith("#")]
    names = [game_of_line(line) for line in lines]
    known = next((name for name in names if name), "connect4")
    return read_each(zip(lines, names, strict=True), lambda part: _read(*part, known), bad)


def write_transcript(records: Iterable[GameRecord]) -> str:
    """A line of moves for each game of connect4, othello or tictactoe."""
    return "".join(f"{_write(number, record)}\n" for number, record in enumerate(records, 1))


def game_of_line(line: str) -> str | None:
    """The game whose moves a line holds, if it holds any.

    >>> game_of_line("f5d6c3 34-30"), game_of_line("Kasparov")
    ('othello', None)
    """
    word = line.split()[0].lower()
    return next((name for name, moves in LINES.items() if re.fullmatch(moves, word)), None)


def _read(line: str, name: str | None, known: str) -> GameRecord:
    word = line.split()[0].lower()
    if name is None and word != NO_MOVES:
        raise RecordError(
            f"{line[:20]!r} is not a transcript: moves such as 4453 (connect4), f5d6c3 (othello) "
            "or b2a1 (tictactoe) are expected"
        )
    state = game(name or known).parse("" if word == NO_MOVES else word)
    return record_of(state)


def record_of(state: State) -> GameRecord:
    """The record of the moves that led to a state; nothing is known about players and times."""
    turns = [Turn(state.move_text(move)) for move in state.move_stack]
    color = state.game.first_color
    record = GameRecord(str(state.game), "?", "?", "", color, 0, turns, control=UNTIMED)
    return completed(record, None)


def _write(number: int, record: GameRecord) -> str:
    name = record.game.partition(":")[0]
    if name not in LINES:
        raise RecordError(
            f"game {number} is a game of {name}: transcripts hold {', '.join(sorted(LINES))}; "
            "jsonl and csv hold every game"
        )
    start = start_of(record)
    if start.text() != start.game.start().text() and not start.move_stack:
        raise RecordError(
            f"game {number} starts from a set-up position, which a transcript cannot hold; "
            "jsonl and csv can"
        )
    opening = [start.move_text(move) for move in start.move_stack]
    moves = [move for move in record.moves if move not in (RESIGNED, "pass")]
    return "".join(opening + moves) or NO_MOVES
