"""UCI engines as agents: ``stockfish``, ``fairy_stockfish``, and any other by its command."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, cast

import chess

from hansu.agents.agent import Options
from hansu.agents.budget import fair_share
from hansu.games.game import WHITE
from hansu.games.microchess.notation import format_compact
from hansu.games.microchess.state import MicrochessState
from hansu.games.state import State
from hansu.protocols.external import EngineOptions, ExternalAgent, check_level, seconds_left
from hansu.protocols.program import split_command
from hansu.protocols.uci_client import UciEngine

VARIANT = Path(__file__).with_name("microchess.ini")
LATE = 10.0  # seconds after its time that an engine counts as dead


class CompactBoard(MicrochessState):
    """Microchess as engines want it: the FEN has five rows of four squares."""

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
        board = object.__new__(CompactBoard if "UCI_Variant" in engine.options else NamelessBoard)
        board.__dict__.update(state.copy().__dict__)
        return engine.play(board, seconds, patience, self._match_game)


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

    level: int = 20  # of 20

    def __post_init__(self) -> None:
        super().__post_init__()
        check_level("stockfish", self.level, 0, 20)


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
        board = chess_board(state)
        moves = {
            chess_move(move): move
            for move in state.legal_moves
            if move.promotion in (None, chess.QUEEN) or state.turn == chess.BLACK
        }
        known = [move for move in moves if board.is_legal(move)]
        if not known:  # what is left is unknown to chess: castling here, Black's pawn from rank 4
            return self.rng.choice(list(state.legal_moves))
        answer = engine.play(board, seconds, patience, self._match_game, known)
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


def chess_move(move: chess.Move) -> chess.Move:
    """A move as the usual board has it: rank 5 is not the last one."""
    if chess.square_rank(move.to_square) == 4:
        return chess.Move(move.from_square, move.to_square)
    return move
