"""Fairy-Stockfish as a rules oracle, and positions to ask it about."""

import random
import shutil
import subprocess
from collections.abc import Iterator

import chess
import pytest

import hansu
from hansu.games.microchess.notation import check_position, format_compact
from hansu.games.microchess.state import MicrochessState
from hansu.games.microchess.tables import SQUARES
from hansu.protocols.uci_agents import VARIANT


def load_pyffish():
    """The module pyffish, knowing microchess; skips the test when it is not installed."""
    pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed (extra dev)")
    pyffish.load_variant_config(VARIANT.read_text())
    return pyffish


def engine_perft(questions: list[tuple[str, int]]) -> list[int]:
    """What Fairy-Stockfish counts from each compact FEN to each depth."""
    binary = shutil.which("fairy-stockfish", path="/usr/games:/usr/bin:/usr/local/bin")
    if binary is None:
        pytest.skip("fairy-stockfish is not installed (apt install fairy-stockfish)")
    with subprocess.Popen(
        [binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as engine:

        def ask(*commands: str) -> int:
            engine.stdin.write("\n".join([*commands, ""]))
            engine.stdin.flush()
            line = next(line for line in engine.stdout if line.startswith("Nodes searched"))
            return int(line.split(":")[1])

        options = [f"VariantPath value {VARIANT}", "UCI_Variant value microchess"]
        engine.stdin.writelines(f"setoption name {option}\n" for option in options)
        # One question at a time: the engine counts in a thread and crashes when hurried.
        answers = [ask(f"position fen {fen}", f"go perft {depth}") for fen, depth in questions]
        engine.stdin.write("quit\n")
        engine.stdin.flush()
    return answers


def oracle_fen(state: MicrochessState) -> str:
    """A FEN that names the castling rooks by their files: with K the oracle may pick another."""
    return format_compact(state.shredder_fen())


def random_setup(rng: random.Random) -> MicrochessState:
    """A set-up position with kings, perhaps castling rights, and up to a dozen other pieces."""
    while True:
        state = MicrochessState(None)
        if rng.random() < 0.4:
            state.set_board_fen("k2r/4/4/4/R2K")
            state.set_castling_fen("Kk")
        else:
            white, black = rng.sample(SQUARES, 2)
            state.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
            state.set_piece_at(black, chess.Piece(chess.KING, chess.BLACK))
        for _ in range(rng.randrange(1, 10)):
            kind = rng.choice([chess.PAWN, chess.PAWN, chess.PAWN, *range(1, 6)])
            ranks = range(1, 4) if kind == chess.PAWN else range(5)
            square = chess.square(rng.randrange(4), rng.choice(ranks))
            if state.piece_at(square) is None:
                state.set_piece_at(square, chess.Piece(kind, rng.random() < 0.5))
        state.turn = rng.random() < 0.5
        try:
            check_position(state, state.fen())
        except hansu.HansuError:
            continue
        return state


def random_positions(count: int, seed: int) -> Iterator[MicrochessState]:
    """Positions of random games, half of them from set-up positions."""
    rng = random.Random(seed)
    start = hansu.game("microchess").start()
    given = 0
    while given < count:
        state = start.copy() if rng.random() < 0.5 else random_setup(rng)
        for _ in range(rng.randrange(40)):
            yield state
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
