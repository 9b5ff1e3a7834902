"""FEN in both forms, UCI, SAN, PGN; and what is said about texts that are none of these."""

import io
import random

import chess
import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hansu
from hansu.errors import MoveError, PositionError
from tests.games.microchess.positions import random_positions

GAME = hansu.game("microchess")
START = "8/8/8/knbr4/p7/8/3P4/RBNK4 w Kk - 0 1"


def test_both_forms_of_the_start():
    assert GAME.start().fen() == START
    assert GAME.start().text() == START
    assert GAME.start().compact_fen() == "knbr/p3/4/3P/RBNK w Kk - 0 1"
    assert GAME.parse(GAME.start().compact_fen()) == GAME.start()


def test_text_and_state_are_inverse():
    for state in random_positions(500, seed=11):
        for text in (state.text(), state.compact_fen(), state.shredder_fen()):
            again = GAME.parse(text)
            assert again.text() == state.text()
            assert again.key == state.key
            assert again == state


def test_keys_are_equal_exactly_for_equal_positions():
    seen = {}
    for state in random_positions(3000, seed=12):
        position = state.fen().rsplit(" ", 2)[0]  # without the counters
        assert seen.setdefault(state.key, position) == position
    assert len(set(seen.values())) == len(seen) > 2000


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("k3/4/4/1pP1/3K w - b3 0 1", "k3/4/4/1pP1/3K w - - 0 1", False),
        ("k3/4/4/1p2/3K w - b3 0 1", "k3/4/4/1p2/3K w - - 0 1", True),  # nobody can take
        ("k3/4/4/rpPK/4 w - b3 0 1", "k3/4/4/rpPK/4 w - - 0 1", True),  # the taker is pinned
        ("k2r/p3/4/3P/R2K w Kk - 0 1", "k2r/p3/4/3P/R2K w K - 0 1", False),
        ("k2r/p3/4/3P/R2K w Kk - 0 1", "k2r/p3/4/3P/R2K w k - 0 1", False),
        ("k2r/p3/4/3P/R2K w - - 0 1", "k2r/p3/4/3P/R2K b - - 0 1", False),
        ("k2r/p3/4/3P/R2K w - - 0 1", "k2r/p3/4/3P/R2K w - - 9 5", True),
        ("k2r/p3/4/3P/R2K w - - 0 1", "k2b/p3/4/3P/R2K w - - 0 1", False),
    ],
)
def test_what_makes_a_position_another_one(one, other, same):
    assert (GAME.parse(one).key == GAME.parse(other).key) == same


@pytest.mark.parametrize(
    ("text", "field", "why"),
    [
        ("", "FEN", "empty"),
        ("knbr/p3/4/3P w - - 0 1", r"1 \(board\)", "not 4"),
        ("knbr/p3/4/3P/RBN w - - 0 1", r"1 \(board\)", "row 'RBN' has 3 squares, not 4"),
        ("8/8/8/knbr4/p7/8/3P4/RBNK5 w Kk - 0 1", r"1 \(board\)", "has 9 squares, not 8"),
        ("8/8/8/knbr4/p7/8/3P4/RBNKQ3 w Kk - 0 1", r"1 \(board\)", "Q on e1 is outside the board"),
        ("8/8/q7/knbr4/p7/8/3P4/RBNK4 w Kk - 0 1", r"1 \(board\)", "q on a6 is outside the board"),
        ("knbr/p3/4/3P/RBNX w - - 0 1", r"1 \(board\)", "'X' is neither a piece nor a number"),
        ("1nbr/p3/4/3P/RBNK w - - 0 1", r"1 \(board\)", "Black has no king"),
        ("knbr/p3/4/3P/RBN1 w - - 0 1", r"1 \(board\)", "White has no king"),
        ("kk2/4/4/4/3K w - - 0 1", r"1 \(board\)", "more than one king"),
        ("k2P/4/4/4/3K w - - 0 1", r"1 \(board\)", "a pawn stands on rank 1 or rank 5"),
        ("k3/4/4/4/p2K w - - 0 1", r"1 \(board\)", "a pawn stands on rank 1 or rank 5"),
        ("knbr/p3/4/3P/RBNK x Kk - 0 1", r"2 \(turn\)", "w or b is expected"),
        ("k3/4/4/4/R2K w - - 0 1", r"2 \(turn\)", "the side that is not to move is in check"),
        ("knbr/p3/4/3P/RBNK w Kx - 0 1", r"3 \(castling\)", "K .White., k .Black., both or -"),
        ("knbr/p3/4/3P/RBKN w K - 0 1", r"3 \(castling\)", "White's king on d1"),
        ("kn1b/p3/4/3P/RBNK b k - 0 1", r"3 \(castling\)", "rook on d5"),
        ("knbr/p3/4/3P/RBNK w Kk e3 0 1", r"4 \(en passant\)", "a3 to d3"),
        ("knbr/p3/4/3P/RBNK w Kk b3 0 1", r"4 \(en passant\)", "skipped that square"),
        ("k3/4/4/1pP1/3K b - b3 0 1", r"4 \(en passant\)", "skipped that square"),
        ("knbr/p3/4/3P/RBNK w Kk - -1 1", r"5 \(no-progress counter\)", "whole number"),
        ("knbr/p3/4/3P/RBNK w Kk - 0 x", r"6 \(move number\)", "whole number"),
        ("knbr/p3/4/3P/RBNK w Kk - 0 1 7", "six fields", "this one has 7"),
    ],
)
def test_a_wrong_fen_says_which_field_and_why(text, field, why):
    with pytest.raises(PositionError, match=f"{field}.*{why}|{why}.*{field}") as error:
        GAME.parse(text)
    assert "\n" not in str(error.value)


def test_fields_at_the_end_may_be_left_out():
    assert GAME.parse("knbr/p3/4/3P/RBNK").text() == START.replace("Kk", "-")
    assert GAME.parse("knbr/p3/4/3P/RBNK b Kk").turn == hansu.BLACK


@pytest.mark.parametrize(
    "text",
    [
        "startpos moves d2d4 a4a3 d1d2",
        "startpos  moves d4 a3  Kd2",
        "knbr/p3/4/3P/RBNK w Kk - 0 1 moves d2d4 a4a3 Kd2",
        "fen 8/8/8/knbr4/p7/8/3P4/RBNK4 w Kk - 0 1 moves d2d4 a4a3 d1d2",
    ],
)
def test_a_position_can_be_followed_by_moves(text):
    state = GAME.parse(text)
    assert state.text() == "8/8/8/knbr4/3P4/p7/3K4/RBN5 b k - 1 2"
    assert [move.uci() for move in state.move_stack] == ["d2d4", "a4a3", "d1d2"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("startpos moves d2d4 d2d3", "move 2: d2d3 is not legal here; legal moves are a4a2"),
        ("startpos moves d2d9", "move 1: 'd2d9' is not a move"),
        ("startpos d2d4", "board"),
        ('[Event "?"]\n\n1. d4 *', "Variant"),
        ('[Variant "Atomic"]\n\n1. d4 *', "'Atomic', not microchess"),
        ('[Variant "Microchess"]\n\n1. d4 Qxd4 *', "move 2: Qxd4 is not legal here"),
    ],
)
def test_a_wrong_game_says_which_move(text, complaint):
    with pytest.raises(PositionError, match=complaint) as error:
        GAME.parse(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["O-O", "O-O-O", "0-0", "0-0-0", "d1b1", "d1a1", "O-O+"])
def test_ways_to_write_castling(text):
    state = GAME.parse("k2r/p3/4/3P/R2K w Kk - 0 1")
    assert state.parse_move(text) == chess.Move.from_uci("d1b1")


@pytest.mark.parametrize("text", ["d4d5q", "d5=Q", "d5Q", "d4d5=Q", "d5=Q#"])
def test_ways_to_write_a_promotion(text):
    state = GAME.parse("4/k2P/4/4/3K w - - 0 1")
    assert state.parse_move(text) == chess.Move.from_uci("d4d5q")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("e2e4", "e2e4 is not legal here; legal moves are d2d3, d2d4, c1a2"),
        ("d2d5", "d2d5 is not legal here; legal moves are"),
        ("O-O", "O-O is not legal here"),
        ("Nc3", "Nc3 is not legal here"),
        ("0000", "0000 is not legal here"),
        ("--", "-- is not legal here"),
        ("hello", "'hello' is not a move: write the squares, as d2d4 and d4d5q, or SAN, as Nb3"),
        ("d4d5k", "not a move|not legal"),
        ("", "'' is not a move"),
    ],
)
def test_a_wrong_move_names_legal_ones(text, complaint):
    with pytest.raises(MoveError, match=complaint) as error:
        GAME.start().parse_move(text)
    assert "\n" not in str(error.value)


def test_a_move_that_two_pieces_can_make_must_be_told_apart():
    state = GAME.parse("3k/1p2/R1R1/4/1K2 w - - 0 1")
    with pytest.raises(MoveError, match="Rb3 can mean several moves"):
        state.parse_move("Rb3")
    assert state.san(state.parse_move("a3b3")) == "Rab3"


def test_moves_read_back_as_uci_san_and_lan():
    for state in random_positions(150, seed=13):
        for move in state.legal_moves:
            for text in (state.move_text(move), state.uci(move), state.san(move), state.lan(move)):
                assert state.parse_move(text) == move, (state.fen(), text)
            assert state.parse_san(state.xboard(move)) == move
            assert state.parse_uci(move.uci()) == move


def random_game(seed, start=None):
    rng = random.Random(seed)
    state = start or GAME.start()
    while not state.is_game_over():
        state.push(rng.choice(list(state.legal_moves)))
    return state


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("fen", [None, "k2r/p1p1/4/1P1P/R2K b Kk - 4 7"])
def test_games_survive_pgn(fen, seed):
    state = random_game(seed, GAME.parse(fen) if fen else None)
    written = str(chess.pgn.Game.from_board(state))
    assert '[Variant "Microchess"]' in written
    assert f'[Result "{state.result()}"]' in written
    read = chess.pgn.read_game(io.StringIO(written))
    assert not read.errors
    end = read.end().board()
    assert type(end) is type(state)
    assert (end.fen(), end.move_stack) == (state.fen(), state.move_stack)
    again = GAME.parse(written)
    assert (again.fen(), again.move_stack) == (state.fen(), state.move_stack)
    assert again.outcome() == state.outcome()


def test_epd_carries_operations():
    state = GAME.start()
    text = state.epd(bm=[state.parse_san("Nb3")], id="first")
    assert text == '8/8/8/knbr4/p7/8/3P4/RBNK4 w Kk - bm Nb3+; id "first";'
    board, operations = type(state).from_epd(text)
    assert board == state
    assert operations == {"bm": [chess.Move.from_uci("c1b3")], "id": "first"}


# Whatever is typed, the answer is a state or one clear sentence ---------------------------------

FEN_LETTERS = "knbrpqKNBRPQ12345678/ wb-KQkqabcd3 moves startpos0\n[]"


def reads_or_complains(text):
    try:
        state = GAME.parse(text)
    except PositionError as error:
        complaint = str(error)
    else:
        assert GAME.parse(state.text()).text() == state.text()
        return
    assert complaint
    assert "\n" not in complaint


@given(st.text())
def test_any_text_is_a_position_or_a_clear_error(text):
    reads_or_complains(text)


@given(st.text(FEN_LETTERS))
def test_any_text_of_fen_letters_is_a_position_or_a_clear_error(text):
    reads_or_complains(text)


@given(st.data())
def test_a_mutated_text_is_a_position_or_a_clear_error(data):
    whole = data.draw(
        st.sampled_from(
            [
                START,
                "knbr/p3/4/3P/RBNK w Kk - 0 1 moves d2d4 a4a3",
                "k3/4/4/1pP1/2K1 w - b3 0 1",
                '[Variant "Microchess"]\n[FEN "knbr/p3/4/3P/RBNK w Kk - 0 1"]\n\n1. d4 a3 2. Kd2 *',
            ]
        )
    )
    at = data.draw(st.integers(0, len(whole)))
    length = data.draw(st.integers(0, 4))
    reads_or_complains(whole[:at] + data.draw(st.text(max_size=4)) + whole[at + length :])


@given(st.text() | st.text("abcd12345nbrqNBRQK=x+#-O0", max_size=8))
def test_any_text_is_a_legal_move_or_a_clear_error(text):
    state = GAME.parse("k2r/p1P1/1n2/3P/R2K w Kk - 0 1")
    try:
        move = state.parse_move(text)
    except MoveError as error:
        complaint = str(error)
    else:
        assert state.is_legal(move)
        return
    assert "\n" not in complaint
