"""PGN: games of microchess, with clocks (``[%clk]``, ``[%emt]``) and evaluations (``[%eval]``).

Tags beyond the standard: ``Reason`` (ours, finer than Termination), ``Rules`` (a rule set that is
not the usual one), ``Seed``, ``Evidence`` and ``MoveSeconds``.
"""

import io
import math
from collections.abc import Iterable, Iterator
from itertools import pairwise

import chess.engine
import chess.pgn

from hansu.errors import RecordError
from hansu.games.game import WHITE
from hansu.games.game import game as load_game
from hansu.records import tags
from hansu.records.record import GameRecord, Turn
from hansu.records.replay import RESIGNED, completed, states
from hansu.records.source import MAX_LINE, MAX_TURNS, BadGames, Source, read_each, text_of

PAWNS = 0.368208  # lichess's fit of results to evaluations: share = 1 / (1 + exp(-PAWNS * pawns))
SURE = 0.9999  # beyond this share an evaluation in pawns says no more


def read_pgn(source: Source, bad: BadGames = None) -> list[GameRecord]:
    """The games of a file, along their main lines."""
    load_game("microchess")  # from then on chess.pgn knows the variant
    return read_each(_games(text_of(source)), _read, bad)


def write_pgn(records: Iterable[GameRecord]) -> str:
    """Games of microchess in PGN."""
    return "\n\n".join(_write(number, record) for number, record in enumerate(records, 1)) + "\n"


# Reading -----------------------------------------------------------------------------------------


class _MainLine(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Builds the main line only, keeps comments short and errors silent."""

    def end_headers(self) -> chess.pgn.SkipType | None:
        """Without a Variant a game is taken for what it is most likely meant to be."""
        self.game.headers.setdefault("Variant", "Microchess")
        other = self.game.headers["Variant"].lower() != "microchess"
        return chess.pgn.SKIP if other else None

    def begin_variation(self) -> chess.pgn.SkipType:  # type: ignore[override]
        return chess.pgn.SKIP

    def end_variation(self) -> None:
        """There is nothing to return from."""

    def begin_parse_san(self, board: chess.Board, san: str) -> chess.pgn.SkipType | None:
        """Move after move is read, but not without end."""
        return chess.pgn.SKIP if len(board.move_stack) > MAX_TURNS else None

    def visit_comment(self, comment: str) -> None:
        if len(self.variation_stack[-1].comment) < 1000:
            super().visit_comment(comment)

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def _games(text: str) -> Iterator[chess.pgn.Game | Exception]:
    """Every game of a PGN text, read as far as possible."""
    if any(len(line) > MAX_LINE for line in text.split("\n")):
        raise RecordError(f"a line is longer than {MAX_LINE} letters: PGN breaks lines")
    handle = io.StringIO(text)
    game: chess.pgn.Game | Exception | None = None
    while True:
        try:
            game = chess.pgn.read_game(handle, Visitor=_MainLine)
        except (ValueError, OverflowError) as error:
            game = error
        if game is None:
            return
        yield game


def _read(game: chess.pgn.Game | Exception) -> GameRecord:
    if isinstance(game, Exception):
        raise RecordError(f"this is not PGN: {str(game)[:80]}")
    headers = game.headers
    if headers["Variant"].lower() != "microchess":
        raise RecordError(f"it is a game of {headers['Variant'][:40]}, not of microchess")
    nodes = list(game.mainline())
    if game.errors:
        where = f"move {len(nodes) + 1}: " if _is_set_up(game) else ""
        raise RecordError(f"{where}{str(game.errors[0])[:200]}")
    if not nodes and not set(headers) - {"Variant"}:
        raise RecordError("there are neither tags nor moves")
    record = tags.read_record(headers, tags.text(headers, "Rules") or "microchess")
    record.start = headers.get("FEN", "")
    record.turns = _turns(nodes, record)
    told = tags.read_outcome(headers)
    if told is not None and told.reason == "resignation":
        record.turns.append(Turn(RESIGNED))
    return completed(record, told)


def _is_set_up(game: chess.pgn.Game) -> bool:
    """Whether the start position could be read, so that an error is about a move."""
    try:
        game.board()
    except ValueError:
        return False
    return True


def _turns(nodes: list[chess.pgn.ChildNode], record: GameRecord) -> list[Turn]:
    left = record.control.full()
    turns = []
    mover = not nodes[0].turn() if nodes else WHITE
    for node in nodes:
        try:
            clock, used, score = node.clock(), node.emt(), node.eval()
        except (ValueError, OverflowError):  # numbers without end
            clock, used, score = None, None, None
        value = None if score is None else _share(score.pov(mover))
        before = left[mover]
        if used is None and clock is not None and before is not None:
            used = max(0.0, round(before + record.control.increment - clock, 3))
        if clock is not None:
            left[mover] = clock
        turns.append(Turn(node.move.uci(), tags.bounded(used or 0.0), value))
        mover = not mover
    return turns


def _share(score: chess.engine.Score) -> float:
    """The expected share of a point that an evaluation in pawns means."""
    pawns = score.score(mate_score=100_000) / 100
    return round(1 / (1 + math.exp(-PAWNS * max(-100.0, min(100.0, pawns)))), 4)


# Writing -----------------------------------------------------------------------------------------


def _write(number: int, record: GameRecord) -> str:
    if record.game.partition(":")[0] != "microchess":
        raise RecordError(
            f"game {number} is a game of {record.game}: PGN holds microchess only; "
            "headers (results only), jsonl and csv hold every game"
        )
    positions = list(states(record))
    game = chess.pgn.Game()
    game.setup(positions[0])  # type: ignore[arg-type]  # a state of microchess is a chess.Board
    for name, value in tags.of_record(number, record).items():
        game.headers[name] = value
    game.headers["SetUp"] = "1"  # goes with the FEN that a variant always has
    if record.game != "microchess":
        game.headers["Rules"] = record.game
    node: chess.pgn.GameNode = game
    for turn, (before, after) in zip(record.turns, pairwise(positions), strict=True):
        if turn.move == RESIGNED:
            break
        node = node.add_main_variation(before.parse_move(turn.move))
        if turn.value is not None:
            node.set_eval(_score(turn.value, before.turn))
        left = after.white_remain_sec if before.turn == WHITE else after.black_remain_sec
        if math.isfinite(left):
            node.set_clock(left)
        node.set_emt(turn.seconds)
    return game.accept(chess.pgn.StringExporter(columns=80))


def _score(share: float, mover: bool) -> chess.engine.PovScore:
    share = min(SURE, max(1 - SURE, share))
    pawns = math.log(share / (1 - share)) / PAWNS
    return chess.engine.PovScore(chess.engine.Cp(round(100 * pawns)), mover)
