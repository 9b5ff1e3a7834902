"""The rules of Othello against a slow board, OpenSpiel, published counts and played games."""

import csv
import lzma
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import hansu
from hansu.games.othello import rules
from hansu.games.othello.rules import PASS
from hansu.kernel import JIT, bit, kernel, popcount, seeded
from hansu.search.perft import perft
from tests.games.othello.slow_board import SlowBoard, boards

GAME = hansu.game("othello")
PERFT = Path(__file__).parents[2] / "data" / "othello_perft.csv"
NO_PATH = np.empty(0, np.uint64)
MUST_PASS = "f5f6d3g5h5h4g7h6"


def names(state):
    return [state.move_text(move) for move in state.legal_moves]


def random_states(seed, n):
    """States on the way of random games."""
    rng = random.Random(seed)
    for _ in range(n):
        state = GAME.start()
        yield state.copy()
        while not state.is_game_over():
            state.push(rng.choice(state.legal_moves))
            yield state.copy()


def test_black_begins_and_has_four_moves():
    start = GAME.start()
    assert start.turn is hansu.BLACK
    assert names(start) == ["d3", "c4", "f5", "e6"]
    assert start.text() == "-" * 27 + "OX------XO" + "-" * 27 + " X"


def test_a_disc_turns_over_runs_in_all_eight_directions():
    before = "X--X--X- -O-O-O-- --OOO--- XOO-OOOX --OOO--- -O-O-O-- X--O--X- ---X---- X"
    after = "X--X--X- -X-X-X-- --XXX--- XXXXXXXX --XXX--- -X-X-X-- X--X--X- ---X---- O"
    state = GAME.parse(before)
    assert GAME.parse(after) == GAME.parse(state.forward(state.parse_move("d4")).text())


def test_a_run_does_not_go_on_around_the_edge():
    state = GAME.parse("------XO -------- -------- -------- -------- -------- -------- -------- X")
    assert names(state) == ["pass"]  # and not a2


def test_who_cannot_play_must_pass():
    state = GAME.parse(MUST_PASS)
    assert state.turn is hansu.BLACK
    assert state.legal_moves == [PASS]
    assert names(state) == ["pass"]
    assert not state.is_game_over()
    after = state.forward(PASS)
    assert after.turn is hansu.WHITE
    assert after.text()[:64] == state.text()[:64]
    assert PASS not in after.legal_moves


@pytest.mark.parametrize(
    ("moves", "winner", "reason", "margin", "black_score"),
    [
        ("e6f4e3f6g5d6e7f5c5", hansu.BLACK, "no_moves", 13, 64),  # no white disc is left
        (
            "d3c5c6c7b7a7f5f3d6g5g6e3b8c2f4f6b6d7c8g7e6b5g3e8g4h4c4b4d8h3f2g1e2f7d2a8h2c3b2d1"
            "a5e7f1c1h1e1h5g2h7a2a4a3g8a6b1f8b3h6h8",
            hansu.WHITE, "no_moves", 5, 29,
        ),
        (
            "f5d6c3f3f4d3c4g6f6e6c5c6d7d8e7g5e3d2g4h3f7b5h5g3b4b6c8b8c7e8f8g8h4h6e2d1c1a3a6a5"
            "e1f2g7c2a4h8a2b7f1b3b1b2h7a7a8a1g1g2h2h1",
            hansu.BLACK, "board_full", 4, 34,
        ),
    ],
)  # fmt: skip
def test_how_a_game_ends(moves, winner, reason, margin, black_score):
    state = GAME.parse(moves)
    assert state.outcome() == hansu.Outcome(winner, reason, margin)
    assert state.legal_moves == []
    assert state.tournament_score(hansu.BLACK) == black_score
    assert state.tournament_score(hansu.WHITE) == 64 - black_score


@pytest.mark.parametrize(
    ("board", "winner", "reason"),
    [
        ("X" * 64, hansu.BLACK, "board_full"),
        ("O" * 64, hansu.WHITE, "board_full"),
        ("X" * 32 + "O" * 32, None, "board_full"),
        ("-" * 63 + "O", hansu.WHITE, "no_moves"),
        ("X" + "-" * 62 + "O", None, "no_moves"),
    ],
)
@pytest.mark.parametrize("side", "XO")
def test_when_neither_can_play_more_discs_win(board, winner, reason, side):
    outcome = GAME.parse(f"{board} {side}").outcome()
    assert (outcome.winner, outcome.reason) == (winner, reason)


@given(boards)
def test_moves_and_turned_discs_are_those_of_the_slow_board(text):
    slow, state = SlowBoard(text), GAME.parse(text)
    assert state.legal_moves == slow.legal()
    for move in slow.legal():
        after = SlowBoard(text)
        after.play(move)
        assert state.forward(move).text() == after.text()


def test_random_games_go_as_in_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("othello")
    rng = random.Random(1)
    for _ in range(200 if JIT else 10):
        ours, theirs = GAME.start(), game.new_initial_state()
        while not ours.is_game_over():
            assert theirs.legal_actions() == ours.legal_moves
            assert theirs.current_player() == (ours.turn == hansu.WHITE)
            move = rng.choice(ours.legal_moves)
            ours.push(move)
            theirs.apply_action(move)
        assert theirs.is_terminal()
        assert (
            theirs.returns()[0] == {hansu.BLACK: 1, hansu.WHITE: -1, None: 0}[ours.outcome().winner]
        )


def perft_rows():
    with PERFT.open() as file:
        return [tuple(map(int, row)) for row in csv.reader(file) if not row[0].startswith("#")]


def test_perft_agrees_with_the_published_counts():
    for depth, nodes in perft_rows()[: 9 if JIT else 4]:
        assert perft(GAME.start(), depth) == nodes


@pytest.mark.slow
@pytest.mark.parametrize("depth", [10, 11])
def test_deep_perft_agrees_with_the_published_counts(depth):
    assert perft(GAME.start(), depth) == dict(perft_rows())[depth]


@kernel
def replay(squares, ends, finals):
    """Replay games given as squares, one after another; the number of the first wrong one, or -1.

    Writes the discs of Black and of White at the end, and whether the game is over then.
    """
    begin = 0
    moves = np.empty(rules.MAX_MOVES, np.int64)
    for game in range(len(ends)):
        pos = rules.Position(rules.ZERO, rules.ZERO, bit(28) | bit(35), bit(27) | bit(36))
        for square in squares[begin : ends[game]]:
            n = rules.legal_moves(pos, NO_PATH, moves)
            if n == 1 and moves[0] == PASS:
                pos = rules.play(pos, PASS)
                n = rules.legal_moves(pos, NO_PATH, moves)
            legal = False
            for i in range(n):
                legal |= moves[i] == square
            if not legal:
                return game
            pos = rules.play(pos, square)
        begin = ends[game]
        black, white = (pos.theirs, pos.mine) if pos.second else (pos.mine, pos.theirs)
        finals[game, 0], finals[game, 1] = popcount(black), popcount(white)
        finals[game, 2] = rules.legal_moves(pos, NO_PATH, moves) == 0
    return -1


def replay_texts(texts):
    """The end of every game, [games, 3]; fails at an illegal move."""
    letters = np.frombuffer("".join(texts).encode(), np.uint8).astype(np.int64)
    squares = letters[0::2] - ord("a") + 8 * (letters[1::2] - ord("1"))
    finals = np.zeros((len(texts), 3), np.int64)
    wrong = replay(squares, np.cumsum([len(text) // 2 for text in texts]), finals)
    assert wrong == -1, texts[wrong]
    return finals


def tournament_games(shared_data):
    with lzma.open(shared_data("othello/wthor_1977-2023.tsv.xz"), "rt") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_every_tournament_game_is_legal_and_ends_with_the_recorded_score(shared_data):
    games = tournament_games(shared_data)
    assert len(games) == 131212
    games = games if JIT else games[:100]
    black, white, over = replay_texts([game["moves"] for game in games]).T
    full = np.array([game["status"] == "full" for game in games])
    assert over[full].all()
    assert not over[~full].any()
    empty = 64 - black - white
    score = black + np.where(black > white, empty, np.where(black == white, empty // 2, 0))
    recorded = np.array([int(game["black_score"]) for game in games])
    assert (score == recorded)[full].all()


def test_tournament_games_are_read_and_written_back(shared_data):
    games = [game for game in tournament_games(shared_data) if game["status"] == "full"]
    passed = 0
    for game in random.Random(1).sample(games, 300 if JIT else 10):
        state = GAME.parse(game["moves"])
        assert state.transcript() == game["moves"]
        assert state.is_game_over()
        assert state.tournament_score(hansu.BLACK) == int(game["black_score"])
        passed += PASS in state.move_stack
    assert passed


def test_the_xot_openings_are_legal_and_all_different(shared_data):
    texts = shared_data("othello/xot_openings_large.txt").read_text().split()
    assert len(texts) == 10784
    replay_texts(texts)
    some = texts if JIT else texts[:50]
    assert len({GAME.parse(text).text() for text in some}) == len(some)


def test_the_fforum_positions_list_exactly_the_legal_moves(shared_data):
    with shared_data("othello/ffo_shared.tsv").open() as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len(rows) == 53
    for row in rows:
        state = GAME.parse(row["obf"])
        listed = [part.split(":")[0].strip().lower() for part in row["obf"].split(";")[1:]]
        assert sorted(names(state)) == sorted(filter(None, listed))
        assert row["obf"].startswith(state.text())


def test_a_random_move_is_any_legal_move_with_equal_chance():
    pos = rules.Position(*GAME.parse("f5d6").words)
    rng = seeded(1)
    counts = Counter(int(rules.random_move(pos, NO_PATH, None, rng)) for _ in range(5000))
    assert sorted(counts) == GAME.parse("f5d6").legal_moves
    assert all(885 < count < 1115 for count in counts.values())  # 1000 expected, 4 sigma = 113


@pytest.mark.parametrize(
    ("text", "move"),
    [
        (MUST_PASS, PASS),
        ("X" * 64 + "O", -rules.BOARD_FULL),
        ("e6f4e3f6g5d6e7f5c5", -rules.NO_MOVES),
    ],
)
def test_a_random_move_passes_when_it_must_and_knows_the_end(text, move):
    pos = rules.Position(*GAME.parse(text).words)
    assert rules.random_move(pos, NO_PATH, None, seeded(1)) == move


def test_keys_are_equal_exactly_for_equal_positions():
    seen = {}
    for state in random_states(seed=3, n=100 if JIT else 5):
        assert seen.setdefault(state.key, state.text()) == state.text()
    assert len(seen) == len(set(seen.values()))
    assert GAME.parse("e6f4g3d6c7").key == GAME.parse("e6d6c7f4g3").key
    board = GAME.start().text()[:64]
    assert GAME.parse(f"{board} X").key != GAME.parse(f"{board} O").key
    swapped = board.translate(str.maketrans("XO", "OX"))
    assert GAME.parse(f"{board} X").key != GAME.parse(f"{swapped} O").key
