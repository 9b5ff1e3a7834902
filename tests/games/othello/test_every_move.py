"""Every legal move of many boards, and the board after it, as other programs have them."""

import collections
import random

import pytest

import hansu
from hansu.games.othello.rules import PASS
from tests.games.every_move import check_text, every_move
from tests.games.othello.grhino import GRhino, needs_grhino
from tests.games.othello.positions import random_boards
from tests.games.othello.slow_board import SlowBoard

GAME = hansu.game("othello")


def boards_of_games(count, seed):
    """Boards on the way of random games."""
    rng, state = random.Random(seed), GAME.start()
    for _ in range(count):
        yield state.text()
        state = GAME.start() if state.is_game_over() else state
        state.push(rng.choice(state.legal_moves))


@pytest.mark.parametrize("count", [1500, pytest.param(200_000, marks=pytest.mark.slow)])
def test_every_move_leads_where_it_leads_on_the_slow_board(count):
    seen = collections.Counter()
    for text in (*random_boards(count // 2, count), *boards_of_games(count // 2, count)):
        state, slow = GAME.parse(text), SlowBoard(text)
        afters = dict(every_move(state, texts=seen["positions"] % 4 == 0))
        assert sorted(afters) == sorted(slow.legal()), text
        for move, after in afters.items():
            there = SlowBoard(text)
            there.play(move)
            assert after.text() == there.text(), (text, move)
        check_text(state)
        check_ending(state, slow, seen)
        seen["positions"] += 1
        seen["pass"] += PASS in afters
        seen["a colour is gone"] += not {"X", "O"} <= set(text[:64])
    assert all(seen[kind] > 20 for kind in ("pass", "a colour is gone")), seen
    assert all(seen[kind] > 20 for kind in (None, "board_full", "no_moves")), seen


def check_ending(state, slow, seen):
    """The outcome by the plain text of the rules."""
    outcome = state.outcome()
    black, white = (list(slow.discs.values()).count(side) for side in "XO")
    if slow.legal():
        assert outcome is None
    else:
        winner = None if black == white else hansu.BLACK if black > white else hansu.WHITE
        reason = "board_full" if black + white == 64 else "no_moves"
        assert outcome == hansu.Outcome(winner, reason, abs(black - white)), state.text()
    seen[outcome and outcome.reason] += 1


@needs_grhino
@pytest.mark.parametrize("count", [1500, pytest.param(200_000, marks=pytest.mark.slow)])
def test_every_square_of_boards_set_up_is_as_legal_and_turns_as_much_as_in_grhino(count):
    passed = 0
    with GRhino() as grhino:
        for text in random_boards(count, count, center=True):
            state = GAME.parse(text)
            empty = [square for square in range(64) if text[square] == "-"]
            theirs = grhino.after(text, [state.move_text(square) for square in empty])
            legal = [square for square, board in zip(empty, theirs, strict=True) if board]
            assert [move for move in state.legal_moves if move != PASS] == legal, text
            for square, board in zip(empty, theirs, strict=True):
                if board is None:
                    continue
                after = state.forward(square)
                if after.legal_moves == [PASS]:
                    after.push(PASS)
                    passed += 1
                assert board[:64] == after.text()[:64], (text, square)
                assert after.is_game_over() or board == after.text(), (text, square)
    assert passed > count / 100


@pytest.mark.parametrize("games", [50, pytest.param(2000, marks=pytest.mark.slow)])
def test_every_move_of_games_leads_where_it_leads_in_openspiel(games):
    pyspiel = pytest.importorskip("pyspiel", reason="the extra 'bridges' is not installed")
    rng = random.Random(games)
    for _ in range(games):
        state, theirs = GAME.start(), pyspiel.load_game("othello").new_initial_state()
        while not state.is_game_over():
            assert theirs.legal_actions() == state.legal_moves
            for move in state.legal_moves:
                assert drawn(theirs.child(move)) == state.forward(move).text()[:64]
            move = rng.choice(state.legal_moves)
            state.push(move)
            theirs.apply_action(move)


def drawn(theirs):
    """The 64 letters of an OpenSpiel state."""
    rows = [row.split() for row in str(theirs).splitlines()]
    return "".join("".join(row[1:9]) for row in rows if row and row[0].isdigit()).upper()
