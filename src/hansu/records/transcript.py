"""Transcripts: a game is the line of its moves, ``4453`` (connect4) or ``f5d6c3`` (othello).

Only the moves are kept. They may be separated, numbered and in capitals (``1. F5 2. D6``). Blank
lines and lines that begin with # are skipped, what follows the moves on a line (a score, a name) is
not read, and ``-`` is a game without a move. The moves identify connect4, othello and tictactoe; a
line such as ``# hex:size=5`` names the game of the lines after it, whose moves are separated.
"""

import itertools
import re
from collections.abc import Iterable
from typing import NamedTuple

from hansu.errors import HansuError, RecordError
from hansu.games.game import GAMES, Game, game
from hansu.records.problems import EVERYTHING, Most, Problems, Report, read_each
from hansu.records.reading import Part, Source, lines_of
from hansu.records.record import RESIGNED, UNTIMED, GameRecord, Turn
from hansu.records.replay import completed, start_of

NAMED_BY_MOVES = ("connect4", "othello", "tictactoe")
NO_MOVES = "-"

_SQUARE = re.compile(r"[a-h][1-8]|pass|ps|pa|--")
_PASSES = ("ps", "pa", "--")
_SEPARATORS = re.compile(r"[\s,;|\"']+|(?<=[1-8])-(?=[a-h])")
_NUMBER = re.compile(r"[0-9]+[.):]*+")


class Line(NamedTuple):
    """The content of a line."""

    game: str | None  # None without moves
    moves: list[str]
    rest: str = ""  # what is not understood


def read_transcript(
    source: Source, problems: Problems = None, most: Most = EVERYTHING
) -> list[GameRecord]:
    """Return the games of a file, a line each; the moves identify the game, or a line before."""
    lines: list[Part[str]] = []
    named = ""
    for part in lines_of(source):
        if part.content.startswith("#"):
            named = _named_game(part.content, named)
        else:
            lines.append(Part(f"{named}\n{part.content}" if named else part.content, part.line))
    names = (game_of_line(part.content) for part in lines if "\n" not in part.content)
    known = next(filter(None, names), "connect4")
    return read_each(lines, lambda line, report: _read(line, known, report), problems, most=most)


def write_transcript(records: Iterable[GameRecord]) -> str:
    """Return a line of moves for each game, after a line that names it where moves do not."""
    lines: list[str] = []
    named = ""
    for number, record in enumerate(records, 1):
        moves = _write(number, record)
        name = "" if _is_named_by_moves(record.game) else record.game
        if name != named:
            lines.append(f"# {name or record.game}")
            named = name
        lines.append(moves)
    return "".join(f"{line}\n" for line in lines)


def _is_named_by_moves(game_text: str) -> bool:
    """Return whether the moves of a game identify it."""
    return game_text.partition(":")[0] in NAMED_BY_MOVES


def _named_game(comment: str, before: str) -> str:
    """Return the game that a comment names for the lines after it; "" where moves identify it."""
    name = comment.strip("# \t")
    if name.partition(":")[0] not in GAMES:  # other names would run code
        return before
    try:
        return "" if _is_named_by_moves(name) else str(game(name))
    except HansuError:
        return before


def game_of_line(line: str) -> str | None:
    """Return the game whose moves a line holds, if it holds any.

    >>> game_of_line("f5d6c3 34-30"), game_of_line("Kasparov")
    ('othello', None)
    """
    return read_line(line).game


def read_line(line: str) -> Line:
    """Return the moves of a line as we write them, and the game that they are of.

    >>> read_line("1. F5 2. D6 PS f4 34-30")
    Line(game='othello', moves=['f5', 'd6', 'pass', 'f4'], rest='')
    >>> read_line("4453 -2")
    Line(game='connect4', moves=['4', '4', '5', '3'], rest='')
    >>> read_line("b2a1c")
    Line(game='tictactoe', moves=['b2', 'a1'], rest='c')
    """
    words = [word for word in _SEPARATORS.split(line.lower()) if word]
    if not words:
        return Line(None, [])
    single = all(re.fullmatch("[1-7]", word) for word in words)
    columns = words if single else line.strip("\"' \t").split()
    digits = re.match("[1-7]+", columns[0])
    if digits and not re.search("[a-h][1-8]", line.lower()):
        return _columns(columns, digits[0])
    moves: list[str] = []
    for at, word in enumerate(words):
        number = _NUMBER.match(word)
        begin = end = number.end() if number else 0
        while (found := _SQUARE.match(word, end)) is not None:
            moves.append("pass" if found[0] in _PASSES else found[0])
            end = found.end()
        if end < len(word):
            more = end > begin or any(_SQUARE.fullmatch(later) for later in words[at + 1 :])
            return _squares(moves, " ".join([word[end:], *words[at + 1 :]]) if more else "")
    return _squares(moves, "")


def _columns(words: list[str], digits: str) -> Line:
    """Return the moves of connect4: the first word, or single columns; a score may follow."""
    moves = list(digits)
    if len(words[0]) == 1:
        columns = itertools.takewhile(re.compile("[1-7]").fullmatch, words)
        moves = list(columns)
    return Line("connect4", moves, words[0][len(digits) :])


def _squares(moves: list[str], rest: str) -> Line:
    if not moves:
        return Line(None, [])
    is_small = all(re.fullmatch("[a-c][1-3]", move) for move in moves)
    return Line("tictactoe" if is_small else "othello", moves, rest)  # which cannot begin there


def _read(line: str, known: str, report: Report) -> GameRecord:
    named, _, moves_text = line.rpartition("\n")
    if named:
        words = (re.sub(r"\A[0-9]+[.):]+", "", word) for word in moves_text.lower().split())
        return _played(game(named), [word for word in words if word and word != NO_MOVES], report)
    name, moves, rest = read_line(line)
    if name is None and line.split()[0] != NO_MOVES:
        raise RecordError(
            f"{line[:20]!r} is not a transcript: moves such as 4453 (connect4), f5d6c3 (othello) "
            "or b2a1 (tictactoe) are expected"
        )
    if rest:
        report(f"{rest[:20]!r} is not understood; it is left out, and what follows on the line")
    return _played(game(name or known), moves, report)


def _played(chosen: Game, moves: list[str], report: Report) -> GameRecord:
    turns = [Turn(move) for move in moves]
    record = GameRecord(str(chosen), "?", "?", "", chosen.first_color, 0, turns, control=UNTIMED)
    return completed(record, None, report)


def _write(number: int, record: GameRecord) -> str:
    name = record.game.partition(":")[0]
    if name not in GAMES or "transcript" not in game(name).formats:
        raise RecordError(
            f"game {number} is a game of {name}, which has no transcripts; "
            "jsonl and csv hold every game"
        )
    start = start_of(record)
    if start.text() != start.game.start().text() and not start.move_stack:
        raise RecordError(
            f"game {number} starts from a set-up position, which a transcript cannot hold; "
            "jsonl and csv can"
        )
    opening = [start.move_text(move) for move in start.move_stack]
    if _is_named_by_moves(record.game):
        moves = [move for move in record.moves if move not in (RESIGNED, "pass")]
        return "".join(opening + moves) or NO_MOVES
    return " ".join(opening + [move for move in record.moves if move != RESIGNED]) or NO_MOVES
