"""The board of sets plays by the rules of the board of records, hash for hash."""

import random

import numpy as np
import pytest

import hansu
from hansu.games.go import board, playout_board, rules
from hansu.games.rules_on_words import policy_on_words, rules_on_words
from hansu.kernel import kernel, seeded
from hansu.search.playout import make_playouts

on_sets = rules_on_words(playout_board)
unpack, pack = on_sets.unpack, on_sets.pack


@kernel
def choices(words, path, out):
    """Write 1 for every legal cell, and 2 for one that is no eye either."""
    pos = unpack(words)
    free, free_2 = playout_board.empty(pos)
    open_, open_2 = playout_board.without_eyes(pos, free, free_2)
    for cell in range(128):
        one, one_2 = playout_board.cell_set(cell)
        out[cell] = 0
        if (free & one) | (free_2 & one_2) and playout_board.is_legal(pos, path, cell):
            out[cell] = 2 if (open_ & one) | (open_2 & one_2) else 1


@kernel
def random_turn(words, path, rng):
    return pack(playout_board.random_turn(unpack(words), path, rng))


@kernel
def uniform_turn(words, path, rng):
    return pack(playout_board.uniform_turn(unpack(words), path, rng))


DRAWN = {
    "light": (playout_board.random_move, random_turn),
    "uniform": (playout_board.uniform_move, uniform_turn),
}


@kernel
def eyes(words, out):
    """Write whether each empty point is an eye of the side to move."""
    cells = board.cells_of(words)
    for point in range(len(out)):
        at = board.cell_of(words, point)
        color = board.BLACK + words[board.SECOND]
        out[point] = cells[at] == board.EMPTY and board.is_eye(words, cells, at, color)


def on_board(state):
    return state.game.on_playout_board(state)[1]


def cell_of(state, point):
    row, column = divmod(point, state.game.width)
    return playout_board.PASS if point == state.pass_move else row * (state.game.width + 1) + column


@pytest.mark.parametrize("size", ["2", "3", "5", "9", "10", "4x7", "12x9"])
def test_random_games_are_the_same(size):
    """All moves, passes and repetitions among them: legal points, eyes, hashes, ends, scores."""
    game, rng = hansu.game("go", size=size, komi=0.5), random.Random(2)
    path, found = np.zeros(game.max_turns + 1, np.uint64), np.zeros(128, np.int64)
    ends = set()
    for number in range(6):
        state = game.start()
        words = on_board(state)
        while not state.is_game_over():
            path[: len(state.move_stack)] = state.path[: len(state.move_stack)]
            legal = {cell_of(state, point) for point in state.legal_moves} - {playout_board.PASS}
            choices(words, path, found)
            assert set(np.flatnonzero(found).tolist()) == legal
            is_eye = np.zeros(game.width * game.height, np.bool_)
            eyes(state.words, is_eye)
            own = {cell_of(state, point) for point in np.flatnonzero(is_eye).tolist()}
            assert set(np.flatnonzero(found == 1).tolist()) == legal & own
            assert on_sets.key(words) == rules_on_words(rules).key(state.words)
            assert on_sets.ending(words, path, 1) == 0
            sensible = np.flatnonzero(found == 2).tolist()
            careful = number % 3 != 2 and sensible  # every third game fills eyes too
            points = [p for p in state.legal_moves if not careful or cell_of(state, p) in sensible]
            move = rng.choice(points)
            words = on_sets.play(words, cell_of(state, move))
            state.push(move)
            if rng.random() < 0.02:  # as if a search began here
                words = on_board(state)
        ending = on_sets.ending(words, path, 0)
        ends.add(ending)
        assert playout_board.ENDINGS[ending] == state.outcome().reason
        score = on_sets.score_first(words, ending)
        winner = state.outcome().winner
        assert score == (0 if winner is None else 1 if winner == game.first_color else -1)
    assert ends


def test_it_is_used_where_it_fits():
    assert playout_board.fits(hansu.game("go", size=10).start().words)
    assert not playout_board.fits(hansu.game("go", size=11).start().words)
    marked = hansu.game("go", size=5).parse("x.o../...../...../...../.....")
    board.mark_dead(marked.words, 0)
    assert not playout_board.fits(marked.words)


@pytest.mark.parametrize("size", ["2", "5", "9", "10", "4x7", "12x9"])
@pytest.mark.parametrize("policy", DRAWN)
def test_a_turn_plays_the_move_of_the_same_random_numbers(size, policy):
    pick, turn = DRAWN[policy]
    draw = policy_on_words(playout_board, pick)
    game = hansu.game("go", size=size, komi=0.5)
    for seed in range(4):
        state = game.start()
        words, path = on_board(state), state.path_with_room()
        ours, theirs = seeded(seed), seeded(seed)
        moves = np.empty(playout_board.MAX_MOVES, np.int64)
        while (move := draw(words, path, moves, ours)) >= 0:
            path[len(state.move_stack)] = on_sets.key(words)
            after = turn(words, path, theirs)
            words = on_sets.play(words, move)
            assert after.tolist() == words.tolist()
            assert ours[0] == theirs[0]
            state.push(playout_board.move_in_rules(state.words, move))  # raises if illegal
            assert on_sets.key(words) == rules_on_words(rules).key(state.words)
        assert state.is_game_over()


def test_playouts_have_the_same_results():
    """Other random numbers, the same distribution: of results and of lengths."""
    state, games = hansu.game("go", size=5, komi=2.5).start(), 4000
    found = {}
    for where, words in (
        (rules, state.words),
        (playout_board, on_board(state)),
    ):
        counts = np.zeros(4, np.int64)
        run = make_playouts(where, where.random_move)
        run(words, state.path_with_room(), games, seeded(3), counts)
        found[where] = counts / games
    assert np.abs(found[rules][:3] - found[playout_board][:3]).max() < 0.04
    assert abs(found[rules][3] - found[playout_board][3]) < 0.02 * found[rules][3]
