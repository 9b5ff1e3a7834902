"""Legal moves, against Fairy-Stockfish and positions recorded with it."""

import collections
from pathlib import Path

import chess
import pytest

import hansu
from hansu.search.perft import perft
from tests.games.microchess.oracle import FairyStockfish, load_pyffish, oracle_fen
from tests.games.microchess.positions import random_positions

GAME = hansu.game("microchess")
PERFT = Path(__file__).parents[2] / "data" / "microchess_perft.txt"


def perft_table():
    for line in PERFT.read_text().splitlines():
        if not line.startswith("#"):
            fen, counts = line.split(";")
            yield fen.strip(), [int(count) for count in counts.split()]


@pytest.mark.parametrize(("fen", "counts"), list(perft_table()))
def test_perft_to_depth_7_agrees_with_fairy_stockfish(fen, counts):
    state = GAME.parse(fen)
    assert [perft(state, depth) for depth in range(1, len(counts[:7]) + 1)] == counts[:7]


@pytest.mark.slow
def test_perft_to_depth_8_agrees_with_fairy_stockfish():
    fen, counts = next(perft_table())
    assert perft(GAME.parse(fen), 8) == counts[7]


def test_perft_of_random_positions_agrees_with_fairy_stockfish_live():
    with FairyStockfish() as engine:
        for state in random_positions(300, seed=5):
            assert perft(state, 3) == engine.perft(oracle_fen(state), 3), state.fen()


def test_all_recorded_positions_have_the_recorded_moves(shared_data):
    lines = shared_data("microchess/positions_variantA.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith(("#", "fen"))]
    assert len(rows) == 1300
    statuses = collections.Counter()
    for fen, status, *moves in rows:
        state = GAME.parse(fen)
        found = sorted(state.move_text(move) for move in state.legal_moves)
        assert found == sorted(" ".join(moves).split()), fen
        is_over = not found
        assert state.is_check() == (status in ("check", "checkmate")), fen
        assert state.is_checkmate() == (status == "checkmate"), fen
        assert state.is_stalemate() == (status == "stalemate"), fen
        if is_over:
            assert state.outcome().reason == status, fen
        statuses[status] += 1
    assert min(statuses[status] for status in ("normal", "check", "checkmate", "stalemate")) > 30


def compare_with_pyffish(count, seed):
    pyffish = load_pyffish()
    seen = collections.Counter()
    for state in random_positions(count, seed):
        fen = oracle_fen(state)
        moves = list(state.legal_moves)
        theirs = pyffish.legal_moves("microchess", fen, [])
        assert sorted(state.move_text(move) for move in moves) == sorted(theirs), fen
        assert state.is_check() == pyffish.gives_check("microchess", fen, []), fen
        seen["positions"] += 1
        seen["check"] += state.is_check()
        seen["double check"] += len(state.checkers()) > 1
        seen["castling"] += any(map(state.is_castling, moves))
        seen["promotion"] += any(move.promotion for move in moves)
        seen["en passant"] += any(map(state.is_en_passant, moves))
        seen["pin"] += any(
            state.is_pinned(state.turn, square)
            for square in chess.scan_forward(state.occupied_co[state.turn] & ~state.kings)
        )
        seen["mate"] += state.is_checkmate()
        seen["stalemate"] += state.is_stalemate()
    assert seen["positions"] == count
    kinds = ("check", "double check", "castling", "promotion", "en passant", "pin", "mate")
    assert all(seen[kind] > 0 for kind in (*kinds, "stalemate")), seen


@pytest.mark.slow  # test_every_move compares more of more positions
def test_2000_random_positions_have_the_moves_of_fairy_stockfish():
    compare_with_pyffish(2000, seed=1)


@pytest.mark.slow
def test_10000_random_positions_have_the_moves_of_fairy_stockfish():
    compare_with_pyffish(10_000, seed=2)


def test_san_agrees_with_fairy_stockfish():
    """Fairy-Stockfish calls White's castling O-O-O; all else must be the same."""
    pyffish = load_pyffish()
    for state in random_positions(80, seed=3):
        fen = oracle_fen(state)
        for move in state.legal_moves:
            san = pyffish.get_san("microchess", fen, move.uci())
            assert state.san(move) == san.replace("O-O-O", "O-O"), (fen, move)


def test_mirrored_positions_have_the_mirrored_moves():
    def turned(square):
        return 35 - square

    for state in random_positions(500, seed=4):
        expected = {
            chess.Move(turned(move.from_square), turned(move.to_square), move.promotion)
            for move in state.legal_moves
        }
        mirrored = state.mirror()
        assert set(mirrored.legal_moves) == expected, state.fen()
        assert mirrored.mirror() == state


def test_the_start_is_its_own_mirror_image_with_black_to_move():
    start = GAME.start()
    assert start.mirror().fen() == start.fen().replace(" w ", " b ")


def test_pseudo_legal_moves_that_keep_the_king_safe_are_the_legal_moves():
    for state in random_positions(300, seed=6):
        pseudo = list(state.pseudo_legal_moves)
        assert len(set(pseudo)) == len(pseudo)
        legal = {move for move in pseudo if not state.is_into_check(move)}
        assert legal == set(state.legal_moves), state.fen()
        assert all(state.is_pseudo_legal(move) for move in pseudo)


@pytest.mark.parametrize(
    ("fen", "castles"),
    [
        ("k2r/p3/4/3P/R2K w Kk - 0 1", True),
        ("k2r/p3/4/3P/R2K w Qq - 0 1", True),
        ("k2r/p3/4/3P/R2K w Ad - 0 1", True),
        ("k2r/p3/4/3P/R2K w k - 0 1", False),  # no right
        ("k2r/p3/4/3P/RB1K w Kk - 0 1", False),  # something between
        ("k2r/p3/2r1/3P/R2K w Kk - 0 1", False),  # through check: the rook sees c1
        ("k2r/p3/1r2/3P/R2K w Kk - 0 1", False),  # into check
        ("k2r/p3/4/2pP/R2K w Kk - 0 1", False),  # out of check
        ("k2r/p3/b3/3P/R2K w Kk - 0 1", False),  # the bishop sees c1
        ("k3/r3/4/3P/R2K w K - 0 1", True),  # the rook may be attacked
    ],
)
def test_when_white_may_castle(fen, castles):
    state = GAME.parse(fen)
    move = chess.Move.from_uci("d1b1")
    assert state.is_legal(move) == castles
    assert (move in list(state.legal_moves)) == castles
    if castles:
        state.push(move)
        assert state.compact_fen().split()[0].endswith("1KR1")
        assert not state.has_castling_rights(chess.WHITE)


def test_black_castles_to_the_right():
    state = GAME.parse("k2r/p3/4/3P/R2K b Kk - 3 9")
    assert state.san(chess.Move.from_uci("a5c5")) == "O-O"
    state.push_san("O-O")
    assert state.compact_fen() == "1rk1/p3/4/3P/R2K w K - 4 10"


@pytest.mark.parametrize(
    ("moves", "rights"),
    [
        ("", "Kk"),
        ("d2d3", "Kk"),
        ("d1c1", "k"),
        ("d1c1 a5b5", "-"),
        ("a1a2", "k"),
        ("a1a2 d5d4 a2a1 d4d5", "-"),
        ("b4d5", "K"),  # takes the rook
        ("d1b1", "k"),
        ("d1b1 a5b5", "-"),
    ],
)
def test_castling_rights_go_with_king_and_rook(moves, rights):
    state = GAME.parse("k2r/pN2/4/3P/R2K w Kk - 0 1")
    for text in moves.split():
        state.push(state.parse_move(text))
    assert state.fen().split()[2] == rights
