"""Wins at once and one step later, against brute force on the objects that people use."""

import random

import pytest

import hansu
from hansu.agents.winning_moves import eliminate_losing_moves, find_two_step_win, find_winning_move
from hansu.games.state import State
from hansu.search.info import Line, SearchInfo
from hansu.search.wins import look_ahead
from tests.games.tictactoe.test_tictactoe import all_positions
from tests.search.positions import random_positions


def wins(state: State) -> list:
    """Moves that win at once, the obvious way."""
    found = []
    for move in state.legal_moves:
        outcome = state.forward(move).outcome()
        if outcome is not None and outcome.winner == state.turn:
            found.append(move)
    return found


def forces(state: State, move) -> bool:
    """Whether after a move every answer allows a win at once."""
    after = state.forward(move)
    if after.is_game_over():
        return False
    answers = [after.forward(answer) for answer in after.legal_moves]
    return all(not answer.is_game_over() and wins(answer) for answer in answers)


def check(state: State) -> None:
    moves = list(state.legal_moves)
    at_once = wins(state)
    assert (find_winning_move(state) in at_once) if at_once else find_winning_move(state) is None
    safe = [move for move in moves if not _opponent_wins(state.forward(move))]
    assert eliminate_losing_moves(state, moves) == safe
    forcing = [move for move in moves if forces(state, move)]
    found = find_two_step_win(state, moves)
    assert found in forcing if forcing else found is None


def _opponent_wins(state: State) -> bool:
    return not state.is_game_over() and bool(wins(state))


def test_on_all_tictactoe_positions():
    for state in all_positions().values():
        if not state.is_game_over():
            check(state)


@pytest.mark.parametrize(("name", "count"), [("othello", 30), ("go:size=5", 10)])
def test_on_some_positions(name, count):
    for state in random_positions(name, count, seed=7):
        check(state)


@pytest.mark.parametrize(("name", "count"), [("connect4", 1000), ("microchess", 1000)])
@pytest.mark.slow
def test_on_a_thousand_positions(name, count):
    for state in random_positions(name, count, seed=8):
        check(state)


@pytest.mark.parametrize(("name", "count"), [("connect4", 100), ("microchess", 60)])
def test_on_a_hundred_positions(name, count):
    for state in random_positions(name, count, seed=9):
        check(state)


def test_an_agent_of_your_own_may_use_the_parts():
    state = hansu.game("connect4").parse("4455")  # an open three is coming
    assert find_winning_move(state) is None
    assert find_two_step_win(state, state.legal_moves) in (3, 6)


def loses(state: State, move) -> bool:
    """Whether a move ends the game with a loss, or the opponent's next move can."""
    after = state.forward(move)
    if after.is_game_over():
        return after.outcome().winner == (not state.turn)
    return bool(wins(after))


@pytest.mark.parametrize(
    ("name", "count"),
    [("tictactoe", 100), ("connect4", 100), ("go:size=4,komi=0.5", 60), ("microchess", 60)],
)
def test_whatever_a_search_thinks_what_the_next_two_moves_prove_comes_first(name, count):
    rng, seen = random.Random(3), set()
    for state in random_positions(name, count, seed=8):
        moves = list(state.legal_moves)
        rng.shuffle(moves)
        lines = tuple(Line(move, state.move_text(move), rng.random()) for move in moves)
        found = look_ahead(state, SearchInfo(lines, 10, 0.1)).lines
        assert {line.move for line in found} == set(moves)
        at_once, first = wins(state), found[0]
        for line in found:
            if line.proved:
                assert line.value == (1.0 if line.move in at_once else 0.0)
                assert line.move in at_once or loses(state, line.move)
            else:
                assert line in lines
        if at_once:
            assert first.move in at_once
            seen.add("won")
        elif any(loses(state, move) for move in moves):
            assert not loses(state, first.move) or all(loses(state, move) for move in moves)
            seen.add("lost")
    assert seen == {"won", "lost"}
