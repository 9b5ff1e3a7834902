"""Positions of microchess to check the rules with: set up at random, and from random games."""

import random
from collections.abc import Iterator

import chess

import hansu
from hansu.games.microchess.notation import check_position
from hansu.games.microchess.state import MicrochessState
from hansu.games.microchess.tables import SQUARES

HOMES = {chess.WHITE: (chess.D1, chess.A1), chess.BLACK: (chess.A5, chess.D5)}  # king and rook
CLOCKS = (0, 1, 7, 48, 49, 50, 51, 79, 80, 99, 100)


def random_setup(rng: random.Random) -> MicrochessState:
    """A legal position with any pieces: many pawns about to promote or to step twice, castling
    rights in every combination, skipped squares, checks, counters near their limits."""
    while True:
        state = MicrochessState(None)
        state.turn = rng.random() < 0.5
        for color in chess.COLORS:
            place_king(state, color, rng)
        if rng.random() < 0.3:
            skip_a_square(state, rng)
        for _ in range(rng.randrange(11)):
            kind = rng.choice([chess.PAWN, chess.PAWN, chess.PAWN, chess.PAWN, *range(2, 6)])
            ranks = (1, 1, 2, 3, 3) if kind == chess.PAWN else range(5)
            square = chess.square(rng.randrange(4), rng.choice(ranks))
            if state.piece_at(square) is None and square != state.ep_square:
                state.set_piece_at(square, chess.Piece(kind, rng.random() < 0.5))
        state.halfmove_clock = 0 if state.ep_square is not None else rng.choice(CLOCKS)
        state.fullmove_number = rng.randrange(1, 90)
        try:
            check_position(state, state.fen())
        except hansu.HansuError:
            continue
        skipped = state.ep_square is not None
        if not (skipped and state.status() & chess.STATUS_IMPOSSIBLE_CHECK):  # a king left in check
            return state


def place_king(state: MicrochessState, color: bool, rng: random.Random) -> None:
    """A king anywhere, or at home with its rook and perhaps the right to castle."""
    king, rook = HOMES[color]
    if rng.random() < 0.4 and state.piece_at(king) is None and state.piece_at(rook) is None:
        state.set_piece_at(rook, chess.Piece(chess.ROOK, color))
        if rng.random() < 0.8:
            state.castling_rights |= chess.BB_SQUARES[rook]
    else:
        king = rng.choice([square for square in SQUARES if state.piece_at(square) is None])
    state.set_piece_at(king, chess.Piece(chess.KING, color))


def skip_a_square(state: MicrochessState, rng: random.Random) -> None:
    """A pawn that has just stepped twice, and mostly one beside it that may take it."""
    file, rank = rng.randrange(4), 1 if state.turn else 3
    way = [chess.square(file, at) for at in (rank, 2, 4 - rank)]
    if any(state.piece_at(square) for square in way):
        return
    state.set_piece_at(way[0], chess.Piece(chess.PAWN, not state.turn))
    state.ep_square = way[1]
    beside = chess.square(rng.choice([f for f in (file - 1, file + 1) if 0 <= f < 4]), rank)
    if state.piece_at(beside) is None:
        state.set_piece_at(beside, chess.Piece(chess.PAWN, state.turn))


def random_positions(count: int, seed: int) -> Iterator[MicrochessState]:
    """Positions of random games, half of them from set-up positions."""
    rng = random.Random(seed)
    start = hansu.game("microchess").start()
    given = 0
    while given < count:
        state = start.copy() if rng.random() < 0.5 else random_setup(rng)
        for _ in range(rng.randrange(40)):
            yield state.copy()
            given += 1
            moves = list(state.legal_moves)
            if given == count or not moves:
                break
            doubles = [move for move in moves if is_double_step(state, move)]
            state.push(rng.choice(doubles if doubles and rng.random() < 0.3 else moves))


def is_double_step(state: MicrochessState, move: chess.Move) -> bool:
    """Whether a move may allow en passant, which random games rarely do."""
    pawn = state.piece_type_at(move.from_square) == chess.PAWN
    return pawn and abs(move.from_square - move.to_square) == 16
