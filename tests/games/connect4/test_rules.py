"""The rules of Connect Four against a slow board, OpenSpiel and published counts."""

import csv
import lzma
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hansu
from hansu.errors import MoveError, OptionError, PositionError, UnknownName
from hansu.games.connect4 import rules
from hansu.games.rules_on_words import rules_on_words
from hansu.kernel import JIT, kernel, seeded
from hansu.search.perft import perft
from tests.games.connect4.slow_board import CELLS, LINES, SlowBoard, as_set, games

GAME = hansu.game("connect4")
NO_CENTER = hansu.game("connect4", no_center_opening=True)
PERFT = Path(__file__).parents[2] / "data" / "connect4_perft.csv"
NO_PATH = np.empty(0, np.uint64)


def random_states(seed, n):
    """States on the way of random games."""
    rng = random.Random(seed)
    for _ in range(n):
        state = GAME.start()
        yield state.copy()
        while not state.is_game_over():
            state.push(rng.choice(state.legal_moves))
            yield state.copy()


def test_a_game_begins_with_white_and_seven_open_columns():
    start = GAME.start()
    assert start.turn is hansu.WHITE
    assert start.legal_moves == [1, 2, 3, 4, 5, 6, 7]
    assert start.outcome() is None


@pytest.mark.parametrize(
    ("board", "winner", "reason"),
    [
        ("....... ....... x...... xo..... xo..... xo.....", hansu.WHITE, "line"),
        ("....... ....... ....... ......o ......o xxxx..o", hansu.WHITE, "line"),
        ("....... ....... ....... ..xx... .xxo... xoooo..", hansu.BLACK, "line"),
        ("....... ....... ...x... ..xx... oxxo... xooo...", hansu.WHITE, "line"),
        ("....... ....... ...x... ...xx.. ...oxxo ...ooox", hansu.WHITE, "line"),
        ("....... ....... ....... ....... ooo.ooo xxxxxxx", hansu.WHITE, "line"),  # more than four
        ("oxooxoo oxxoxxx xoxxoxo oxxooxo oooxoox xxoxxxo", None, "board_full"),
        (".xooxoo oxxoxxx xoxxoxo oxxooxo oooxoox xxoxxxo", None, None),
        ("....... ....... ....... ..xx... .xxo... xooo...", None, None),
    ],
)
def test_how_a_game_ends(board, winner, reason):
    outcome = GAME.parse(board).outcome()
    assert (outcome and (outcome.winner, outcome.reason)) == (reason and (winner, reason))
    assert (GAME.parse(board).legal_moves == []) == (outcome is not None)


def test_a_full_column_takes_no_more_discs():
    state = GAME.parse("444444")
    assert state.legal_moves == [1, 2, 3, 5, 6, 7]
    with pytest.raises(MoveError, match="4 is not legal here; legal moves are 1, 2, 3, 5, 6, 7"):
        state.parse_move("4")


@given(games())
def test_every_game_goes_as_on_the_slow_board(moves):
    board, state = SlowBoard(moves), GAME.parse(moves)
    winner = board.winner()
    assert state.legal_moves == board.legal()
    assert state.stones() == (as_set(board.cells(0)), as_set(board.cells(1)))
    assert state.is_game_over() == (not board.legal())
    if state.is_game_over():
        color = {0: hansu.WHITE, 1: hansu.BLACK, None: None}[winner]
        assert state.outcome().winner == color
        assert state.outcome().reason == ("board_full" if winner is None else "line")


@given(st.sets(st.sampled_from(CELLS)), st.sampled_from([[], *LINES]))
def test_a_line_is_found_wherever_it_lies(cells, line):
    cells |= set(line)
    in_lines = {cell for line in LINES if cells.issuperset(line) for cell in line}
    assert rules.has_line(np.uint64(as_set(cells))) == bool(in_lines)
    assert rules.line_cells(np.uint64(as_set(cells))) == as_set(in_lines)


def test_there_are_69_lines_and_each_is_found_alone():
    assert len(LINES) == 69
    for line in LINES:
        assert rules.has_line(np.uint64(as_set(set(line))))
        for cell in line:
            assert not rules.has_line(np.uint64(as_set(set(line) - {cell})))


def test_perft_agrees_with_openspiel():
    with PERFT.open() as file:
        rows = [tuple(map(int, row)) for row in csv.reader(file) if not row[0].startswith("#")]
    assert len(rows) == 9
    for depth, nodes in rows[: 9 if JIT else 4]:
        assert perft(GAME.start(), depth) == nodes


def test_random_games_go_as_in_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("connect_four")
    for state in random_states(seed=1, n=100 if JIT else 10):
        theirs = game.new_initial_state()
        for move in state.move_stack:
            theirs.apply_action(move - 1)
        assert theirs.is_terminal() == state.is_game_over()
        if state.is_game_over():
            winner = {hansu.WHITE: 1, hansu.BLACK: -1, None: 0}[state.outcome().winner]
            assert theirs.returns()[0] == winner
        else:
            assert [action + 1 for action in theirs.legal_actions()] == state.legal_moves


@kernel
def expand(words, out):
    """Write all positions one move after some positions, return how many."""
    moves = np.empty(rules.MAX_MOVES, np.int64)
    n = 0
    for i in range(len(words)):
        pos = unpack(words[i])
        for j in range(rules.legal_moves(pos, NO_PATH, moves)):
            after = rules.play(pos, moves[j])
            out[n, 0], out[n, 1], out[n, 4] = after.ply, after.second, after.no_center
            out[n, 2], out[n, 3] = after.mine, after.theirs
            out[n, 5], out[n, 6] = after.bottom, after.height
            n += 1
    return n


unpack = rules_on_words(rules).unpack


def count_positions(plies):
    """How many different positions there are after each number of turns."""
    layer = GAME.start().words.reshape(1, -1)
    yield len(layer)
    for _ in range(plies):
        out = np.empty((7 * len(layer), layer.shape[1]), np.uint64)
        out = out[: expand(layer, out)]
        position = out[:, 2] + (out[:, 2] | out[:, 3])  # as in rules.key, without the mixing
        layer = out[np.unique(position, return_index=True)[1]]
        yield len(layer)


@pytest.mark.parametrize("plies", [9 if JIT else 4, pytest.param(11, marks=pytest.mark.slow)])
def test_the_positions_after_each_turn_are_as_many_as_published(plies, shared_data):
    with shared_data("connect4/positions_per_ply.csv").open() as file:
        published = [int(row["distinct_positions"]) for row in csv.DictReader(file)]
    assert list(count_positions(plies)) == published[: plies + 1]


@pytest.mark.parametrize("name", ["Test_L1_R1", "Test_L1_R3", "Test_L2_R1", "Test_L3_R1"])
def test_the_published_positions_run_and_their_scores_tell_who_wins_at_once(name, shared_data):
    """A score of 22 - k promises a win with the own k-th stone."""
    rows = shared_data(f"connect4/{name}").read_text().split("\n")[: None if JIT else 50]
    for row in filter(None, rows):
        moves, score = row.split()
        state = GAME.parse(moves)
        assert not state.is_game_over()
        assert state.text() == moves
        assert state.turn == (hansu.WHITE if len(moves) % 2 == 0 else hansu.BLACK)
        wins_now = any(
            (outcome := state.forward(move).outcome()) and outcome.winner == state.turn
            for move in state.legal_moves
        )
        assert wins_now == (int(score) == 22 - (len(moves) // 2 + 1))


def test_boards_of_the_uci_data_are_read_and_nobody_can_win_at_once(shared_data):
    with lzma.open(shared_data("connect4/uci-connect-4.data.xz"), "rt") as file:
        rows = file.read().splitlines()
    assert len(rows) == 67557
    for row in random.Random(1).sample(rows, 1000 if JIT else 50):
        state = GAME.parse(row)
        cells = "".join(row.split(",")[:42])
        first, second = state.stones()
        for i, letter in enumerate(cells):
            cell = 1 << (7 * (i // 6) + i % 6)
            assert letter == ("x" if first & cell else "o" if second & cell else "b")
        assert len(state.move_stack) == 8
        assert not any(state.forward(move).is_game_over() for move in state.legal_moves)


def test_without_the_center_only_the_very_first_move_is_barred():
    start = NO_CENTER.start()
    assert start.legal_moves == [1, 2, 3, 5, 6, 7]
    assert start.forward(1).legal_moves == [1, 2, 3, 4, 5, 6, 7]
    assert [perft(start, depth) for depth in range(1, 5)] == [6, 42, 294, 2058]
    pos = as_position(start)
    picked = {int(rules.random_move(pos, NO_PATH, None, seeded(seed))) for seed in range(99)}
    assert picked == {1, 2, 3, 5, 6, 7}
    with pytest.raises(PositionError, match="move 1: 4 is not legal here"):
        NO_CENTER.parse("44")


def test_a_wrong_rule_says_what_would_be_right():
    assert hansu.game("connect4:no_center_opening=on") == NO_CENTER
    assert str(NO_CENTER) == "connect4:no_center_opening=on"
    with pytest.raises(OptionError, match="no_center_opening: 'perhaps' is neither on nor off"):
        hansu.game("connect4:no_center_opening=perhaps")
    with pytest.raises(
        UnknownName, match="the connect4 options are height, no_center_opening, width"
    ):
        hansu.game("connect4", gravity=False)


def as_position(state):
    return rules.Position(*state.words)


def test_a_random_move_is_any_open_column_with_equal_chance():
    pos = as_position(GAME.parse("4444441111"))
    rng = seeded(1)
    counts = Counter(int(rules.random_move(pos, NO_PATH, None, rng)) for _ in range(6000))
    assert sorted(counts) == [1, 2, 3, 5, 6, 7]
    assert all(880 < count < 1120 for count in counts.values())  # 1000 expected, 4 sigma = 115


def test_a_random_move_of_a_finished_game_is_minus_its_ending():
    drawn = "174166227341672362665415453424277135575133"
    for moves, ending in [("1212121", rules.LINE), (drawn, rules.BOARD_FULL)]:
        pos = as_position(GAME.parse(moves))
        assert rules.random_move(pos, NO_PATH, None, seeded(1)) == -ending


@pytest.mark.skipif(not JIT, reason="everything is plain Python already")
def test_compiled_rules_do_what_the_same_rules_do_in_plain_python():
    compiled, plain = np.empty((2, rules.MAX_MOVES), np.int64)
    for i, state in enumerate(random_states(seed=2, n=20)):
        pos = as_position(state)
        n = rules.legal_moves(pos, NO_PATH, compiled)
        assert n == rules.legal_moves.py_func(pos, NO_PATH, plain)
        assert compiled[:n].tolist() == plain[:n].tolist()
        over = rules.ending(pos, NO_PATH, n)
        assert over == rules.ending.py_func(pos, NO_PATH, n)
        assert rules.key(pos) == rules.key.py_func(pos)
        pick = rules.random_move(pos, NO_PATH, None, seeded(i))
        assert pick == rules.random_move.py_func(pos, NO_PATH, None, seeded(i))
        if over:
            assert rules.score_first(pos, over) == rules.score_first.py_func(pos, over)
        for move in compiled[:n]:
            assert rules.play(pos, move) == rules.play.py_func(pos, move)


def test_keys_are_equal_exactly_for_equal_boards():
    boards = {}
    for state in random_states(seed=3, n=300 if JIT else 20):
        assert boards.setdefault(state.key, str(state)) == str(state)
    assert len(boards) == len(set(boards.values()))
    assert GAME.parse("1234").key == GAME.parse("3214").key != GAME.parse("2134").key
    assert GAME.parse("1234") == GAME.parse("3214")
