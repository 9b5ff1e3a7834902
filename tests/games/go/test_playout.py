"""Heavy playouts in go: atari, patterns, and what is never played, against slow oracles."""

import random
from collections import Counter

import numpy as np
import pytest

import hansu
from hansu.games.go import atari, board, patterns, playout
from hansu.kernel import seeded
from hansu.search.playout import playouts, random_move_id
from tests.search.positions import random_positions

SIZES = ["go:size=5", "go:size=9", "go:size=9x5", "go:size=6x11", "go:size=19"]


def after(text, moves):
    *rows, side = text.split()
    state = hansu.game("go", komi=0).parse("/".join(rows) + f" {side} to move")
    for move in moves.split():
        state = state.forward(state.parse_move(move))
    return state


def drawn(state, count=400):
    rng = seeded(1)
    counts = Counter(random_move_id(state, rng, "heavy") for _ in range(count))
    return {state.move_text(move_id) for move_id in counts}


def played_positions(name, count, seed):
    """Positions late in light games, where strings are in atari."""
    rng = random.Random(seed)
    for state in random_positions(name, count, seed):
        words = seeded(seed)
        for _ in range(rng.randrange(state.pass_move)):
            if (move_id := random_move_id(state, words)) < 0:
                break
            state.push(move_id)
        if not state.is_game_over():
            yield state


@pytest.mark.parametrize("name", SIZES)
def test_the_only_liberty_is_that_of_the_string(name):
    seen = Counter()
    for state in played_positions(name, 12, seed=1):
        cells = board.cells_of(state.words)
        for point in range(state.pass_move):
            string = state.string_at(point)
            if string is None:
                continue
            head = cells[np.uint64(board.cell_of(state.words, point)) + board.HEAD]
            found = int(atari.only_liberty(state.words, cells, np.uint64(head)))
            in_atari = len(string.liberties) == 1
            seen[in_atari] += 1
            assert (found != 0) == in_atari
            if in_atari:
                assert int(board.point_of(state.words, np.uint64(found))) in string.liberties
    assert seen[True] > 5


@pytest.mark.parametrize("name", SIZES)
def test_self_atari_is_a_move_that_leaves_one_liberty(name):
    seen = Counter()
    for state in played_positions(name, 12, seed=2):
        cells = board.cells_of(state.words)
        for point in state.legal_moves[:-1]:
            then = state.forward(point)
            string = then.string_at(point)
            lost = then.captures(state.turn) - state.captures(state.turn)
            at = np.uint64(board.cell_of(state.words, point))
            found = bool(atari.is_self_atari(state.words, cells, at))
            if lost <= 1:
                assert found == (len(string.liberties) == 1)
                seen[found] += 1
            bad = bool(atari.is_blunder(state.words, cells, at))
            assert bad == (found and len(string.stones) > atari.SACRIFICE)
            seen["blunder"] += bad
    assert seen[True] > 10
    assert seen["blunder"]


def test_a_stone_just_put_into_atari_is_captured():
    state = after("..... ..x.. .x.x. ..... ..... white", "C3")
    assert drawn(state) == {"C2"}


def test_a_string_just_put_into_atari_is_saved_by_extending():
    state = after("....... ..x.... .xo.... ....... ....... ....... ....... black", "C4")
    assert drawn(state) == {"D5"}


def test_a_string_is_saved_by_capturing_a_neighbour():
    state = after("..... ..... ..o.. .xxo. oo... black", "C1")
    assert drawn(state) <= {"D1", "A2"}
    assert "D1" in drawn(state)


def test_nothing_is_saved_that_cannot_escape():
    """The last liberty would leave one liberty again: other moves are drawn as well."""
    state = after("o.x.. .x... ..... ..... ..... black", "A4")
    assert len(drawn(state)) > 5


@pytest.mark.parametrize("name", ["go:size=5", "go:size=9", "go:size=7x5"])
def test_no_own_eye_is_filled_at_random_and_no_string_put_into_atari(name):
    """But for captures and rescues beside the last move, which the rules alone limit."""
    checked = 0
    for seed, state in enumerate(played_positions(name, 40, seed=5)):
        state.words[board.LAST] = 0
        cells = board.cells_of(state.words)
        rng = seeded(seed)
        for move_id in {random_move_id(state, rng, "heavy") for _ in range(50)} - {state.pass_move}:
            at = np.uint64(board.cell_of(state.words, move_id))
            assert not state.is_eye(move_id, state.turn)
            assert not atari.is_blunder(state.words, cells, at)
            checked += 1
    assert checked > 100


def test_superko_holds_beside_the_last_move():
    """Black has just taken the ko: White must not take it back at once."""
    state = after(".xo.. xo.o. .xo.. ..... ..... black", "C4")
    assert "B4" not in drawn(state)


def test_the_last_stone_is_known_after_every_move():
    state = hansu.game("go:size=5").start()
    for move, cell in (("C3", "C3"), ("pass", None), ("A5", "A5")):
        state.push(state.parse_move(move))
        at = state.words[board.LAST]
        assert (None if at == 0 else state.move_text(int(board.point_of(state.words, at)))) == cell
    state.pop()
    assert state.words[board.LAST] == 0


def fits(rows):
    """Whether a pattern fits in the middle of a 5x5 board."""
    state = hansu.game("go").parse("/".join(rows.split()))
    cells = board.cells_of(state.words)
    return bool(playout.fits_pattern(state.words, cells, np.uint64(board.cell_of(state.words, 12))))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("..... .xox. ..... ..... .....", True),  # hane
        ("..... .xo.. .o... ..... .....", True),  # cut
        ("..... .xo.. .o.o. ..... .....", False),  # protected
        ("..... ..... ..... ..... .....", False),
        ("..... .xxx. .x.x. .xxx. .....", False),  # an eye
        ("..... ..... .x... ..... .....", False),
    ],
)
def test_patterns_fit_turned_mirrored_and_with_colours_swapped(rows, expected):
    lines = rows.split()
    for _ in range(4):
        lines = ["".join(line) for line in zip(*lines[::-1], strict=True)]
        for seen in (lines, [line[::-1] for line in lines]):
            text = " ".join(seen)
            assert fits(text) == expected
            assert fits(text.translate(str.maketrans("xo", "ox"))) == expected


def test_edge_patterns_fit_at_the_edge_only():
    table = patterns.PATTERNS
    assert 0.05 < sum(int(word).bit_count() for word in table) / 65536 < 0.6
    state = hansu.game("go").parse("...../...../...../.xo../.....")
    words, cells = state.words, board.cells_of(state.words)
    edge = np.uint64(board.cell_of(words, 21))  # below the x, which stops a step of the o
    assert not playout.fits_pattern(words, cells, edge - board.STEP)
    state = hansu.game("go").parse("...../...../...../..x../...o.")
    assert playout.fits_pattern(state.words, board.cells_of(state.words), edge + board.STEP)


@pytest.mark.parametrize("name", SIZES)
def test_heavy_games_are_counted_like_light_ones(name):
    """Komi decides nothing else: with all of the board as komi White wins each of them."""
    size = name.partition("=")[2]
    for komi, winner in ((361, 2), (-361, 0)):
        start = hansu.game(f"go:size={size},komi={komi}").start()
        for policy in ("light", "heavy"):
            assert playouts(start, 5, 1, policy)[winner] == 5
