"""Othello games of experts as arrays: read from files of any format, checked by compiled rules.

Databases hold a hundred thousand games. WTHOR files and transcripts are read directly into arrays;
other formats are read as records, which is slower.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.errors import RecordError
from hansu.games.game import BLACK, game
from hansu.games.othello.notation import parse_square
from hansu.games.othello.rules import ENDINGS, PASS
from hansu.learning.experts.replaying import FINE, ILLEGAL, NO_MOVE, UNKNOWN, check_games
from hansu.records.formats import detect, game_files
from hansu.records.reading import bytes_of, text_of
from hansu.records.record import RESIGNED, GameRecord
from hansu.records.replay import start_of
from hansu.records.transcript import read_line
from hansu.records.wthor import GAME, split_wtb

LONGEST = 60  # discs are played in a game from the usual start; a set-up board may allow more


@dataclass(frozen=True)
class ExpertGames:
    """Many games: how each began, its moves, and how it ended for Black."""

    start: NDArray[np.uint64]  # [games, 4] the words of a position
    moves: NDArray[np.int64]  # [games, moves] squares 0-63 without passes; NO_MOVE after the last
    lead: NDArray[np.int64]  # [games] Black's discs more than White's, empties to the winner
    best_lead: NDArray[np.int64]  # the same after best play, or UNKNOWN
    best_empties: NDArray[np.int64]  # how many squares were empty when best play began

    def __len__(self) -> int:
        return len(self.moves)

    def __getitem__(self, which: Any) -> "ExpertGames":
        """Return some of the games."""
        return ExpertGames(
            self.start[which],
            self.moves[which],
            self.lead[which],
            self.best_lead[which],
            self.best_empties[which],
        )


def read_expert_games(places: list[Path], bad: list[RecordError]) -> Iterator[ExpertGames]:
    """Yield the games of files and folders, file by file.

    Games that cannot be read, break the rules or have no result are left out and added to ``bad``.
    """
    for place in places:
        for file in game_files(place):
            try:
                yield _checked(_read(file, bad), file, bad)
            except RecordError as error:
                bad.append(RecordError(f"{file}: {error}"))


def _read(file: Path, bad: list[RecordError]) -> ExpertGames:
    content = bytes_of(file)
    chosen = detect(content, file.suffix)
    if chosen.name == "wthor":
        return _from_wthor(content, file, bad)
    if chosen.name == "transcript":
        return _from_lines(text_of(content).split("\n"), file, bad)
    own: list[RecordError] = []
    records = chosen.read(file, own)
    bad += [RecordError(f"{file}: {error}") for error in own]
    foreign = [record for record in records if record.game != "othello"]
    bad += [RecordError(f"{file}: a game of {record.game}, not of othello") for record in foreign]
    return _from_records([record for record in records if record.game == "othello"])


def _from_wthor(content: bytes, file: Path, bad: list[RecordError]) -> ExpertGames:
    header, games, damage = split_wtb(content)
    if damage:
        bad.append(RecordError(f"{file}: {damage}"))
    raw = np.frombuffer(games, np.uint8).reshape(-1, GAME.size)
    codes = raw[:, GAME.size - LONGEST :].astype(np.int64)
    row, column = codes // 10 - 1, codes % 10 - 1
    is_square = (row >= 0) & (row < 8) & (column >= 0) & (column < 8)
    moves = np.where(codes == 0, NO_MOVE, np.where(is_square, 8 * row + column, PASS))
    discs, best_discs = (raw[:, at].astype(np.int64) for at in (6, 7))
    best_lead = 2 * best_discs - 64 if header.depth else np.full(len(raw), UNKNOWN)
    return ExpertGames(
        start=_usual_start(len(raw)),
        moves=moves,
        lead=np.where(discs <= 64, 2 * discs - 64, UNKNOWN),
        best_lead=best_lead,
        best_empties=np.full(len(raw), header.depth, np.int64),
    )


def _from_lines(lines: list[str], file: Path, bad: list[RecordError]) -> ExpertGames:
    squares = {
        f"{column}{row}": parse_square(f"{column}{row}")
        for column in "abcdefgh"
        for row in "12345678"
    }
    games = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, moves, rest = read_line(line)
        if name != "othello":
            bad.append(RecordError(f"{file}: line {number} is not a transcript such as f5d6c3"))
            continue
        if rest:
            bad.append(RecordError(f"{file}: line {number}: {rest[:20]!r} is not understood"))
        games.append([squares[move] for move in moves if move != "pass"][: LONGEST + 1])
    return _of_lists(_usual_start(len(games)), games, [UNKNOWN] * len(games))


def _from_records(records: list[GameRecord]) -> ExpertGames:
    start = np.stack([start_of(r).words for r in records]) if records else _usual_start(0)
    games = [
        [parse_square(move) for move in record.moves if move not in ("pass", RESIGNED)]
        for record in records
    ]
    return _of_lists(start, games, [_lead(record) for record in records])


def _of_lists(start: NDArray[np.uint64], games: list[list[int]], leads: list[int]) -> ExpertGames:
    longest = max([LONGEST, *map(len, games)])
    moves = np.full((len(games), longest), NO_MOVE, np.int64)
    for row, game_moves in zip(moves, games, strict=True):
        row[: len(game_moves)] = game_moves
    unknown = np.full(len(games), UNKNOWN, np.int64)
    return ExpertGames(
        start, moves, np.array(leads, np.int64), unknown, np.zeros(len(games), np.int64)
    )


def _lead(record: GameRecord) -> int:
    """Return the lead by a record's outcome; a resigned game counts as lost by all discs."""
    outcome = record.outcome
    if outcome.reason == "unfinished" or outcome.reason in ENDINGS:
        return UNKNOWN  # ``check_games`` counts the board, with the empty squares
    if outcome.winner is None:
        return 0
    lead = 64 if outcome.margin is None else int(outcome.margin)
    return lead if outcome.winner == BLACK else -lead


def _usual_start(count: int) -> NDArray[np.uint64]:
    words: NDArray[np.uint64] = np.tile(game("othello").start().words, (count, 1))
    return words


def _checked(games: ExpertGames, file: Path, bad: list[RecordError]) -> ExpertGames:
    """Return the legal games with a result, which is filled in where it was unknown."""
    verdicts, places = check_games(games.start, games.moves, games.lead)
    for at in np.flatnonzero(verdicts != FINE):
        illegal = verdicts[at] == ILLEGAL
        what = f"move {places[at] + 1} is not legal" if illegal else "the game has no result"
        bad.append(RecordError(f"{file}: game {at + 1}: {what}"))
    return games[verdicts == FINE]
