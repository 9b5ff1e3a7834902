"""The state of a microchess game: a python-chess board with its game and options."""

import functools
import re
from array import array
from collections import Counter
from typing import TYPE_CHECKING, Any, Self

import chess
import numpy as np

from hansu.errors import MoveError, PositionError
from hansu.games.game import game
from hansu.games.microchess import board_kernels, draw, material
from hansu.games.microchess.board import MOVES, MicrochessBoard
from hansu.games.microchess.notation import START
from hansu.games.state import Outcome, State, Words

if TYPE_CHECKING:
    from hansu.games.microchess import Microchess

NULL = chess.Move.null()
Snapshot = tuple[Any, ...]  # sets, castling rights, skipped square, counters, promoted pieces


class MicrochessState(State, MicrochessBoard):  # type: ignore[misc]  # legal_moves: a generator
    """A microchess position. Moves are ``chess.Move``, squares and pieces python-chess's.

    >>> import hansu
    >>> state = hansu.game("microchess").start()
    >>> print(state)
    5 k n b r
    4 p . . .
    3 . . . .
    2 . . . P
    1 R B N K
      a b c d
    >>> state.push_san("Nb3")
    Move.from_uci('c1b3')
    >>> state.is_check()
    True
    """

    game: "Microchess"
    move_stack: list[chess.Move]

    def __init__(
        self, fen: str | None = START, *, chess960: bool = False, game: "Microchess | None" = None
    ) -> None:
        if chess960:
            raise PositionError("microchess has no Chess960 form")
        self.game = game or _default_game()
        self._before: list[Snapshot] = []  # the positions that led here, for pop
        self._keys = array("Q")  # and their keys
        MicrochessBoard.__init__(self, fen)

    # For compiled code ---------------------------------------------------------------------------

    @property
    def words(self) -> Words:
        limits = self.game.limits
        clock, sets = self.halfmove_clock, self._sets(self.turn)
        words: Words = board_kernels.words(len(self.move_stack), clock, limits, sets)
        return words

    @property
    def path(self) -> Words:
        return np.array(self._keys, np.uint64)

    @property
    def key(self) -> int:
        return int(board_kernels.key(self._sets(self.turn)))

    def move_ids(self) -> list[int]:
        return self.generate_move_ids()

    def move_id(self, move: chess.Move) -> int:
        try:
            return move.from_square | move.to_square << 6 | (move.promotion or 0) << 12
        except (AttributeError, TypeError):
            raise _no_move(move) from None

    def move_from_id(self, move_id: int) -> chess.Move:
        try:
            return MOVES[move_id]
        except (KeyError, TypeError):
            raise MoveError(f"{move_id!r} is not the number of a microchess move") from None

    # Making and taking back moves ----------------------------------------------------------------

    def push(self, move: chess.Move) -> None:
        """Make a move here, in place.

        As in python-chess its legality is not checked (ask ``is_legal``), but it must move a piece
        of the side to move on the board: else MoveError. A null move passes the turn.
        """
        moved, key, before = self._step(move, self)
        self.move_stack.append(moved)
        self._before.append(before)
        self._keys.append(key)

    def forward(self, move: chess.Move) -> Self:
        """Return the state after a move; this one stays as it is."""
        after = object.__new__(type(self))
        moved, key, before = self._step(move, after)
        after.game, after.chess960, after._stack = self.game, False, self._stack
        after.white_remain_sec = self.white_remain_sec
        after.black_remain_sec = self.black_remain_sec
        after.timing = self.timing
        after.move_stack = [*self.move_stack, moved]
        after._before = [*self._before, before]
        after._keys = self._keys[:]
        after._keys.append(key)
        return after

    def _step(self, move: chess.Move, after: Self) -> tuple[chess.Move, int, Snapshot]:
        """Write the position after a move to ``after``, which may be this very state.

        Returns the move as it is kept, the key of the position here and what pop needs.
        """
        turn, clock, number = self.turn, self.halfmove_clock, self.fullmove_number
        promoted = self.promoted
        sets = self._sets(turn)
        before = (sets, self.castling_rights, self.ep_square, clock, number, promoted)
        move, move_id = self._own_move(move, sets[7])
        if promoted or move.promotion:
            promoted = self._still_promoted(move)
        (
            after.pawns,
            after.knights,
            after.bishops,
            after.rooks,
            after.queens,
            after.kings,
            own,
            other,
            after.castling_rights,
            skipped,
            progress,
            key,
        ) = board_kernels.step(move_id, sets) if move_id else (*sets[1:10], 0, False, self.key)
        after.occupied = own | other
        after.occupied_co = [other, own] if turn else [own, other]
        after.promoted = promoted
        after.ep_square = chess.lsb(skipped) if skipped else None
        after.turn = not turn
        after.halfmove_clock = 0 if progress else clock + 1
        after.fullmove_number = number if turn else number + 1
        return move, key, before

    def _own_move(self, move: chess.Move, own: int) -> tuple[chess.Move, int]:
        """Return a move that can be carried out, legal or not, and its number; 0 for the null move.

        Compiled code checks no index, so moves that it cannot carry out are refused here.
        """
        try:
            source, target, promotion = move.from_square, move.to_square, move.promotion
            move_id = source | target << 6 | (promotion or 0) << 12
            if own >> source & 1 and not own >> target & 1 and move_id in MOVES and not move.drop:
                if promotion and not self.pawns >> source & 1:
                    raise MoveError(f"{move} promotes a piece that is not a pawn")
                return MOVES[move_id], move_id
            if not move:
                return NULL, 0
            castling = self._from_chess960(False, source, target, promotion, move.drop)
            if castling == move:
                raise MoveError(f"{move} does not move an own piece to another square of a1 to d5")
            return castling, self.move_id(castling)
        except MoveError:
            raise
        except (AttributeError, IndexError, TypeError, ValueError):
            raise _no_move(move) from None

    def _still_promoted(self, move: chess.Move) -> int:
        """Return python-chess's set of promoted pieces after a move."""
        source, target = chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square]
        arrived = target if move.promotion or self.promoted & source else 0
        return (self.promoted & ~source & ~target) | arrived

    def pop(self) -> chess.Move:
        """Take the last move back and return it; raises IndexError if there is none."""
        move = self.move_stack.pop()
        self._keys.pop()
        sets, castling, self.ep_square, clock, number, self.promoted = self._before.pop()
        second, *pieces, own, other, _, _ = sets
        self.pawns, self.knights, self.bishops, self.rooks, self.queens, self.kings = pieces
        self.turn, self.occupied = not second, own | other
        self.occupied_co = [own, other] if second else [other, own]
        self.castling_rights, self.halfmove_clock, self.fullmove_number = castling, clock, number
        return move

    def clear_stack(self) -> None:
        """Forget the moves that led here: the game starts from this position."""
        self.move_stack.clear()
        self._before.clear()
        del self._keys[:]

    def copy(self, *, stack: bool | int = True) -> Self:
        """Return an independent state, with all moves that led here, or the last few, or none."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.occupied_co = self.occupied_co.copy()
        kept = slice(None) if stack is True else slice(-stack, None) if stack else slice(0)
        other.move_stack = self.move_stack[kept]
        other._before = self._before[kept]
        other._keys = self._keys[kept]
        return other

    def root(self) -> Self:
        """Return the position that this game started from."""
        start = self.copy()
        while start.move_stack:
            start.pop()
        return start

    def is_repetition(self, count: int = 3) -> bool:
        """Return whether this position occurs for the third (or another) time."""
        return self._keys.count(self.key) >= count - 1

    # The end of the game -------------------------------------------------------------------------

    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        """Return whether a rule has ended the game; no draw has to be claimed."""
        return State.is_game_over(self)

    def outcome(self, *, claim_draw: bool = False) -> Outcome | None:  # type: ignore[override]
        """Return who won and why; None while the game runs. No draw has to be claimed."""
        return State.outcome(self)

    # Texts and pictures --------------------------------------------------------------------------

    def text(self) -> str:
        """Return the position as FEN."""
        return self.fen()

    def move_text(self, move: chess.Move) -> str:
        """Return a move as UCI, such as d2d4 or d4d5q."""
        try:
            return self.uci(move)
        except (AttributeError, IndexError, TypeError):
            raise _no_move(move) from None

    def move_cells(self, move: chess.Move) -> tuple[str, ...]:
        text = self.move_text(move)
        return text[:2], text[2:4]

    def move_name(self, move: chess.Move) -> str:
        """Return a move as SAN, such as O-O, Nxb3+ or a5=Q."""
        return self.san(move)

    def move_piece(self, move: chess.Move) -> str:
        """Return what a pawn becomes, such as white_queen."""
        if move.promotion is None:
            return ""
        return f"{chess.COLOR_NAMES[self.turn]}_{chess.piece_name(move.promotion)}"

    def captured(self) -> dict[str, list[str]]:
        """Return the names of the pieces lost since the game started, the least valued first."""
        lost = self.root()._pieces()
        lost.subtract(self._pieces())
        return {
            chess.COLOR_NAMES[color]: [
                f"{chess.COLOR_NAMES[color]}_{chess.piece_name(kind)}"
                for kind in chess.PIECE_TYPES
                for _ in range(lost[kind, color])
            ]
            for color in chess.COLORS
        }

    def _pieces(self) -> Counter[tuple[int, bool]]:
        """Return how many pieces of each kind and colour there are; a promoted one is a pawn."""
        return Counter(
            (chess.PAWN if self.promoted >> square & 1 else piece.piece_type, piece.color)
            for square, piece in self.piece_map().items()
        )

    def warning(self) -> str:
        """Return check, if the king is attacked."""
        return "check" if self.is_check() else ""

    def tally(self) -> dict[str, tuple[float, float]]:
        """Return what the pieces of both sides count."""
        values = material.parse_table(self.game.options.material)
        white, black = (
            sum(v * len(self.pieces(kind, color)) for kind, v in enumerate(values, 1))
            for color in (chess.WHITE, chess.BLACK)
        )
        return {"material": (white, black)}

    def read_move(self, text: str) -> chess.Move:
        """Return the move that a text names, as UCI or SAN."""
        text = text.strip()
        if re.fullmatch("[a-d][1-5][a-d][1-5][nbrq]?", text):
            return self._from_chess960(False, *_squares(chess.Move.from_uci(text)))
        try:
            move = self.parse_san(text)
        except chess.AmbiguousMoveError:
            raise MoveError(f"{text} can mean several moves; write it as d2d4") from None
        except chess.IllegalMoveError:
            raise self.illegal(text) from None
        except chess.InvalidMoveError:
            raise MoveError(
                f"{text[:40]!r} is not a move: write the squares, as d2d4 and d4d5q, or SAN, as Nb3"
            ) from None
        if not move:
            raise self.illegal(text)
        return move

    def svg(self, **options: Any) -> str:
        """Return the board as a picture."""
        return draw.board(self, **options)

    def __str__(self) -> str:
        return MicrochessBoard.__str__(self)

    def __eq__(self, other: object) -> bool:
        """Return whether position, counters and options are the same."""
        if isinstance(other, MicrochessState) and self.game != other.game:
            return False
        return MicrochessBoard.__eq__(self, other)

    def __hash__(self) -> int:
        return self.key


def _no_move(move: object) -> MoveError:
    shown = f"a chess.Move with {_squares(move)}" if isinstance(move, chess.Move) else repr(move)
    return MoveError(f"{shown} is not a microchess move: a chess.Move on a1 to d5 is expected")


def _squares(move: chess.Move) -> tuple[int, int, int | None]:
    return move.from_square, move.to_square, move.promotion


@functools.cache
def _default_game() -> Any:
    return game("microchess")
