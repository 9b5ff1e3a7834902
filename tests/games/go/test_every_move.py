"""Every legal move of many positions, and the position after it, as others have them."""

import collections
import random

import numpy as np
import pytest

import hansu
from hansu.games.go import board, rules
from hansu.games.go.tables import CELLS
from hansu.games.rules_on_words import rules_on_words
from tests.games.every_move import check_text, every_move
from tests.games.go.gnugo import GnuGo, needs_gnugo
from tests.games.go.positions import SHAPES, random_setup
from tests.games.go.test_rules import rows_of

ON_WORDS = rules_on_words(rules)
TURNS = 1000


def words_of(slow):
    """The position that the stones of a slow board make, without the way that led there."""
    words = board.start(slow.width, slow.height, 0, TURNS)
    colors = [".xo".index(letter) for row in slow.rows() for letter in row]
    assert board.set_up(words, np.array(colors, np.uint64), int(slow.turn == "o")) == -1
    return words


class Game:
    """A game on the slow board and the same game in compiled rules, whatever the size."""

    def __init__(self, slow):
        self.slow, self.words, self.path = slow, words_of(slow), np.zeros(TURNS, np.uint64)

    def legal_moves(self):
        out = np.empty(rules.MAX_MOVES, np.int64)
        return out[: ON_WORDS.legal_moves(self.words, self.path, out)].tolist()

    def play(self, move):
        self.path[int(self.words[board.PLY])] = ON_WORDS.key(self.words)
        self.words = ON_WORDS.play(self.words, move)
        self.slow.play(move)

    def check_every_move(self, seen):
        legal, before = self.legal_moves(), self.words.copy()
        assert legal == self.slow.legal_moves(), (self.slow.rows(), self.slow.turn)
        for move in legal:
            after, there = ON_WORDS.play(self.words, move), self.slow.copy()
            there.play(move)
            check_position(after, there, int(before[board.PLY]) + 1)
            taken = sum(there.lost.values()) - sum(self.slow.lost.values())
            seen["captures"] += taken > 0
            seen["captures many"] += taken > 2
        assert np.array_equal(self.words, before)
        seen["positions"] += 1
        points = range(self.slow.width * self.slow.height)
        taken_points = {p for p in points if "".join(self.slow.rows())[p] != "."}
        for point in set(points) - taken_points - set(legal) if legal else ():
            seen[int(rules.refusal(self.words, self.path, point))] += 1


def check_position(words, slow, ply):
    """Board, counters, and what is kept along the way as if it were worked out anew."""
    assert rows_of(words) == slow.rows()
    assert (words[board.PLY], words[board.SECOND]) == (ply, slow.turn == "o")
    lost = (words[board.LOST_BLACK], words[board.LOST_WHITE])
    assert (words[board.PASSES], *lost) == (slow.passes, slow.lost["x"], slow.lost["o"])
    anew = words_of(slow)
    assert words[board.KEY] == anew[board.KEY], "the hash is that of the stones"
    assert words[board.EMPTIES] == anew[board.EMPTIES]
    (heads, liberties, empty), expected = strings(words), strings(anew)
    assert liberties == expected[1], "the liberties are those of the stones"
    assert empty == expected[2], "the list of empty cells is complete"
    pairs = set(zip(heads, expected[0], strict=True))
    assert len(pairs) == len(set(heads)) == len(set(expected[0])), "the strings are the same"


def strings(words):
    """For every stone the head of its string and the liberties kept there; the empty cells."""
    cells = words[board.HEADER :].view(np.uint16)
    at = CELLS[int(words[board.WIDTH]), : int(words[board.POINT_COUNT])]
    stones = at[cells[at] != 0]
    heads = cells[stones + 1]
    first = int(words[board.LIST])
    empty = sorted(cells[first : first + int(words[board.EMPTIES])].tolist())
    return heads.tolist(), cells[heads + 3].tolist(), empty


@pytest.mark.parametrize("count", [5000, pytest.param(200_000, marks=pytest.mark.slow)])
def test_every_move_leads_where_it_leads_on_the_slow_board(count):
    """A position set up, and some that random games lead to from there."""
    rng, seen = random.Random(count), collections.Counter()
    while seen["positions"] < count:
        game = Game(random_setup(rng, *rng.choice(SHAPES)))
        for _ in range(rng.randrange(1, 12)):
            game.check_every_move(seen)
            for _ in range(rng.randrange(1, 6)):
                legal = game.legal_moves()
                if legal:
                    passes = len(legal) == 1 or rng.random() < 0.1
                    game.play(legal[-1] if passes else rng.choice(legal[:-1]))
    self_capture, superko = seen[1], seen[2]
    assert min(self_capture, superko, seen["captures"], seen["captures many"]) > 100, seen
    assert seen[0] == 0, "what may not be played has a reason"


@pytest.mark.parametrize("name", ["go:size=5", "go:size=6x5", "go:size=9,komi=-3.5"])
def test_every_move_of_a_state_is_that_of_the_compiled_rules(name):
    game, rng = hansu.game(name), random.Random(name)
    for number in range(12):
        slow = random_setup(rng, game.width, game.height)
        state = game.parse(f"{'/'.join(slow.rows())} {'white' if slow.turn == 'o' else 'black'}")
        for _ in range(6):
            check_text(state)
            afters = dict(every_move(state, texts=number == 0))
            assert list(afters) == slow.legal_moves()
            for move, after in afters.items():
                there = slow.copy()
                there.play(move)
                assert rows_of(after.words) == there.rows()
            if not afters:
                break
            move = rng.choice(state.legal_moves)
            slow.play(move)
            state.push(move)


@needs_gnugo
@pytest.mark.parametrize(
    ("size", "count"),
    [
        *((1, 5), (2, 200), (3, 300), (4, 300), (5, 300), (6, 100), (7, 100), (9, 20), (13, 3)),
        *(pytest.param(n, 1000, marks=pytest.mark.slow) for n in (2, 4, 6, 7)),
        pytest.param(3, 50_000, marks=pytest.mark.slow),
        pytest.param(5, 140_000, marks=pytest.mark.slow),
        pytest.param(9, 9_900, marks=pytest.mark.slow),
        pytest.param(19, 100, marks=pytest.mark.slow),
    ],
)
def test_every_move_of_a_set_up_board_leads_where_it_leads_in_gnugo(size, count):
    rng = random.Random(size)
    with GnuGo(size) as gnugo:
        for _ in range(count):
            game = Game(random_setup(rng, size, size))
            color = {"x": "black", "o": "white"}
            gnugo.set_up({name(p, size): color[c] for p, c in game.slow.stones.items()})
            mover = color[game.slow.turn]
            *plays, passing = game.legal_moves()
            assert passing == size * size
            names = {name((move % size, move // size), size): move for move in plays}
            assert set(names) == gnugo.legal(mover), game.slow.rows()
            for point, move in names.items():
                after = ON_WORDS.play(game.words, move)
                shown = "".join(rows_of(after))
                stones = [
                    {name((i % size, i // size), size) for i in range(size**2) if shown[i] == side}
                    for side in "xo"
                ]
                lost = board.LOST_WHITE if mover == "black" else board.LOST_BLACK
                assert (*stones, int(after[lost])) == gnugo.after(mover, point)


def name(point, size):
    """What GTP calls a point, given by column and row from the top."""
    return f"{'ABCDEFGHJKLMNOPQRST'[point[0]]}{size - point[1]}"
