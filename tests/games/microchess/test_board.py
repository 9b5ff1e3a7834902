"""The state is a chess.Board: what python-chess promises holds on 4x5."""

import copy
import pickle
import random

import chess
import chess.svg
import chess.variant
import pytest

import hansu
from hansu.errors import MoveError, PositionError
from hansu.games.microchess import rules
from hansu.games.microchess.board import BOARD
from hansu.games.microchess.state import MicrochessState
from hansu.games.rules_on_words import rules_on_words
from hansu.games.state import Timing
from tests.games.microchess.positions import random_positions

GAME = hansu.game("microchess")
CASTLING = "k2r/p3/4/3P/R2K {} Kk - 0 1"


def embedded(state):
    """The same pieces on python-chess's own board; nothing there castles."""
    board = chess.Board(None)
    board.set_piece_map(state.piece_map())
    board.turn = state.turn
    return board


def test_attacks_checks_and_pins_are_python_chess_s_cut_to_the_board():
    for state in random_positions(300, seed=21):
        usual = embedded(state)
        assert state.checkers_mask() == usual.checkers_mask()
        assert state.checkers() == usual.checkers()
        assert state.is_check() == usual.is_check()
        assert state.was_into_check() == usual.was_into_check()
        for square in chess.SQUARES:
            on_board = chess.BB_SQUARES[square] & BOARD
            assert state.attacks_mask(square) == usual.attacks_mask(square) & BOARD
            assert int(state.attacks(square)) == int(usual.attacks(square)) & BOARD
            for color in chess.COLORS:
                if on_board:
                    expected = usual.attackers_mask(color, square)
                    assert state.attackers_mask(color, square) == expected
                    assert state.is_attacked_by(color, square) == bool(expected)
                    assert state.is_pinned(color, square) == usual.is_pinned(color, square)
                    assert int(state.pin(color, square)) == int(usual.pin(color, square)) & BOARD
                else:
                    assert not state.attackers(color, square)


def test_attackers_can_be_asked_with_other_blockers():
    state = GAME.parse("r3/k3/4/4/R2K b - - 0 1")
    assert not state.is_attacked_by(chess.WHITE, chess.A5)
    without_king = state.occupied ^ chess.BB_A4
    assert state.attackers(chess.WHITE, chess.A5, without_king) == chess.SquareSet(chess.BB_A1)


def test_what_a_move_is():
    for state in random_positions(400, seed=22):
        usual = embedded(state)
        usual.ep_square = state.ep_square
        castling = 0
        for move in state.legal_moves:
            after = state.forward(move)
            assert state.gives_check(move) == after.is_check()
            captured = chess.popcount(state.occupied) != chess.popcount(after.occupied)
            pawn = state.piece_type_at(move.from_square) == chess.PAWN
            assert state.is_capture(move) == captured
            assert state.is_zeroing(move) == (captured or pawn) == (after.halfmove_clock == 0)
            assert not state.is_into_check(move)
            lost = state.clean_castling_rights() != after.clean_castling_rights()
            irreversible = captured or pawn or lost or state.has_legal_en_passant()
            assert state.is_irreversible(move) == irreversible
            if state.is_castling(move):
                castling += 1
                assert state.is_kingside_castling(move)
                assert not state.is_queenside_castling(move)
                assert abs(move.from_square - move.to_square) == 2
            if state.is_en_passant(move):
                assert captured
                assert not state.piece_at(move.to_square)
        assert castling == len(list(state.generate_castling_moves())) <= 1


def test_generators_can_be_narrowed():
    for state in random_positions(200, seed=23):
        legal, pseudo = set(state.legal_moves), set(state.pseudo_legal_moves)
        captures = {move for move in legal if state.is_capture(move)}
        assert set(state.generate_legal_captures()) == captures
        assert set(state.generate_pseudo_legal_captures()) == set(filter(state.is_capture, pseudo))
        passing = set(filter(state.is_en_passant, legal))
        assert set(state.generate_legal_ep()) == passing
        assert state.has_legal_en_passant() == bool(passing)
        pseudo_passing = set(filter(state.is_en_passant, pseudo))
        assert set(state.generate_pseudo_legal_ep()) == pseudo_passing
        assert state.has_pseudo_legal_en_passant() == bool(pseudo_passing)
        low = chess.BB_RANK_1 | chess.BB_RANK_2
        narrowed = set(state.generate_legal_moves(low, ~low))
        assert narrowed == {move for move in legal if move.from_square < 16 <= move.to_square}
        assert state.legal_moves.count() == len(legal)
        assert bool(state.legal_moves) == bool(legal)
        assert all(move in state.legal_moves for move in legal)
        assert repr(state.legal_moves).startswith("<LegalMoveGenerator")
        assert repr(state.pseudo_legal_moves).startswith("<PseudoLegalMoveGenerator")


def is_king_takes_rook(state, move):
    """Whether a move is castling as Chess960 writes it."""
    castling = {chess.WHITE: "d1a1", chess.BLACK: "a5d5"}[state.turn]
    return move.uci() == castling and any(map(state.is_castling, state.legal_moves))


def test_legality_of_every_conceivable_move():
    rng = random.Random(24)
    for state in random_positions(60, seed=24):
        legal, pseudo = set(state.legal_moves), set(state.pseudo_legal_moves)
        for _ in range(150):
            move = chess.Move(
                rng.randrange(64), rng.randrange(64), rng.choice([None, *range(1, 7)])
            )
            as_castling = state.parse_uci(move.uci()) if is_king_takes_rook(state, move) else None
            assert state.is_legal(move) == (move in legal or as_castling in legal)
            assert state.is_pseudo_legal(move) == (move in pseudo or as_castling in pseudo)
    assert not GAME.start().is_legal(chess.Move(chess.C1, chess.B3, drop=chess.KNIGHT))
    assert not GAME.start().is_legal(chess.Move.null())


def test_any_move_object_is_carried_out_or_refused():
    """python-chess does not check legality when pushing; nothing may break all the same."""
    rng = random.Random(25)
    kinds = [None, None, *range(7)]
    for state in random_positions(120, seed=25):
        fen = state.fen()
        for _ in range(60):
            move = chess.Move(
                rng.randrange(64),
                rng.randrange(64),
                rng.choice(kinds),
                rng.choice([None] * 9 + [2]),
            )
            try:
                state.push(move)
            except MoveError:
                assert state.fen() == fen
                continue
            assert not state.occupied & ~BOARD
            kinds_on_board = (
                state.pawns, state.knights, state.bishops, state.rooks, state.queens, state.kings
            )  # fmt: skip
            assert sum(map(chess.popcount, kinds_on_board)) == chess.popcount(state.occupied)
            white, black = state.occupied_co[chess.WHITE], state.occupied_co[chess.BLACK]
            assert white & black == 0
            assert white | black == state.occupied
            list(state.legal_moves), state.outcome(), state.is_check(), state.status()
            state.pop()
            assert state.fen() == fen


@pytest.mark.parametrize("answer", [None, "d2d4", 42, 1.5, hansu.RESIGN])
def test_only_move_objects_can_be_pushed(answer):
    with pytest.raises(MoveError, match=r"is not a microchess move: a chess\.Move on a1"):
        GAME.start().push(answer)


def test_pushing_and_popping_returns_to_the_same_board():
    rng = random.Random(26)
    for _ in range(20):
        state = GAME.start()
        line = [state.copy()]
        while list(state.legal_moves) and len(line) < 60:
            state.push(rng.choice(list(state.legal_moves)))
            line.append(state.copy())
        while state.move_stack:
            assert state.peek() == line[-1].move_stack[-1]
            assert vars(state) == vars(line.pop())
            state.pop()
        assert vars(state) == vars(line.pop())
        with pytest.raises(IndexError):
            state.pop()


def test_forward_equals_copy_and_push():
    for state in random_positions(200, seed=27):
        before = vars(state.copy())
        for move in state.legal_moves:
            pushed = state.copy()
            pushed.push(move)
            forward = state.forward(move)
            # The clocks' defaults live in the class until somebody sets them.
            assert vars(forward) == vars(pushed) | {
                "white_remain_sec": 400.0, "black_remain_sec": 400.0, "timing": Timing()
            }  # fmt: skip
        assert vars(state) == before


def test_compiled_code_sees_the_same_position_and_path():
    compiled = rules_on_words(rules)
    rng = random.Random(28)
    state = GAME.parse("k2r/p1p1/4/1P1P/R2K b Kk - 4 7")
    keys = []
    while not state.is_game_over():
        words = state.words
        assert int(compiled.key(words)) == state.key
        assert state.path[: len(keys)].tolist() == keys
        keys.append(state.key)
        move = rng.choice(list(state.legal_moves))
        after = compiled.play(words, state.move_id(move))
        state.push(move)
        assert state.words.tolist() == after.tolist()
    assert len(keys) > 10


def test_states_know_the_clocks():
    state = GAME.start()
    state.white_remain_sec, state.black_remain_sec = 12.5, 30.0
    for other in (state.copy(), state.forward(chess.Move.from_uci("d2d4")), copy.deepcopy(state)):
        assert (other.white_remain_sec, other.black_remain_sec) == (12.5, 30.0)
    assert state.color == state.turn == chess.WHITE


def test_null_moves_pass_the_turn():
    state = GAME.parse("k3/4/4/1pP1/2K1 w - b3 3 9")
    state.push(chess.Move.null())
    assert state.compact_fen() == "k3/4/4/1pP1/2K1 b - - 4 9"
    state.push(chess.Move.null())
    assert state.compact_fen() == "k3/4/4/1pP1/2K1 w - - 5 10"
    assert state.pop() == chess.Move.null()
    state.pop()
    assert state.compact_fen() == "k3/4/4/1pP1/2K1 w - b3 3 9"
    assert state.san(chess.Move.null()) == "--"


def test_copies_are_independent_and_can_be_short():
    state = GAME.parse("startpos moves d2d4 a4a3 d1d2")
    for other in (state.copy(), copy.copy(state), copy.deepcopy(state)):
        assert other == state
        assert other.move_stack == state.move_stack
        other.push_uci("a3a2")
        other.set_piece_at(chess.D5, None)
    state_without = pickle.loads(pickle.dumps(state))
    assert vars(state_without) == vars(state)
    assert state.copy(stack=False).move_stack == []
    assert state.copy(stack=2).move_stack == state.move_stack[-2:]
    short = state.copy(stack=1)
    short.pop()
    assert short.fen() == GAME.parse("startpos moves d2d4 a4a3").fen()
    assert state.root().fen() == GAME.start().fen()
    assert state.root().move_stack == []
    assert state.fen() == "8/8/8/knbr4/3P4/p7/3K4/RBN5 b k - 1 2"


def test_equality_looks_at_position_counters_and_rules():
    assert GAME.start() == MicrochessState()
    assert hash(GAME.start()) == hash(MicrochessState())
    assert GAME.start() != GAME.parse("knbr/p3/4/3P/RBNK w Kk - 1 1")
    assert GAME.start() != hansu.game("microchess", max_turns=9).start()
    assert GAME.start() != chess.Board(GAME.start().fen())
    assert GAME.start() != "knbr/p3/4/3P/RBNK w Kk - 0 1"
    assert (
        eval(repr(GAME.parse("startpos moves d2d4"))).fen()
        == GAME.parse("startpos moves d2d4").fen()
    )


def test_promoted_pieces_are_remembered_as_in_python_chess():
    state = GAME.parse("4/3P/k3/4/3K w - - 0 1")
    state.push_san("d5=R")
    assert state.promoted == chess.BB_D5
    assert state.board_fen(promoted=True).split("/")[3] == "3R~4"
    state.push_uci("a3a2")
    state.push_uci("d5d4")
    assert state.promoted == chess.BB_D4
    state.pop()
    assert state.promoted == chess.BB_D5


# Setting up -------------------------------------------------------------------------------------


def test_a_board_can_be_edited():
    state = GAME.start()
    state.push_uci("d2d4")
    state.set_piece_at(chess.B3, chess.Piece.from_symbol("q"))
    assert state.move_stack == []
    assert state.remove_piece_at(chess.C5) == chess.Piece.from_symbol("b")
    state.turn = chess.WHITE
    assert state.compact_fen() == "kn1r/p2P/1q2/4/RBNK w Kk - 0 1"
    assert state.is_check()
    assert {move.uci() for move in state.legal_moves} == {"c1b3", "b1c2", "d1d2"}


@pytest.mark.parametrize("square", [chess.E1, chess.A6, chess.H8])
def test_nothing_can_be_put_outside_the_board(square):
    state = GAME.start()
    with pytest.raises(PositionError, match="is outside the board, a1 to d5"):
        state.set_piece_at(square, chess.Piece.from_symbol("Q"))
    with pytest.raises(PositionError, match="is outside the board, a1 to d5"):
        state.set_piece_map({chess.A1: chess.Piece.from_symbol("K"), square: chess.Piece(1, True)})
    assert state == GAME.start()
    assert state.remove_piece_at(square) is None


def test_clear_reset_and_empty():
    state = GAME.parse("startpos moves d2d4")
    state.clear()
    assert state == MicrochessState.empty() == MicrochessState(None)
    assert state.status() & chess.STATUS_EMPTY
    assert list(state.legal_moves) == []
    state.reset()
    assert state == GAME.start()
    state.reset_board()
    assert state == GAME.start()
    state.clear_board()
    assert not state.occupied
    state.set_board_fen("knbr/p3/4/3P/RBNK")
    state.set_castling_fen("Kk")
    assert state == GAME.start()


def test_a_board_without_kings_still_lists_moves():
    state = MicrochessState(None)
    state.set_piece_at(chess.A1, chess.Piece.from_symbol("N"))
    assert {move.uci() for move in state.legal_moves} == {"a1b3", "a1c2"}
    assert not state.is_check()
    assert state.king(chess.WHITE) is None


def test_rights_without_king_and_rook_at_home_do_not_count():
    state = GAME.parse(CASTLING.format("w"))
    state.remove_piece_at(chess.A1)
    assert state.castling_rights == chess.BB_A1 | chess.BB_D5
    assert state.clean_castling_rights() == chess.BB_D5
    assert state.status() == chess.STATUS_BAD_CASTLING_RIGHTS
    assert state.fen().split()[2] == "k"
    assert not any(map(state.is_castling, state.legal_moves))
    state.castling_rights = chess.BB_CORNERS
    assert state.clean_castling_rights() == 0


def test_castling_is_called_kingside():
    state = GAME.parse(CASTLING.format("w"))
    for color in chess.COLORS:
        assert state.has_castling_rights(color)
        assert state.has_kingside_castling_rights(color)
        assert not state.has_queenside_castling_rights(color)
    assert not state.has_chess960_castling_rights()
    assert state.castling_xfen() == "Kk"
    assert state.castling_shredder_fen() == "Ad"
    assert state.find_move(chess.D1, chess.B1) == chess.Move.from_uci("d1b1")
    assert state.push_uci("d1a1") == chess.Move.from_uci("d1b1")  # the king takes its rook


def test_there_is_no_chess960():
    with pytest.raises(PositionError, match="Chess960"):
        MicrochessState(chess960=True)
    with pytest.raises(PositionError, match="Chess960"):
        GAME.start().set_chess960_pos(518)
    assert GAME.start().chess960_pos() is None


@pytest.mark.parametrize(
    ("fen", "status"),
    [
        ("knbr/p3/4/3P/RBNK w Kk - 0 1", chess.STATUS_VALID),
        ("k3/4/4/1pP1/2K1 w - b3 0 1", chess.STATUS_VALID),
        ("1nbr/p3/4/3P/RBNK w - - 0 1", chess.STATUS_NO_BLACK_KING),
        ("knbr/p3/4/3P/RBN1 w - - 0 1", chess.STATUS_NO_WHITE_KING),
        ("k1k1/4/4/4/3K w - - 0 1", chess.STATUS_TOO_MANY_KINGS),
        ("k2P/4/4/4/3K w - - 0 1", chess.STATUS_PAWNS_ON_BACKRANK),
        ("k3/4/4/4/R2K w - - 0 1", chess.STATUS_OPPOSITE_CHECK),
        ("knbr/p3/4/3P/RBNK w Kk b3 0 1", chess.STATUS_INVALID_EP_SQUARE),
        ("k3/1R2/RBN1/4/3K b - - 0 1", chess.STATUS_VALID),
        ("3k/4/n1q1/3r/3K w - - 0 1", chess.STATUS_VALID),
        ("k2r/3q/1n2/4/r2K w - - 0 1", chess.STATUS_VALID),
        ("r2K/4/4/3r/k3 w - - 0 1", chess.STATUS_VALID),
        ("rK1r/4/4/4/k3 w - - 0 1", chess.STATUS_IMPOSSIBLE_CHECK),
        (
            "rK1r/4/4/1r2/k3 w - - 0 1",
            chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK,
        ),
        ("k3/4/1K2/1p2/r1b1 w - b3 0 1", chess.STATUS_INVALID_EP_SQUARE),
        ("k3/2b1/4/1pK1/n3 w - b3 0 1", chess.STATUS_IMPOSSIBLE_CHECK),
    ],
)
def test_what_is_wrong_with_a_position(fen, status):
    state = MicrochessState(fen)
    assert state.status() == status
    assert state.is_valid() == (status == chess.STATUS_VALID)


def test_transformations_must_stay_on_the_board():
    state = GAME.parse("k3/p3/4/4/3K w - - 0 1")
    assert state.transform(lambda squares: squares).fen() == state.fen()
    with pytest.raises(PositionError, match="outside the board"):
        state.transform(chess.flip_vertical)
    state.apply_mirror()
    assert state.compact_fen() == "k3/4/4/3P/3K b - - 0 1"


# Looks ------------------------------------------------------------------------------------------


def test_text_boards_show_four_files_and_five_ranks():
    start = GAME.start()
    assert str(start).splitlines() == [
        "5 k n b r", "4 p . . .", "3 . . . .", "2 . . . P", "1 R B N K", "  a b c d"
    ]  # fmt: skip
    assert start.unicode(empty_square=".").splitlines() == [
        "♚ ♞ ♝ ♜", "♟ . . .", ". . . .", ". . . ♙", "♖ ♗ ♘ ♔"
    ]  # fmt: skip
    framed = start.unicode(borders=True, orientation=chess.BLACK, invert_color=True).splitlines()
    assert framed[1] == "1 |♚|♞|♝|♜|"
    assert framed[-1] == "   d c b a"
    assert len(framed) == 12


def test_python_chess_can_draw_it():
    state = GAME.parse("startpos moves c1b3")
    drawn = chess.svg.board(state, lastmove=state.peek(), check=state.king(state.turn))
    assert drawn.count("<use") == 10


def test_python_chess_finds_the_variant():
    assert chess.variant.find_variant("microchess") is MicrochessState
    assert chess.variant.VARIANTS.count(MicrochessState) == 1
    assert MicrochessState.uci_variant == "microchess"
    assert MicrochessState.tbw_suffix is None


def test_facts_about_the_game_in_python_chess_words():
    state = GAME.parse("startpos moves c1b3")
    assert state.is_check()
    assert state.ply() == 1
    assert state.fullmove_number == 1
    assert state.result() == "*"
    assert not state.is_game_over(claim_draw=True)
    assert state.outcome(claim_draw=True) is None
    assert not state.is_variant_end()
    assert not state.can_claim_draw()
    assert not state.can_claim_fifty_moves()
    assert not state.can_claim_threefold_repetition()
    assert not state.is_seventyfive_moves()
    assert not state.is_fifty_moves()
    variation = [chess.Move.from_uci(text) for text in ("a5b4", "b3c5")]
    assert state.variation_san(variation) == "1...Kb4 2. Nxc5"
    with pytest.raises(chess.IllegalMoveError):
        state.variation_san(variation[::-1])
    with pytest.raises(chess.IllegalMoveError, match="no matching legal move"):
        state.find_move(chess.A1, chess.A5)
    over = GAME.parse("8/8/8/8/k7/8/K7/2b5 b - - 0 14")
    assert over.result() == "0-1"
    assert str(over.outcome()) == "Black wins (insufficient material)"
