"""Go rules: what is legal, what a move does, how a game ends. The board is drawn in ``board``.

Moves are the points, row by row from the top left; the number after the last point is the pass.

Superko: the keys of earlier positions are marked in a bit array among the words (a Bloom filter).
Only when the mark of a new position is already set, the path is searched for it.
"""

from typing import Any

import numpy as np

from hansu.games.array_position import Position, copy, pack, unpack  # noqa: F401
from hansu.games.go.atari import is_blunder
from hansu.games.go.board import (
    BLACK,
    BORDER,
    EMPTIES,
    EMPTY,
    HEAD,
    KEY,
    LAST,
    LIBERTIES,
    LIST,
    LOST_WHITE,
    MAX_POINTS,
    MAX_TURNS,
    ONE,
    PASSES,
    PLY,
    POINT_COUNT,
    SECOND,
    SEEN,
    SEEN_MASK,
    STEP,
    TWO,
    WHITE,
    ZERO,
    cell_of,
    cells_of,
    is_eye,
    lead_halves,
    neighbours,
    point_of,
    put,
    remove,
    string_key,
)
from hansu.games.go.tables import PASSED, SIDE, ZOBRIST
from hansu.kernel import borrowed, kernel, random_below

MAX_MOVES = MAX_POINTS + 1
USES_PATH = True
ENDINGS = ("", "two_passes", "max_turns")

WORD_BITS, BIT_MASK = np.uint64(6), np.uint64(63)  # to find a bit in an array of words
TRIES = 4  # random points that a playout tries before it keeps account of them


@kernel
def play(pos, move):
    """Return the position after a legal move, which is not checked; consumes pos."""
    words = borrowed(pos.words)
    bit = words[KEY] & words[SEEN_MASK]
    words[words[SEEN] + (bit >> WORD_BITS)] |= ONE << (bit & BIT_MASK)
    if np.uint64(move) == words[POINT_COUNT]:
        words[PASSES] += ONE
        words[LAST] = ZERO
    else:
        cells = cells_of(words)
        at = cell_of(words, move)
        them = WHITE - pos.second
        put(words, cells, at, BLACK + pos.second)
        for near in neighbours(words, at):
            if cells[near] == them:
                head = np.uint64(cells[near + HEAD])
                if cells[head + LIBERTIES] == ZERO:
                    words[LOST_WHITE - np.int64(pos.second)] += remove(words, cells, head)
        words[PASSES] = ZERO
        words[LAST] = at
    words[KEY] ^= SIDE
    words[PLY] += ONE
    words[SECOND] ^= ONE
    return Position(words[PLY], words[SECOND], pos.words)


@kernel
def look_ahead(words, cells, at):
    """Return whether a stone put on an empty cell would live, and the hash of the board with it.

    The hash is that of stones and side to move alone, which is what superko asks about.
    """
    me = BLACK + words[SECOND]
    key = words[KEY] ^ SIDE ^ ZOBRIST[me, at // STEP]
    near = neighbours(words, at)
    heads = (
        np.uint64(cells[near[0] + HEAD]),
        np.uint64(cells[near[1] + HEAD]),
        np.uint64(cells[near[2] + HEAD]),
        np.uint64(cells[near[3] + HEAD]),
    )
    lives = False
    for i in range(4):
        color = cells[near[i]]
        if color == EMPTY:
            lives = True
        elif color != BORDER:
            touching, again = ZERO, False
            for j in range(4):
                if heads[j] == heads[i]:
                    touching += ONE
                    again = again or j < i
            in_atari = cells[heads[i] + LIBERTIES] == touching
            if color == me:
                lives = lives or not in_atari
            elif in_atari:
                lives = True
                if not again:
                    key ^= string_key(cells, heads[i])
    return lives, key


@kernel
def is_repetition(words, path, key):
    """Return whether a board with this hash has been there before, with the same side to move."""
    bit = key & words[SEEN_MASK]
    if not words[words[SEEN] + (bit >> WORD_BITS)] >> (bit & BIT_MASK) & ONE:
        return False
    ply = np.int64(words[PLY])
    for turn in range(1 - ply % 2, ply, 2):  # the turns after which the other side was to move
        if path[turn] == key or path[turn] == key ^ PASSED[1]:
            return True
    return False


@kernel
def is_legal(words, cells, path, at):
    """Return whether the side to move may put a stone on an empty cell."""
    lives, key = look_ahead(words, cells, at)
    return lives and not is_repetition(words, path, key)


@kernel
def legal_moves(pos, path, out):
    """Write the legal moves to ``out``, the pass last; none after two passes."""
    words, path = borrowed(pos.words), borrowed(path)
    if words[PASSES] == TWO:
        return 0
    cells = cells_of(words)
    n = 0
    for point in range(np.int64(words[POINT_COUNT])):
        at = cell_of(words, point)
        if cells[at] == EMPTY and is_legal(words, cells, path, at):
            out[n] = point
            n += 1
    out[n] = np.int64(words[POINT_COUNT])
    return n + 1


@kernel
def refusal(words: Any, path: Any, point: int) -> int:
    """Return why an empty point may not be played on: 0 it may, 1 self-capture, 2 superko."""
    lives, key = look_ahead(words, cells_of(words), cell_of(words, point))
    if not lives:
        return 1
    return 2 if is_repetition(words, path, key) else 0


@kernel
def ending(pos, path, n_moves):
    """Return 0 while the game runs, else an index into ENDINGS."""
    if pos.words[PASSES] == TWO:
        return 1
    return 2 if pos.ply >= pos.words[MAX_TURNS] else 0


@kernel
def can_end(pos):
    """Return whether a single move could end the game: a second pass, or the last turn."""
    return pos.words[PASSES] == ONE or pos.ply + ONE >= pos.words[MAX_TURNS]


@kernel
def score_first(pos, ending):
    """Return +1, 0, -1 for Black. Asked only when the game is over."""
    lead = lead_halves(borrowed(pos.words))
    return 1 if lead > 0 else -1 if lead < 0 else 0


@kernel
def key(pos):
    """Return a hash of the position; a pass changes it, as the next pass ends the game."""
    return pos.words[KEY] ^ PASSED[pos.words[PASSES]]


# Random moves -------------------------------------------------------------------------------------


@kernel
def uniform_move(pos, path, moves, rng):
    """Return any legal move, all equally likely; or minus the ending."""
    over = ending(pos, path, 1)
    if over:
        return -over
    words, path = borrowed(pos.words), borrowed(path)
    cells = cells_of(words)
    n = np.int64(words[EMPTIES])
    while True:
        i = random_below(rng, n + 1)
        if i == n:
            return np.int64(words[POINT_COUNT])
        at = np.uint64(cells[words[LIST] + np.uint64(i)])
        if is_legal(words, cells, path, at):
            return point_of(words, at)


@kernel
def random_move(pos, path, moves, rng):
    """Return a random legal move that fills no own eye, else the pass; or minus the ending."""
    over = ending(pos, path, 1)
    if over:
        return -over
    words = borrowed(pos.words)
    return draw_point(words, cells_of(words), borrowed(path), moves, rng, False)


@kernel(inline=True)  # so that light playouts do without the question whether to be careful
def draw_point(words, cells, path, moves, rng, careful):
    """Return a random sensible point, all equally likely; else the pass.

    A few random points are tried first; then all in random order, none of them twice.
    """
    n = np.int64(words[EMPTIES])
    for _ in range(min(n, TRIES)):
        at = np.uint64(cells[words[LIST] + np.uint64(random_below(rng, n))])
        if is_sensible(words, cells, path, at, careful):
            return point_of(words, at)
    for i in range(n):
        moves[i] = np.int64(cells[words[LIST] + np.uint64(i)])
    while n > 0:
        i = random_below(rng, n)
        at = np.uint64(moves[i])
        if is_sensible(words, cells, path, at, careful):
            return point_of(words, at)
        n -= 1
        moves[i] = moves[n]
    return np.int64(words[POINT_COUNT])


@kernel(inline=True)
def is_sensible(words, cells, path, at, careful):
    """Return whether a stone on a cell is legal and fills no own eye; careful: and is no blunder.

    A blunder puts a string of several own stones into atari.
    """
    if is_eye(words, cells, at, BLACK + words[SECOND]) or not is_legal(words, cells, path, at):
        return False
    return not (careful and is_blunder(words, cells, at))
