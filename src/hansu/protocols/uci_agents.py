"""UCI engines as agents: ``stockfish``, ``fairy_stockfish``, and any other by its command."""

import math
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self, cast

import chess
from chess.engine import InfoDict, Limit

from hansu.agents.agent import Answer, Options
from hansu.games.game import WHITE
from hansu.games.microchess.notation import format_compact
from hansu.games.microchess.state import MicrochessState
from hansu.games.state import State
from hansu.options import Count, Depth, Range
from hansu.protocols.centipawns import MOST, win_probability
from hansu.protocols.engine_agent import EngineAgent, EngineOptions
from hansu.protocols.program import split_command
from hansu.protocols.uci_client import UciEngine
from hansu.search.info import Line, SearchInfo
from hansu.search.limits import Limits, SearchHandle

VARIANT = Path(__file__).with_name("microchess.ini")
LATE = 10.0  # seconds after its time that an engine counts as dead


class CompactBoard(MicrochessState):
    """Microchess as engines expect it: a FEN of five rows of four squares."""

    @classmethod
    def of(cls, state: MicrochessState) -> Self:
        """Return the same position with the same moves behind it."""
        board = object.__new__(cls)
        vars(board).update(vars(state.copy()))
        return board

    def fen(self, **options: Any) -> str:
        """Return the compact FEN."""
        return format_compact(super().fen(**options))


class NamelessBoard(CompactBoard):
    """The same for an engine that knows this one game and has no option to choose it."""

    uci_variant: ClassVar[str | None] = "chess"


class UciAgent(EngineAgent):
    """A UCI engine that plays microchess."""

    games: ClassVar[tuple[str, ...]] = ("microchess",)
    counts_depth: ClassVar[bool] = True
    engine: UciEngine | None
    _match_game: object = None

    def settings(self) -> dict[str, Any]:
        """Return the UCI options to set."""
        return {}

    def start(self) -> UciEngine:
        """Start the program and set its options."""
        engine = UciEngine(self.open())
        engine.configure(self.settings())
        if "UCI_Variant" in engine.options:
            engine.add_variant("microchess")
        return engine

    def begin(self) -> None:
        """Wait until the engine is ready; it hears of a new game with the first move."""
        self._match_game = object()
        self.running().ping()

    def choose(self, state: State, limits: Limits, handle: SearchHandle) -> Answer:
        """Let the engine move; report what it says of its move."""
        engine, limit = self.running(), self.limit(state, limits)
        patience = self.patience(state, math.inf if limit.time is None else limit.time + LATE)
        with handle.on_stop(engine.stop):
            move, told = self.ask(engine, cast(MicrochessState, state), limit, patience)
        self.info = finding(cast(MicrochessState, state), move, told)
        return Answer(move, self.info)

    def limit(self, state: State, limits: Limits) -> Limit:
        """Return what ``go`` tells the engine.

        ``movetime``, and ``depth`` and ``nodes`` where they are set. With ``move_time=none`` only
        the latter; without them the clocks, as far as the game has any.
        """
        found = self.bounded(state, limits)
        work = {"depth": found.depth, "nodes": found.nodes}
        if self.is_asked(limits) or self.options.move_time is not None:
            return Limit(time=_finite(found.seconds), **work)
        if found.depth or found.nodes:
            return Limit(**work)
        increment = state.increment_sec
        return Limit(
            time=found.seconds if state.max_move_sec < math.inf else None,
            white_clock=_finite(state.white_remain_sec),
            black_clock=_finite(state.black_remain_sec),
            white_inc=increment if increment and math.isfinite(state.white_remain_sec) else None,
            black_inc=increment if increment and math.isfinite(state.black_remain_sec) else None,
        )

    def ask(
        self, engine: UciEngine, state: MicrochessState, limit: Limit, patience: float
    ) -> tuple[Any, InfoDict]:
        """Return the engine's answer in a position, and what it said of it."""
        kind = CompactBoard if "UCI_Variant" in engine.options else NamelessBoard
        return engine.play(kind.of(state), limit, patience, self._match_game)


def _finite(seconds: float) -> float | None:
    return seconds if math.isfinite(seconds) else None


def finding(state: MicrochessState, move: Any, told: InfoDict) -> SearchInfo | None:
    """Return what an engine said of its move, its score as a win probability."""
    score = told.get("score")
    if score is None or not is_move(state, move):
        return None
    value = win_probability(score.relative.score(mate_score=MOST))
    texts: list[str] = []
    after = state.copy()
    for step in told.get("pv", ()):
        step = move if not texts else step  # the first one is the move itself, in our words
        if not is_move(after, step):
            break
        texts.append(after.move_text(step))
        after.push(step)
    text = state.move_text(move)
    line = Line(move, text, value, variation=tuple(texts) or (text,))
    return SearchInfo((line,), told.get("nodes", 0), told.get("time", 0.0), told.get("depth"))


def is_move(state: MicrochessState, move: Any) -> bool:
    """Return whether an engine's answer is a legal move of ours."""
    return isinstance(move, chess.Move) and state.move_id(move) in state.move_ids()


@dataclass(frozen=True)
class UciOptions(EngineOptions):
    """How much an engine may think."""

    depth: Depth | None = None
    nodes: Count | None = None


@dataclass(frozen=True)
class CommandOptions(UciOptions):
    """The program to run."""

    command: str = ""


class AnyUci(UciAgent):
    """Any UCI engine by its command; further options are the engine's own.

    ``uci:/path/to/engine --argument;Skill Level=3;move_time=0.5``
    """

    Options: ClassVar[type[Options]] = CommandOptions

    def __init__(self, name: str = "", color: bool = WHITE, **options: Any) -> None:
        own = {field.name for field in fields(self.Options)}
        self._settings = {key: value for key, value in options.items() if key not in own}
        super().__init__(name, color, **{k: v for k, v in options.items() if k in own})

    def command(self) -> list[str]:
        """Return the command that was named."""
        return split_command(self.options.command)

    def settings(self) -> dict[str, Any]:
        """Return the options given besides our own."""
        return self._settings


@dataclass(frozen=True)
class StockfishOptions(UciOptions):
    """How strong it is."""

    level: Annotated[int, Range(0, 20)] = 20


class FairyStockfish(UciAgent):
    """Fairy-Stockfish, which reads the rules of microchess from a file."""

    Options: ClassVar[type[Options]] = StockfishOptions

    def command(self) -> list[str]:
        """Return the program."""
        return ["fairy-stockfish"]

    def settings(self) -> dict[str, Any]:
        """Return the file of rules and the level."""
        return {"VariantPath": str(VARIANT), "Skill Level": self.options.level}


class Stockfish(UciAgent):
    """Stockfish, kept inside the 4x5 board: no castling, a pawn that arrives is a queen.

    It sees the pieces in the corner of its own board and only the first move is restricted, so
    deeper down it believes in squares that are not there.
    """

    Options: ClassVar[type[Options]] = StockfishOptions

    def command(self) -> list[str]:
        """Return the program."""
        return ["stockfish"]

    def settings(self) -> dict[str, Any]:
        """Return the level."""
        return {"Skill Level": self.options.level}

    def ask(
        self, engine: UciEngine, state: MicrochessState, limit: Limit, patience: float
    ) -> tuple[Any, InfoDict]:
        """Offer it those of our moves that are moves of chess, too."""
        moves = moves_of_chess(state)
        if not moves:
            return self.rng.choice(list(state.legal_moves)), {}
        answer, told = engine.play(chess_board(state), limit, patience, self._match_game, moves)
        return moves.get(answer, answer) if isinstance(answer, chess.Move) else answer, told


def chess_board(state: MicrochessState) -> chess.Board:
    """Return the position on the usual board, without castling.

    >>> import hansu
    >>> chess_board(hansu.game("microchess").start()).fen()
    '8/8/8/knbr4/p7/8/3P4/RBNK4 w - - 0 1'
    """
    placement, turn, _, skipped, *counters = state.fen().split()
    if turn == "w":  # after Black's long step; chess knows none to rank 3
        skipped = "-"
    return chess.Board(" ".join([placement, turn, "-", skipped, *counters]))


def moves_of_chess(state: MicrochessState) -> dict[chess.Move, chess.Move]:
    """Map the moves that chess knows as well to what they are here.

    Castling is missing, and so are Black's long step from rank 4 and taking it in passing. White
    promotes on rank 5 to a queen, where chess sees a pawn go on.

    >>> import hansu
    >>> state = hansu.game("microchess").parse("4/3P/k3/4/K3 w - - 0 1")
    >>> [f"{theirs} {ours}" for theirs, ours in moves_of_chess(state).items()]
    ['d4d5 d4d5q', 'a1b1 a1b1']
    """
    board, found = chess_board(state), {}
    for ours in state.legal_moves:
        theirs = ours
        if ours.promotion and state.turn == chess.WHITE:
            if ours.promotion != chess.QUEEN:
                continue
            theirs = chess.Move(ours.from_square, ours.to_square)
        if board.is_legal(theirs):
            found[theirs] = ours
    return found
