"""Accuracy: moves compared with perfect play."""

import functools

import pytest

import hansu
from hansu.arena.accuracy import TITLES, Accuracy, _known, accuracies
from hansu.kernel import JIT
from hansu.records.record import GameRecord, Turn
from hansu.records.replay import states

compiled = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")


def record(moves: str, start: str = ".........", game: str = "tictactoe") -> GameRecord:
    turns = [Turn(m, 0.0) for m in moves.split()]
    return GameRecord(game, "first", "second", start, True, 0, turns)


def alone(state: hansu.State, move: str) -> Accuracy:
    """The accuracy of one move in a position."""
    found = accuracies([record(move, state.text(), str(state.game))])
    return sum(found.values(), start=Accuracy())


@pytest.mark.parametrize(
    ("game", "ply"),
    [("tictactoe", 0), ("hex:size=3", 0), pytest.param("connect4", 8, marks=compiled)],
)
def test_positions_count_whatever_is_played_and_as_complete_solving_says(game, ply):
    solver = hansu.game(game).make_solver(64)
    for seed in range(3):
        played = hansu.play_game(game, "random", "first_move", seed=seed)
        total = Accuracy()
        for state, text in zip(list(states(played))[:-1], played.moves, strict=True):
            each = {move: alone(state, move) for move in map(state.move_text, state.legal_moves)}
            assert len({(one.judged, one.scored) for one in each.values()}) == 1, state
            total += each[text]
            if len(state.move_stack) < ply:  # solving them takes longer
                continue
            truth = hansu.solve(state, hansu.Limits(exact=True), solver=solver)
            for move, one in each.items():
                value, score = truth.lost(move)
                assert one.blunders == (value > 0 if one.judged else 0), state
                assert one.score_lost == (score if one.scored else 0), state
        both = sum(accuracies([played]).values(), start=Accuracy())
        assert (both.judged, both.blunders) == (total.judged, total.blunders)
        assert (both.scored, both.score_lost) == (total.scored, total.score_lost)


@compiled
def test_every_first_move_of_connect_four_counts():
    start = hansu.game("connect4").start()
    found = [alone(start, move) for move in "1234567"]
    assert [(one.judged, one.blunders) for one in found] == [(1, move != "4") for move in "1234567"]


@compiled
def test_lost_scores_are_averaged_where_they_are_known():
    games = [hansu.play_game("connect4", "random", "random", seed=seed) for seed in range(4)]
    found = accuracies(games)["random"]
    assert 0 < found.scored < found.judged
    assert found.score_lost_per_move == found.score_lost / found.scored
    facts = found.facts()
    assert facts["scored_moves"] == found.scored
    assert found.cells()[-1].endswith(f" of {found.scored}")


def test_resigning_has_no_score():
    found = accuracies([record("b2 resign")])["second"]
    assert (found.judged, found.scored, found.score_lost_per_move) == (1, 0, None)
    assert found.cells() == ("0.0% of 1", "1.00", "")


def test_a_tournament_shows_what_was_lost():
    result = hansu.tournament("tictactoe", "minimax", "random", rounds=1, seed=1)
    titles, *lines = result.rows()
    assert titles[-3:] == TITLES
    for line, standing in zip(lines, result.standings, strict=True):
        assert line[-3:] == standing.accuracy.cells()


@pytest.mark.parametrize(
    ("moves", "first", "second"),
    [
        ("b2 a1", 0, 0),  # centre, corner: still drawn
        ("b2 b1", 0, 1),  # answering the centre on an edge loses
        ("a1 b2 c3 a3", 0, 1),  # opposite corners: a corner loses, an edge draws
        ("a1 b2 c3 b1", 0, 0),
        ("b2 b1 b3", 1, 1),  # gives the won game back
        ("b2 resign", 0, 1),  # a drawn position is not to be resigned
    ],
)
def test_known_blunders_are_counted(moves, first, second):
    found = accuracies([record(moves)])
    assert (found["first"].blunders, found["second"].blunders) == (first, second)
    assert found["first"].moves + found["second"].moves == len(moves.split())
    assert found["first"].judged == found["first"].moves


@functools.cache
def plain_minimax(board: str) -> int:
    """For the side to move; written down again, without any part of hansu."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    if any(board[a] != "." and board[a] == board[b] == board[c] for a, b, c in lines):
        return -1
    if "." not in board:
        return 0
    mark = "X" if board.count("X") == board.count("O") else "O"
    free = [i for i in range(9) if board[i] == "."]
    return max(-plain_minimax(board[:i] + mark + board[i + 1 :]) for i in free)


def test_perfect_players_never_blunder_and_others_do():
    result = hansu.tournament("tictactoe", "minimax", "random", rounds=5)
    found = {standing.agent: standing.accuracy for standing in result.standings}
    assert found["minimax"].share == 1.0
    assert found["random"].share < 0.9
    assert found["random"].blunders_per_game > 0.3
    facts = {line["agent"]: line for line in result.facts()["standings"]}
    assert facts["minimax"]["accuracy"] == 1.0
    assert facts["random"]["blunders_per_game"] > 0.3


def test_games_that_are_not_solved_have_no_accuracy():
    assert accuracies([hansu.play_game("go:size=6", "random", "random")]) == {}


@compiled
def test_in_othello_only_the_moves_of_the_ending_are_judged():
    game = hansu.play_game("othello", "mcts:n_simulations=50,endings=on", "random", seed=1)
    found = accuracies([game])
    exact, other = found["mcts:n_simulations=50,endings=on"], found["random"]
    assert 3 < exact.judged < 15 < exact.moves
    assert (exact.share, exact.score_lost) == (1.0, 0)
    assert other.score_lost > 0


@compiled
@pytest.mark.parametrize("name", ["connect4", "othello"])
def test_a_game_has_the_same_accuracy_whatever_was_judged_before(name):
    games = [hansu.play_game(name, "random", "random", seed=seed) for seed in range(4)]
    single = []
    for one in games:
        _known.cache_clear()
        single.append(accuracies([one]))
    _known.cache_clear()
    assert [accuracies([one]) for one in reversed(games)] == single[::-1]


def test_only_moves_in_solved_positions_are_judged():
    """Connect Four's first moves would take minutes each."""
    game = hansu.play_game("connect4", "mcts:n_simulations=200", "random", seed=3)
    found = accuracies([game])
    total = sum((a for a in found.values()), start=Accuracy())
    assert 0 < total.judged < total.moves == len(game.moves)
    assert accuracies([game]) == found
    assert found["mcts:n_simulations=200"].share >= found["random"].share
    assert found["random"].score_lost > 0


def test_the_loss_in_score_is_counted():
    found = accuracies([record("b2 b1")])  # a draw of score 0 becomes a loss with four stones
    assert found["second"].score_lost == 2
    assert found["second"].score_lost_per_move == 2.0
