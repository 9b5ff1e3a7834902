"""UCI engines as agents: ``stockfish``, ``fairy_stockfish``, and any other by its command."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self, cast

import chess

from hansu.agents.agent import Options
from hansu.agents.budget import fair_share
from hansu.games.game import WHITE
from hansu.games.microchess.notation import format_compact
from hansu.games.microchess.state import MicrochessState
from hansu.games.state import State
from hansu.options import Range
from hansu.protocols.external import EngineOptions, ExternalAgent, seconds_left
from hansu.protocols.program import split_command
from hansu.protocols.uci_client import UciEngine

VARIANT = Path(__file__).with_name("microchess.ini")
LATE = 10.0  # seconds after its time that an engine counts as dead


class CompactBoard(MicrochessState):
    """Microchess as engines want it: the FEN has five rows of four squares."""

    @classmethod
    def of(cls, state: MicrochessState) -> Self:
        """The same position with the same moves behind it."""
        board = object.__new__(cls)
        vars(board).update(vars(state.copy()))
        return board

    def fen(self, **options: Any) -> str:
        """The compact FEN."""
        return format_compact(super().fen(**options))


class NamelessBoard(CompactBoard):
    """The same for an engine that knows this one game and has no option to choose it."""

    uci_variant: ClassVar[str | None] = "chess"


class UciAgent(ExternalAgent):
    """A UCI engine that plays microchess."""

    games: ClassVar[tuple[str, ...]] = ("microchess",)
    engine: UciEngine | None
    _match_game: object = None

    def settings(self) -> dict[str, Any]:
        """The UCI options to set."""
        return {}

    def start(self) -> UciEngine:
        """Start the program and set its options."""
        engine = UciEngine(self.command())
        engine.configure(self.settings())
        if "UCI_Variant" in engine.options:
            engine.add_variant("microchess")
        return engine

    def begin(self) -> None:
        """The engine hears of a new game with the first move; see that it is ready."""
        self._match_game = object()
        self.running().ping()

    def act(self, state: State) -> Any:
        """Let the engine think."""
        engine, seconds = self.running(), min(self.options.move_time, fair_share(state))
        patience = min(seconds + LATE, seconds_left(state) + 0.5)
        return self.ask(engine, cast(MicrochessState, state), seconds, patience)

    def ask(
        self, engine: UciEngine, state: MicrochessState, seconds: float, patience: float
    ) -> Any:
        """The engine's answer in a position."""
        kind = CompactBoard if "UCI_Variant" in engine.options else NamelessBoard
        return engine.play(kind.of(state), seconds, patience, self._match_game)


@dataclass(frozen=True)
class CommandOptions(EngineOptions):
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
        """What was named."""
        return split_command(self.options.command)

    def settings(self) -> dict[str, Any]:
        """What was given besides."""
        return self._settings


@dataclass(frozen=True)
class StockfishOptions(EngineOptions):
    """How strong it is."""

    level: Annotated[int, Range(0, 20)] = 20


class FairyStockfish(UciAgent):
    """Fairy-Stockfish, which is told the rules of microchess by a file."""

    Options: ClassVar[type[Options]] = StockfishOptions

    def command(self) -> list[str]:
        """The program."""
        return ["fairy-stockfish"]

    def settings(self) -> dict[str, Any]:
        """Where the rules are, and the level."""
        return {"VariantPath": str(VARIANT), "Skill Level": self.options.level}


class Stockfish(UciAgent):
    """Stockfish, kept inside the 4x5 board: no castling, a pawn that arrives is a queen.

    It sees the pieces in the corner of its own board and only the first move is restricted, so
    deeper down it believes in squares that are not there.
    """

    Options: ClassVar[type[Options]] = StockfishOptions

    def command(self) -> list[str]:
        """The program."""
        return ["stockfish"]

    def settings(self) -> dict[str, Any]:
        """The level."""
        return {"Skill Level": self.options.level}

    def ask(
        self, engine: UciEngine, state: MicrochessState, seconds: float, patience: float
    ) -> Any:
        """Offer it those of our moves that are moves of chess, too."""
        moves = moves_of_chess(state)
        if not moves:
            return self.rng.choice(list(state.legal_moves))
        answer = engine.play(chess_board(state), seconds, patience, self._match_game, moves)
        return moves.get(answer, answer) if isinstance(answer, chess.Move) else answer


def chess_board(state: MicrochessState) -> chess.Board:
    """The position on the usual board, without castling.

    >>> import hansu
    >>> chess_board(hansu.game("microchess").start()).fen()
    '8/8/8/knbr4/p7/8/3P4/RBNK4 w - - 0 1'
    """
    placement, turn, _, skipped, *counters = state.fen().split()
    if turn == "w":  # after Black's long step; chess knows none to rank 3
        skipped = "-"
    return chess.Board(" ".join([placement, turn, "-", skipped, *counters]))


def moves_of_chess(state: MicrochessState) -> dict[chess.Move, chess.Move]:
    """The moves that chess knows as well -> what they are here.

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
