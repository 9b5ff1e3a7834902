"""Every legal move of many positions, and the position after it, as others have them."""

import collections

import pytest

import hansu
from tests.games.connect4.positions import random_games
from tests.games.connect4.slow_board import LINES, SlowBoard, as_set
from tests.games.every_move import every_move

GAME = hansu.game("connect4")
NO_CENTER = hansu.game("connect4", no_center_opening=True)


@pytest.mark.parametrize("count", [1500, pytest.param(200_000, marks=pytest.mark.slow)])
def test_every_move_leads_where_it_leads_on_the_slow_board(count):
    seen = collections.Counter()
    for moves in random_games(count, count):
        state, slow = GAME.parse(moves), SlowBoard(moves)
        afters = dict(every_move(state, texts=seen["positions"] % 4 == 0))
        assert list(afters) == slow.legal(), moves
        for move, after in afters.items():
            there = SlowBoard(moves + str(move))
            assert after.stones() == (as_set(there.cells(0)), as_set(there.cells(1)))
            assert after.legal_moves == there.legal(), (moves, move)
            outcome, winner = after.outcome(), there.winner()
            if winner is not None:
                assert outcome == hansu.Outcome(winner == 0, "line"), (moves, move)
            elif there.count == 42:
                assert outcome == hansu.Outcome(None, "board_full"), (moves, move)
            else:
                assert outcome is None, (moves, move)
            seen[outcome and outcome.reason] += 1
            seen["double win"] += winner is not None and lines_of(there, winner) > 1
        seen["full columns"] += 0 < len(afters) < 7
        seen["positions"] += 1
    wanted = (None, "line", "board_full", "double win", "full columns")
    assert all(seen[kind] > 20 for kind in wanted), seen


def lines_of(board, player):
    """How many lines of four a player has."""
    cells = board.cells(player)
    return sum(cells.issuperset(line) for line in LINES)


def test_the_first_move_alone_may_be_kept_from_the_centre():
    assert [move for move, _ in every_move(NO_CENTER.start())] == [1, 2, 3, 5, 6, 7]
    for _, after in every_move(NO_CENTER.start()):
        assert [move for move, _ in every_move(after)] == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("count", [1500, pytest.param(200_000, marks=pytest.mark.slow)])
def test_every_move_leads_where_it_leads_in_openspiel(count):
    pyspiel = pytest.importorskip("pyspiel", reason="the extra 'bridges' is not installed")
    game = pyspiel.load_game("connect_four")
    for moves in random_games(count, count + 1):
        state, theirs = GAME.parse(moves), game.new_initial_state()
        for move in moves:
            theirs.apply_action(int(move) - 1)
        assert theirs.legal_actions() == [move - 1 for move in state.legal_moves], moves
        for move in state.legal_moves:
            after, there = state.forward(move), theirs.child(move - 1)
            rows = str(after).splitlines()[:6]
            assert [row.replace(" ", "") for row in rows] == str(there).split(), (moves, move)
            assert there.is_terminal() == after.is_game_over()
            if after.is_game_over():
                winner = {1: hansu.WHITE, -1: hansu.BLACK, 0: None}[there.returns()[0]]
                assert after.outcome().winner == winner, (moves, move)
