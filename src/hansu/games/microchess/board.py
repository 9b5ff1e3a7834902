"""python-chess's Board on 4x5: its whole public surface, with the compiled rules underneath.

The board's sets of squares (``pawns``, ``occupied_co``, ...) are the truth, as in python-chess, so
a board can be edited. What they allow is answered by ``board_kernels``; what python-chess derives
from such answers (SAN, checks, PGN, ...) is inherited.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

import chess
import numpy as np

from hansu.errors import PositionError
from hansu.games.microchess import board_kernels, notation
from hansu.games.microchess.notation import BLACK_ROOK, START, WHITE_ROOK
from hansu.games.microchess.rules import MAX_MOVES
from hansu.games.microchess.tables import FILES, RANKS, SQUARES

BOARD = sum(chess.BB_SQUARES[square] for square in SQUARES)
CASTLING_ROOKS = WHITE_ROOK | BLACK_ROOK
LAST_RANKS = (chess.BB_RANK_1 | chess.BB_RANK_5) & BOARD
CASTLING_TEXTS = {
    f"{text}{check}" for text in ("O-O", "O-O-O", "0-0", "0-0-0") for check in ("", "+", "#")
}

MOVES = {
    source | target << 6 | promotion << 12: chess.Move(source, target, promotion or None)
    for source in SQUARES
    for target in SQUARES
    for promotion in (0, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
    if not promotion or chess.BB_SQUARES[target] & LAST_RANKS
}
"""The moves by their numbers in compiled code, made once: a list of moves is a list of look-ups."""


def turn_around(squares: int) -> int:
    """Return a set of squares turned by 180 degrees: the symmetry between White and Black.

    >>> chess.square_name(chess.msb(turn_around(chess.BB_D1)))
    'a5'
    """
    return int(f"{squares:036b}"[::-1], 2)


class MicrochessBoard(chess.Board):
    """A chess board of four files and five ranks, in the lower left corner of the usual one.

    Not used alone: making moves is the part of ``MicrochessState``.
    """

    aliases: ClassVar[list[str]] = ["Microchess"]
    uci_variant: ClassVar[str | None] = "microchess"
    xboard_variant: ClassVar[str | None] = "microchess"
    starting_fen: ClassVar[str] = START
    tbw_suffix = tbz_suffix = None
    tbw_magic = tbz_magic = None

    def _sets(self, turn: bool) -> tuple[int, ...]:
        """Return the position as compiled code takes it, with ``turn`` to move."""
        occupied = self.occupied_co
        return (
            0 if turn else 1,
            self.pawns,
            self.knights,
            self.bishops,
            self.rooks,
            self.queens,
            self.kings,
            occupied[turn] & BOARD,
            occupied[not turn] & BOARD,
            self.castling_rights & CASTLING_ROOKS,
            0 if self.ep_square is None else chess.BB_SQUARES[self.ep_square] & BOARD,
        )

    def generate_move_ids(self, lawful: bool = True) -> list[int]:
        """Return the legal moves, or the pseudo-legal ones, as compiled code numbers them."""
        out = np.empty(MAX_MOVES, np.int64)
        move_ids: list[int] = out[
            : board_kernels.moves(lawful, out, self._sets(self.turn))
        ].tolist()
        return move_ids

    # Moves ---------------------------------------------------------------------------------------

    def generate_legal_moves(
        self, from_mask: int = chess.BB_ALL, to_mask: int = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        return self._generate(True, from_mask, to_mask)

    def generate_pseudo_legal_moves(
        self, from_mask: int = chess.BB_ALL, to_mask: int = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        return self._generate(False, from_mask, to_mask)

    def _generate(self, lawful: bool, from_mask: int, to_mask: int) -> Iterator[chess.Move]:
        moves = [MOVES[move_id] for move_id in self.generate_move_ids(lawful)]
        if from_mask & to_mask & BOARD == BOARD:
            return iter(moves)
        return iter(
            move
            for move in moves
            if from_mask >> move.from_square & 1 and to_mask >> move.to_square & 1
        )

    def generate_pseudo_legal_ep(
        self, from_mask: int = chess.BB_ALL, to_mask: int = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        return filter(self.is_en_passant, self._generate(False, from_mask, to_mask))

    def generate_legal_ep(
        self, from_mask: int = chess.BB_ALL, to_mask: int = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        return filter(self.is_en_passant, self._generate(True, from_mask, to_mask))

    def generate_castling_moves(
        self, from_mask: int = chess.BB_ALL, to_mask: int = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        return filter(self.is_castling, self._generate(True, from_mask, to_mask))

    def is_legal(self, move: chess.Move) -> bool:
        return not move.drop and self._castled(move) in self.generate_move_ids()

    def is_pseudo_legal(self, move: chess.Move) -> bool:
        return not move.drop and self._castled(move) in self.generate_move_ids(lawful=False)

    def _castled(self, move: chess.Move) -> int:
        """Return the number of a move; castling may be written as the king taking its rook."""
        plain = self._from_chess960(False, move.from_square, move.to_square, move.promotion)
        return plain.from_square | plain.to_square << 6 | (plain.promotion or 0) << 12

    def is_into_check(self, move: chess.Move) -> bool:
        self.push(move)
        try:
            return self.was_into_check()
        finally:
            self.pop()

    def find_move(
        self, from_square: int, to_square: int, promotion: int | None = None
    ) -> chess.Move:
        arrives = chess.BB_SQUARES[to_square] & LAST_RANKS
        if promotion is None and arrives and self.pawns & chess.BB_SQUARES[from_square]:
            promotion = chess.QUEEN
        return super().find_move(from_square, to_square, promotion)

    # Attacks -------------------------------------------------------------------------------------

    def attacks_mask(self, square: int) -> int:
        color = self.color_at(square)
        return 0 if color is None else int(board_kernels.attacks(square, self._sets(color)))

    def attackers_mask(self, color: bool, square: int, occupied: int | None = None) -> int:
        if not chess.BB_SQUARES[square] & BOARD:
            return 0
        blockers = (self.occupied if occupied is None else occupied) & BOARD
        return int(board_kernels.attackers(square, blockers, self._sets(not color)))

    def pin_mask(self, color: bool, square: int) -> int:
        return super().pin_mask(color, square) & BOARD

    def is_pinned(self, color: bool, square: int) -> bool:
        return self.pin_mask(color, square) != BOARD

    # Castling: kingside only ----------------------------------------------------------------------

    def clean_castling_rights(self) -> int:
        return (
            int(board_kernels.castling_rights(self._sets(self.turn))) if self.castling_rights else 0
        )

    def has_castling_rights(self, color: bool) -> bool:
        return bool(self.clean_castling_rights() & (WHITE_ROOK if color else BLACK_ROOK))

    def has_kingside_castling_rights(self, color: bool) -> bool:
        return self.has_castling_rights(color)

    def has_queenside_castling_rights(self, color: bool) -> bool:
        return False

    def has_chess960_castling_rights(self) -> bool:
        return False

    def is_kingside_castling(self, move: chess.Move) -> bool:
        return self.is_castling(move)

    def is_queenside_castling(self, move: chess.Move) -> bool:
        return False

    def _reduces_castling_rights(self, move: chess.Move) -> bool:
        rights = self.clean_castling_rights()
        move_cells = chess.BB_SQUARES[move.from_square] | chess.BB_SQUARES[move.to_square]
        return bool(
            move_cells & rights
            or (rights & WHITE_ROOK and move_cells & chess.BB_D1)
            or (rights & BLACK_ROOK and move_cells & chess.BB_A5)
        )

    def _from_chess960(
        self,
        chess960: bool,
        from_square: int,
        to_square: int,
        promotion: int | None = None,
        drop: int | None = None,
    ) -> chess.Move:
        """Return a move; the king taking its own rook is read as castling."""
        own = self.occupied_co[self.turn]
        king, rook = chess.BB_SQUARES[from_square], chess.BB_SQUARES[to_square]
        if (
            promotion is None
            and drop is None
            and own & self.kings & king
            and own & self.rooks & rook
        ):
            if (from_square, to_square) == (chess.D1, chess.A1):
                return chess.Move(chess.D1, chess.B1)
            if (from_square, to_square) == (chess.A5, chess.D5):
                return chess.Move(chess.A5, chess.C5)
        return chess.Move(from_square, to_square, promotion, drop)

    def _to_chess960(self, move: chess.Move) -> chess.Move:
        return move

    def set_chess960_pos(self, scharnagl: int) -> None:
        raise PositionError("microchess has no Chess960 positions: its start is always the same")

    def chess960_pos(
        self,
        *,
        ignore_turn: bool = False,
        ignore_castling: bool = False,
        ignore_counters: bool = True,
    ) -> int | None:
        return None

    # Claims: a rule set ends games by itself -----------------------------------------------------

    def can_claim_draw(self) -> bool:
        return False

    def can_claim_fifty_moves(self) -> bool:
        return False

    def can_claim_threefold_repetition(self) -> bool:
        return False

    # Text ----------------------------------------------------------------------------------------

    def parse_san(self, san: str) -> chess.Move:
        if san not in CASTLING_TEXTS:
            return super().parse_san(san)
        for move in self.generate_castling_moves():
            return move
        raise chess.IllegalMoveError(f"illegal san: {san!r} in {self.fen()}")

    def _algebraic_without_suffix(self, move: chess.Move, *, long: bool = False) -> str:
        if move and not move.drop and self.is_castling(move):
            return "O-O"
        return super()._algebraic_without_suffix(move, long=long)

    def castling_xfen(self) -> str:
        rights = self.clean_castling_rights()
        return ("K" if rights & WHITE_ROOK else "") + ("k" if rights & BLACK_ROOK else "") or "-"

    def castling_shredder_fen(self) -> str:
        return self.castling_xfen().replace("K", "A").replace("k", "d")

    def compact_fen(self) -> str:
        """Return the FEN in compact form.

        >>> import hansu
        >>> hansu.game("microchess").start().compact_fen()
        'knbr/p3/4/3P/RBNK w Kk - 0 1'
        """
        return notation.format_compact(self.fen())

    def set_fen(self, fen: str) -> None:
        read = notation.parse_fen(fen)
        self._set_piece_map(read.pieces)
        self.turn, self.castling_rights, self.ep_square = read.turn, read.castling, read.en_passant
        self.halfmove_clock, self.fullmove_number = read.no_progress, read.move_number
        self.clear_stack()

    def _set_board_fen(self, fen: str) -> None:
        self._set_piece_map(notation.parse_board(fen.strip()))

    def _set_castling_fen(self, castling_fen: str) -> None:
        self.castling_rights = notation.parse_castling(castling_fen or "-")

    def __str__(self) -> str:
        rows = []
        for rank in reversed(range(RANKS)):
            pieces = [self.piece_at(chess.square(file, rank)) for file in range(FILES)]
            rows.append(f"{rank + 1} " + " ".join(str(piece) if piece else "." for piece in pieces))
        return "\n".join([*rows, "  a b c d"])

    def unicode(
        self,
        *,
        invert_color: bool = False,
        borders: bool = False,
        empty_square: str = "⭘",
        orientation: bool = chess.WHITE,
    ) -> str:
        order = slice(None, None, 1 if orientation else -1)
        line = "  " + "-" * (2 * FILES + 1)
        rows = [line] if borders else []
        for rank in range(RANKS)[::-1][order]:
            pieces = [self.piece_at(chess.square(file, rank)) for file in range(FILES)[order]]
            cells = [
                piece.unicode_symbol(invert_color=invert_color) if piece else empty_square
                for piece in pieces
            ]
            rows += [f"{rank + 1} |{'|'.join(cells)}|", line] if borders else [" ".join(cells)]
        if borders:
            rows.append("   " + " ".join("abcd"[order]))
        return "\n".join(rows)

    # Setting up ----------------------------------------------------------------------------------

    def reset(self) -> None:
        self.set_fen(START)

    def _reset_board(self) -> None:
        self._set_board_fen(START.split()[0])

    def _set_piece_at(
        self, square: int, piece_type: int, color: bool, promoted: bool = False
    ) -> None:
        if not chess.BB_SQUARES[square] & BOARD:
            raise PositionError(f"{chess.square_name(square)} is outside the board, a1 to d5")
        super()._set_piece_at(square, piece_type, color, promoted)

    def _set_piece_map(self, pieces: Mapping[int, chess.Piece]) -> None:
        for square in pieces:
            if not chess.BB_SQUARES[square] & BOARD:
                raise PositionError(f"{chess.square_name(square)} is outside the board, a1 to d5")
        super()._set_piece_map(pieces)

    def apply_transform(self, f: Callable[[int], int]) -> None:
        if f(self.occupied) & ~BOARD:
            raise PositionError("the transformed pieces would stand outside the board, a1 to d5")
        super().apply_transform(f)

    def apply_mirror(self) -> None:
        """Turn the board by 180 degrees and swap the colours: the same position for the other."""
        self.apply_transform(turn_around)
        self.occupied_co.reverse()
        self.turn = not self.turn

    def status(self) -> chess.Status:
        """Return the problems of the position, as in python-chess, for any number of pieces."""
        white, black = self.occupied_co[chess.WHITE], self.occupied_co[chess.BLACK]
        checkers = self.checkers_mask()
        found = {
            chess.STATUS_EMPTY: not self.occupied,
            chess.STATUS_NO_WHITE_KING: not white & self.kings,
            chess.STATUS_NO_BLACK_KING: not black & self.kings,
            chess.STATUS_TOO_MANY_KINGS: chess.popcount(self.kings) > 2,
            chess.STATUS_PAWNS_ON_BACKRANK: self.pawns & LAST_RANKS,
            chess.STATUS_BAD_CASTLING_RIGHTS: self.castling_rights != self.clean_castling_rights(),
            chess.STATUS_INVALID_EP_SQUARE: self.ep_square != self._valid_ep_square(),
            chess.STATUS_OPPOSITE_CHECK: self.was_into_check(),
            chess.STATUS_TOO_MANY_CHECKERS: chess.popcount(checkers) > 2,
            chess.STATUS_IMPOSSIBLE_CHECK: self._is_impossible_check(checkers),
        }
        status = chess.STATUS_VALID
        for flag, is_set in found.items():
            if is_set:
                status |= flag
        return status

    def _is_impossible_check(self, checkers: int) -> bool:
        """Return whether no last move can have given these checks at once."""
        if not checkers:
            return False
        skipped = self._valid_ep_square()
        if skipped is None:
            several = chess.popcount(checkers)
            king = self.kings & self.occupied_co[self.turn]
            ends = chess.ray(chess.lsb(checkers), chess.msb(checkers)) if several == 2 else 0
            return several > 2 or bool(ends & king)
        behind = 8 if self.turn == chess.BLACK else -8
        pawn, origin = chess.BB_SQUARES[skipped + behind], chess.BB_SQUARES[skipped - behind]
        king_square = self.king(self.turn)
        if king_square is None or checkers == pawn:
            return False
        before = (self.occupied & ~pawn) | origin
        already = self.attackers_mask(not self.turn, king_square, before)
        return chess.popcount(checkers) > 1 or bool(already)

    def _valid_ep_square(self) -> int | None:
        """Return the skipped square, if a pawn of the other side can just have skipped it."""
        square = self.ep_square
        if square is None or not chess.BB_SQUARES[square] & chess.BB_RANK_3 & BOARD:
            return None
        behind = 8 if self.turn == chess.BLACK else -8
        pawn, origin = chess.BB_SQUARES[square + behind], chess.BB_SQUARES[square - behind]
        if not pawn & self.pawns & self.occupied_co[not self.turn]:
            return None
        return None if self.occupied & (chess.BB_SQUARES[square] | origin) else square
