"""Go rules on sets of points, for boards of up to 128 cells: random games on a GPU.

The same rules and the same hashes as in ``rules``, on another board. There each thread of a card
would walk through records in memory, at places of its own; here a position is a few numbers in
registers, and strings and liberties are found by spreading sets over their neighbours.

A set is two words of 64 bits. Cells are the points with one border cell at the end of each row, so
that a step to the side never enters another row; a move is the number of its cell, or PASS:

     0  1  2  3  4  #          a board 5 wide: one step down is 6 cells
     6  7  8  9 10  #
    12 13 14 15 16  #

Superko: a board cannot have been there before its newest stone, where that lies on a point that was
empty all the time. So a play on such a point repeats nothing, and another is compared only with
boards after the last of these plays whose stone is still there.
"""

from typing import Any, NamedTuple

import numpy as np

from hansu.games.go import board
from hansu.games.go.board import BLACK, KOMI_ZERO
from hansu.games.go.point_sets import (
    CELLS,
    LAST_BIT,
    ONE,
    WORD,
    ZERO,
    below_cell,
    beside,
    cell_set,
    nth_cell,
    set_key,
)
from hansu.games.go.tables import PASSED, SIDE, ZOBRIST
from hansu.kernel import kernel, popcount, random_below

PASS = CELLS
MAX_MOVES = CELLS + 1
USES_PATH = True
ENDINGS = ("", "two_passes", "max_turns")

TWO = np.uint64(2)
NOWHERE = np.uint64(255)  # of ``newest``


class Position(NamedTuple):
    """Sets are two words each; ``step`` is from one row to the next."""

    ply: np.uint64
    second: np.uint64
    mine: np.uint64
    mine_2: np.uint64
    theirs: np.uint64
    theirs_2: np.uint64
    used: np.uint64  # points that have had a stone
    used_2: np.uint64
    newest: np.uint64  # the last of the stones on the board that were put on an unused point
    since: np.uint64  # the ply from which on it has been there
    passes: np.uint64
    key: np.uint64
    points: np.uint64
    points_2: np.uint64
    step: np.uint64
    komi: np.uint64
    max_turns: np.uint64


def fits(words: Any) -> bool:
    """Return whether a position in words of ``board`` can be played here."""
    size = (int(words[board.WIDTH]) + 1) * int(words[board.HEIGHT])
    return size <= CELLS and not board.has_dead(words)


@kernel
def from_words(words: Any) -> Any:
    """Return the same position on this board."""
    step, cells = words[board.WIDTH] + ONE, board.cells_of(words)
    # The records lie in the order of the cells here, after the border above and to the left.
    first = step + ONE
    size: Any = np.int64(step * words[board.HEIGHT])
    odd, odd_2, high, high_2 = ZERO, ZERO, ZERO, ZERO  # the bits of EMPTY, BLACK, WHITE, BORDER
    for cell in range(min(size, 64)):
        color = np.uint64(cells[board.STEP * (first + np.uint64(cell))])
        odd |= (color & ONE) << np.uint64(cell)
        high |= (color >> ONE) << np.uint64(cell)
    for cell in range(64, size):
        color = np.uint64(cells[board.STEP * (first + np.uint64(cell))])
        odd_2 |= (color & ONE) << np.uint64(cell - 64)
        high_2 |= (color >> ONE) << np.uint64(cell - 64)
    black, black_2, white, white_2 = odd & ~high, odd_2 & ~high_2, high & ~odd, high_2 & ~odd_2
    everything, everything_2 = below_cell(size)
    points, points_2 = everything & ~(odd & high), everything_2 & ~(odd_2 & high_2)
    used, used_2 = black | white, black_2 | white_2
    if words[board.LOST_BLACK] or words[board.LOST_WHITE]:
        used, used_2 = points, points_2  # any of them may have had a stone
    if words[board.SECOND]:
        black, black_2, white, white_2 = white, white_2, black, black_2
    return Position(
        words[board.PLY],
        words[board.SECOND],
        black,
        black_2,
        white,
        white_2,
        used,
        used_2,
        NOWHERE,
        ZERO,
        words[board.PASSES],
        words[board.KEY],
        points,
        points_2,
        step,
        words[board.KOMI],
        words[board.MAX_TURNS],
    )


def move_in_rules(words: Any, move: int) -> int:
    """Return a move as ``rules`` numbers it, on the board of these words of ``board``."""
    if move == PASS:
        return int(words[board.POINT_COUNT])
    row, column = divmod(move, int(words[board.WIDTH]) + 1)
    return row * int(words[board.WIDTH]) + column


# Stones -----------------------------------------------------------------------------------------


@kernel(allocates=False)
def empty(pos):
    """Return the empty points."""
    return (
        pos.points & ~(pos.mine | pos.theirs),
        pos.points_2 & ~(pos.mine_2 | pos.theirs_2),
    )


@kernel(allocates=False, inline=True)
def captured(pos, stone, stone_2):
    """Return the stones that a stone of mine takes: those without another liberty.

    The strings that live are spread from their liberties, until they reach all stones beside the
    new one or stop.
    """
    near, near_2 = beside(stone, stone_2, pos.step)
    near, near_2 = near & pos.theirs, near_2 & pos.theirs_2
    if not near | near_2:
        return ZERO, ZERO
    free, free_2 = empty(pos)
    alive, alive_2 = beside(free & ~stone, free_2 & ~stone_2, pos.step)
    alive, alive_2 = alive & pos.theirs, alive_2 & pos.theirs_2
    while (near & ~alive) | (near_2 & ~alive_2):
        more, more_2 = beside(alive, alive_2, pos.step)
        more, more_2 = alive | (more & pos.theirs), alive_2 | (more_2 & pos.theirs_2)
        if more == alive and more_2 == alive_2:
            return pos.theirs & ~alive, pos.theirs_2 & ~alive_2
        alive, alive_2 = more, more_2
    return ZERO, ZERO


@kernel(allocates=False, inline=True)
def has_liberty(pos, stone, stone_2):
    """Return whether a new stone of mine, which takes none, has a liberty with its string."""
    free, free_2 = empty(pos)
    free, free_2 = free & ~stone, free_2 & ~stone_2
    string, string_2 = stone, stone_2
    while True:
        near, near_2 = beside(string, string_2, pos.step)
        if (near & free) | (near_2 & free_2):
            return True
        more, more_2 = string | (near & pos.mine), string_2 | (near_2 & pos.mine_2)
        if more == string and more_2 == string_2:
            return False
        string, string_2 = more, more_2


@kernel(allocates=False, inline=True)
def look_ahead(pos, cell):
    """Return whether a stone of mine on an empty point would live, and what it would take."""
    stone, stone_2 = cell_set(cell)
    near, near_2 = beside(stone, stone_2, pos.step)
    free, free_2 = empty(pos)
    taken, taken_2 = captured(pos, stone, stone_2)
    lives = (near & free) | (near_2 & free_2) | taken | taken_2 != ZERO
    return lives or has_liberty(pos, stone, stone_2), taken, taken_2


@kernel(allocates=False)
def key_after(pos, cell, taken, taken_2):
    """Return the hash of stones and side to move after a stone that takes these."""
    me = np.int64(BLACK + pos.second)
    key = pos.key ^ SIDE ^ ZOBRIST[me, np.uint64(cell) + pos.step + ONE]
    return key ^ set_key(taken, taken_2, 3 - me, pos.step)


@kernel(allocates=False)
def is_unused(pos, cell):
    """Return whether a point never had a stone, as far as is known."""
    stone, stone_2 = cell_set(cell)
    return (pos.used & stone) | (pos.used_2 & stone_2) == ZERO


@kernel(allocates=False)
def repeats(pos, path, cell, taken, taken_2, key):
    """Return whether a stone that takes these brings back an earlier board: it has this hash."""
    if is_unused(pos, cell):
        return False
    since = ZERO if takes_newest(pos, taken, taken_2) else pos.since
    return is_repetition(np.int64(pos.ply), np.int64(since), path, key)


@kernel(allocates=False)
def is_legal(pos, path, cell):
    """Return whether I may put a stone on an empty point."""
    lives, taken, taken_2 = look_ahead(pos, cell)
    key = key_after(pos, cell, taken, taken_2)
    return lives and not repeats(pos, path, cell, taken, taken_2, key)


@kernel(allocates=False)
def legal_moves(pos, path, out):
    """Write the legal moves to ``out``, the pass last; none after two passes."""
    if pos.passes == TWO:
        return 0
    free, free_2 = empty(pos)
    n = 0
    for cell in range(CELLS):
        one, one_2 = cell_set(cell)
        if (free & one) | (free_2 & one_2) and is_legal(pos, path, cell):
            out[n] = cell
            n += 1
    out[n] = PASS
    return n + 1


@kernel(allocates=False)
def takes_newest(pos, taken, taken_2):
    """Return whether the newest stone is among those that are taken."""
    if pos.newest == NOWHERE:
        return False
    new, new_2 = cell_set(pos.newest)
    return (new & taken) | (new_2 & taken_2) != ZERO


@kernel(allocates=False)
def is_repetition(ply, since, path, key):
    """Return whether a board with this hash has been there before, with the same side to move."""
    # The turns after which the other side was to move.
    for turn in range(since + (since + 1 + ply) % 2, ply, 2):
        if path[turn] == key or path[turn] == key ^ PASSED[1]:
            return True
    return False


@kernel(allocates=False)
def play(pos, move):
    """Return the position after a legal move."""
    if move == PASS:
        return passed(pos)
    stone, stone_2 = cell_set(move)
    taken, taken_2 = captured(pos, stone, stone_2)
    return put(pos, move, taken, taken_2, key_after(pos, move, taken, taken_2))


@kernel(allocates=False, inline=True)
def passed(pos):
    """Return the position after a pass."""
    return Position(
        pos.ply + ONE,
        pos.second ^ ONE,
        pos.theirs,
        pos.theirs_2,
        pos.mine,
        pos.mine_2,
        pos.used,
        pos.used_2,
        pos.newest,
        pos.since,
        pos.passes + ONE,
        pos.key ^ SIDE,
        pos.points,
        pos.points_2,
        pos.step,
        pos.komi,
        pos.max_turns,
    )


@kernel(allocates=False, inline=True)
def put(pos, cell, taken, taken_2, key):
    """Return the position after a stone that takes these; the board then has this hash."""
    stone, stone_2 = cell_set(cell)
    newest, since = pos.newest, pos.since
    if is_unused(pos, cell):
        newest, since = np.uint64(cell), pos.ply + ONE
    elif takes_newest(pos, taken, taken_2):
        newest, since = NOWHERE, ZERO
    return Position(
        pos.ply + ONE,
        pos.second ^ ONE,
        pos.theirs & ~taken,
        pos.theirs_2 & ~taken_2,
        pos.mine | stone,
        pos.mine_2 | stone_2,
        pos.used | stone,
        pos.used_2 | stone_2,
        newest,
        since,
        ZERO,
        key,
        pos.points,
        pos.points_2,
        pos.step,
        pos.komi,
        pos.max_turns,
    )


@kernel(allocates=False)
def ending(pos, path, n_moves):
    """Return 0 while the game runs, else an index into ENDINGS."""
    if pos.passes == TWO:
        return 1
    return 2 if pos.ply >= pos.max_turns else 0


@kernel(allocates=False)
def reached(pos, low, high):
    """Return the empty points that a set of stones reaches through empty points."""
    free, free_2 = empty(pos)
    while True:
        near, near_2 = beside(low, high, pos.step)
        more, more_2 = low | (near & free), high | (near_2 & free_2)
        if more == low and more_2 == high:
            return low & free, high & free_2
        low, high = more, more_2


@kernel(allocates=False)
def score_first(pos, ending):
    """Return +1, 0, -1 for Black. Asked only when the game is over."""
    mine, mine_2 = reached(pos, pos.mine, pos.mine_2)
    theirs, theirs_2 = reached(pos, pos.theirs, pos.theirs_2)
    lead = np.int64(popcount(pos.mine) + popcount(pos.mine_2))
    lead += np.int64(popcount(mine & ~theirs) + popcount(mine_2 & ~theirs_2))
    lead -= np.int64(popcount(pos.theirs) + popcount(pos.theirs_2))
    lead -= np.int64(popcount(theirs & ~mine) + popcount(theirs_2 & ~mine_2))
    black = 2 * (-lead if pos.second else lead) - (np.int64(pos.komi) - KOMI_ZERO)
    return int(black > 0) - int(black < 0)


@kernel(allocates=False)
def key(pos):
    """Return a hash of the position; a pass changes it, as the next pass ends the game."""
    return pos.key ^ PASSED[pos.passes]


# Random moves -----------------------------------------------------------------------------------


@kernel(allocates=False, inline=True)
def without_eyes(pos, free, free_2):
    """Return the empty points that are no eyes of mine: see ``board.is_eye``."""
    border, border_2 = ~pos.points, ~pos.points_2
    own, own_2 = pos.mine | border, pos.mine_2 | border_2
    left, left_2 = (own << ONE) | ONE, (own_2 << ONE) | (own >> LAST_BIT)
    right, right_2 = (own >> ONE) | (own_2 << LAST_BIT), (own_2 >> ONE) | (ONE << LAST_BIT)
    back, rows = WORD - pos.step, (ONE << pos.step) - ONE
    up, up_2 = (own << pos.step) | rows, (own_2 << pos.step) | (own >> back)
    down, down_2 = (own >> pos.step) | (own_2 << back), (own_2 >> pos.step) | ~(~ZERO >> pos.step)
    ring, ring_2 = left & right & up & down, left_2 & right_2 & up_2 & down_2
    ring, ring_2 = ring & free, ring_2 & free_2
    if not ring | ring_2:
        return free, free_2
    # The corners are those beside the row above and the row below.
    a, a_2 = (up << ONE) | ONE, (up_2 << ONE) | (up >> LAST_BIT)
    b, b_2 = (up >> ONE) | (up_2 << LAST_BIT), (up_2 >> ONE) | (ONE << LAST_BIT)
    c, c_2 = (down << ONE) | ONE, (down_2 << ONE) | (down >> LAST_BIT)
    d, d_2 = (down >> ONE) | (down_2 << LAST_BIT), (down_2 >> ONE) | (ONE << LAST_BIT)
    all_four, all_four_2 = a & b & c & d, a_2 & b_2 & c_2 & d_2
    three = (a & b & (c | d)) | (c & d & (a | b))
    three_2 = (a_2 & b_2 & (c_2 | d_2)) | (c_2 & d_2 & (a_2 | b_2))
    edge, edge_2 = edges(pos)
    eyes = ring & (all_four | (three & ~edge))
    eyes_2 = ring_2 & (all_four_2 | (three_2 & ~edge_2))
    return free & ~eyes, free_2 & ~eyes_2


@kernel(allocates=False, inline=True)
def edges(pos):
    """Return the points at the edge of the board."""
    outside, outside_2 = ~pos.points, ~pos.points_2
    near, near_2 = beside(outside, outside_2, pos.step)
    rows = (ONE << pos.step) - ONE
    near |= rows
    near_2 |= (ONE << LAST_BIT) | ~(~ZERO >> pos.step)
    return near & pos.points, near_2 & pos.points_2


@kernel(allocates=False)
def random_move(pos, path, moves, rng):
    """Return a random legal move that fills no own eye, else the pass; or minus the ending."""
    over = ending(pos, path, 1)
    if over:
        return np.int64(-over)
    return np.int64(draw(pos, path, rng)[0])


@kernel(allocates=False, inline=True)
def random_turn(pos, path, rng):
    """Return the position after such a move; the game is not over.

    To choose a move takes most of what is needed to play it, so this is quicker than both.
    """
    cell, taken, taken_2, key = draw(pos, path, rng)
    return passed(pos) if cell == PASS else put(pos, cell, taken, taken_2, key)


@kernel(allocates=False, inline=True)
def draw(pos, path, rng):
    """Return a random move that fills no eye, what it takes and the hash then."""
    free, free_2 = empty(pos)
    free, free_2 = without_eyes(pos, free, free_2)
    return pick(pos, path, free, free_2, ZERO, rng)


@kernel(allocates=False)
def uniform_move(pos, path, moves, rng):
    """Return any legal move, all equally likely; or minus the ending."""
    over = ending(pos, path, 1)
    if over:
        return np.int64(-over)
    return draw_any(pos, path, rng)[0]


@kernel(allocates=False, inline=True)
def uniform_turn(pos, path, rng):
    """Return the position after such a move; the game is not over."""
    cell, taken, taken_2, key = draw_any(pos, path, rng)
    return passed(pos) if cell == PASS else put(pos, cell, taken, taken_2, key)


@kernel(allocates=False, inline=True)
def draw_any(pos, path, rng):
    """Return any legal move, what it takes and the hash then."""
    free, free_2 = empty(pos)
    return pick(pos, path, free, free_2, ONE, rng)


@kernel(allocates=False, inline=True)
def pick(pos, path, free, free_2, passes, rng):
    """Return one of these points that is legal, all equally likely; ``passes``: or the pass."""
    while free | free_2 | passes:
        count = popcount(free) + popcount(free_2)
        n = random_below(rng, count + passes)
        if n == np.int64(count):
            break
        cell = nth_cell(free, free_2, n)
        lives, taken, taken_2 = look_ahead(pos, cell)
        if lives:
            key = key_after(pos, cell, taken, taken_2)
            if not repeats(pos, path, cell, taken, taken_2, key):
                return np.int64(cell), taken, taken_2, key
        stone, stone_2 = cell_set(cell)
        free, free_2 = free & ~stone, free_2 & ~stone_2
    return np.int64(PASS), ZERO, ZERO, ZERO
