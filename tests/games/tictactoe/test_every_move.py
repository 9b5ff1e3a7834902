"""Every move of all 5,478 positions, and the position after it, as others have them."""

import itertools

import pytest

import hansu
from hansu.errors import PositionError
from tests.games.every_move import check_text, every_move

GAME = hansu.game("tictactoe")
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def has_line(board, player):
    return any(all(board[cell] == player for cell in line) for line in LINES)


def possible_boards():
    """The boards that a game can lead to: X began, and whoever has a line has just moved."""
    for cells in itertools.product("XO.", repeat=9):
        board = "".join(cells)
        lead = board.count("X") - board.count("O")
        if lead in (0, 1) and not has_line(board, "XO"[lead]):
            yield board


def test_every_move_of_every_position():
    boards = list(possible_boards())
    assert len(boards) == 5478
    for board in boards:
        state, player = GAME.parse(board), "XO"[board.count("X") - board.count("O")]
        afters = dict(every_move(state))
        over = has_line(board, "X") or has_line(board, "O")
        empty = [cell for cell in range(9) if board[cell] == "."]
        assert list(afters) == ([] if over else empty), board
        for move, after in afters.items():
            expected = board[:move] + player + board[move + 1 :]
            assert after.text() == expected
            outcome = after.outcome()
            if has_line(expected, player):
                assert outcome == hansu.Outcome(player == "X", "line"), expected
            else:
                drawn = hansu.Outcome(None, "board_full")
                assert outcome == (None if "." in expected else drawn), expected
        check_text(state)


def test_boards_that_no_game_leads_to_are_refused():
    every = {"".join(cells) for cells in itertools.product("XO.", repeat=9)}
    for board in every - set(possible_boards()):
        with pytest.raises(PositionError, match="cannot arise"):
            GAME.parse(board)


def test_every_position_and_every_move_is_openspiel_s():
    pyspiel = pytest.importorskip("pyspiel", reason="the extra 'bridges' is not installed")
    layer = {"." * 9: pyspiel.load_game("tic_tac_toe").new_initial_state()}
    found = {}
    while layer:
        found |= layer
        layer = {
            drawn(child): child
            for theirs in layer.values()
            for child in map(theirs.child, theirs.legal_actions())
        }
    assert len(found) == 5478
    for board, theirs in found.items():
        state = GAME.parse(board)
        assert theirs.legal_actions() == state.legal_moves
        for move in state.legal_moves:
            assert drawn(theirs.child(move)) == state.forward(move).text()
        if theirs.is_terminal():
            winner = {1: hansu.WHITE, -1: hansu.BLACK, 0: None}[theirs.returns()[0]]
            assert state.outcome().winner == winner, board
        else:
            assert state.outcome() is None


def drawn(theirs):
    """The nine letters of an OpenSpiel state."""
    return "".join(str(theirs).split()).upper()
