"""Every legal move of many positions, and the position after it, as Fairy-Stockfish has them."""

import collections
import itertools
import random

import chess
import pytest

import hansu
from hansu.games.microchess.notation import format_compact
from tests.games.every_move import every_move
from tests.games.microchess.oracle import FairyStockfish, load_pyffish, oracle_fen
from tests.games.microchess.positions import random_positions, random_setup

VALUES = dict(zip(chess.PIECE_TYPES, (1, 3, 3, 5, 10, 4), strict=True))  # from pawn to king
CORNERS = chess.BB_A1 | chess.BB_D1 | chess.BB_A5 | chess.BB_D5


@pytest.mark.parametrize(
    ("fen", "move", "after"),
    [
        # a1 is square 0: taking there is not en passant, whatever stands on a2
        ("1nb1/1k2/4/Kp1r/R3 b - - 1 6", "b2a1r", "1nb1/1k2/4/K2r/r3 w - - 0 7"),
        ("3k/4/4/Pp1K/N3 b - - 1 6", "b2a1q", "3k/4/4/P2K/q3 w - - 0 7"),
        ("k3/4/4/qp2/R2K b K - 1 6", "b2a1n", "k3/4/4/q3/n2K w - - 0 7"),
        # and the far corner, of both
        ("2nr/kPP1/4/3K/4 w - - 1 6", "c4d5b", "2nB/kP2/4/3K/4 b - - 0 6"),
        ("k2r/2P1/4/3K/4 w k - 1 6", "c4d5r", "k2R/4/4/3K/4 b - - 0 6"),
    ],
)
def test_a_pawn_takes_in_the_corner_and_nothing_else_vanishes(fen, move, after):
    state = hansu.game("microchess").parse(fen)
    state.push(state.parse_move(move))
    assert state.compact_fen() == after


@pytest.mark.parametrize("square", [chess.A1, chess.A3, chess.C3, chess.D3, chess.B4, chess.H8])
def test_a_skipped_square_that_no_pawn_skipped_changes_nothing(square):
    """A board may be edited: as with castling rights, what cannot be is not believed."""
    plain = hansu.game("microchess").parse("k3/4/n1b1/PP1P/R2K w K - 3 9")
    edited = plain.copy()
    edited.ep_square = square
    assert list(edited.legal_moves) == list(plain.legal_moves)
    assert edited.key == plain.key
    for move in plain.legal_moves:
        assert edited.forward(move) == plain.forward(move)


def test_a_king_that_walks_where_castling_would_take_it_moves_no_rook():
    state = hansu.game("microchess").parse("k2r/p3/4/3P/R2K w k - 0 1")
    state.push(chess.Move.from_uci("d1b1"))  # not legal: push does not ask
    assert state.compact_fen() == "k2r/p3/4/3P/RK2 b k - 1 1"


def positions(count, seed):
    """Half of them set up, half from random games."""
    rng = random.Random(seed)
    setups = (random_setup(rng) for _ in range(count // 2))
    return itertools.chain(setups, random_positions(count // 2, seed))


@pytest.mark.parametrize("count", [1500, pytest.param(200_000, marks=pytest.mark.slow)])
def test_every_move_leads_where_it_leads_in_fairy_stockfish(count):
    seen = collections.Counter()
    with FairyStockfish() as engine:
        for state in positions(count, seed=count):
            fen = oracle_fen(state)
            afters = dict(every_move(state, texts=seen["positions"] % 4 == 0))
            assert sorted(move.uci() for move in afters) == sorted(engine.moves(fen)), fen
            theirs = engine.after(fen, [move.uci() for move in afters])
            for (move, after), expected in zip(afters.items(), theirs, strict=True):
                assert format_compact(after.fen(en_passant="xfen")) == expected, (fen, move)
                seen[check_ending(after)] += 1
                count_kinds(state, move, after, seen)
            seen["positions"] += 1
    assert seen["positions"] == count
    kinds = ("castling", "en passant", "promotion", "takes in a corner", "takes a castling rook")
    endings = ("checkmate", "stalemate", "insufficient_material", "no_progress", "running")
    assert all(seen[kind] > count // 250 for kind in (*kinds, "skips", "double check", *endings)), (
        seen
    )


@pytest.mark.parametrize("count", [100, pytest.param(5000, marks=pytest.mark.slow)])
def test_every_move_leads_where_it_leads_in_pyffish(count):
    """The newer Fairy-Stockfish; it takes milliseconds to answer."""
    pyffish = load_pyffish()
    for state in positions(count, seed=1):
        fen = oracle_fen(state)
        assert sorted(map(state.uci, state.legal_moves)) == sorted(
            pyffish.legal_moves("microchess", fen, [])
        )
        for move in state.legal_moves:
            expected = pyffish.get_fen("microchess", fen, [move.uci()]).replace(" Q", " K")
            after = state.forward(move).fen(en_passant="xfen")
            assert format_compact(after) == expected, (fen, move)


def check_ending(state):
    """The outcome by the plain text of the rules; python-chess knows insufficient material."""
    lead = sum(
        value * (len(state.pieces(kind, chess.WHITE)) - len(state.pieces(kind, chess.BLACK)))
        for kind, value in VALUES.items()
    )
    richer = None if lead == 0 else lead > 0
    if not any(state.legal_moves):
        mated = state.is_check()
        expected = ("checkmate", not state.turn) if mated else ("stalemate", richer)
    elif chess.Board.is_insufficient_material(state):
        expected = ("insufficient_material", richer)
    elif state.halfmove_clock >= 50:
        expected = ("no_progress", richer)
    else:
        expected = ("repetition", richer) if state.is_repetition(5) else None
    outcome = state.outcome()
    assert (outcome and (outcome.reason, outcome.winner)) == expected, state.fen()
    return expected[0] if expected else "running"


def count_kinds(state, move, after, seen):
    """What came up, so that the test knows that it tested something."""
    taken = state.occupied & chess.BB_SQUARES[move.to_square]
    seen["castling"] += state.is_castling(move)
    seen["en passant"] += state.is_en_passant(move)
    seen["promotion"] += move.promotion is not None
    seen["takes in a corner"] += bool(move.promotion and taken & CORNERS)
    seen["takes a castling rook"] += bool(taken & state.castling_rights)
    seen["skips"] += after.has_legal_en_passant()
    seen["double check"] += chess.popcount(after.checkers_mask()) > 1
