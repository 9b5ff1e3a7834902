"""Go rules on one array of words, changed in place.

Moves number the points row by row from the top left, as in SGF; the number after them is the pass.
A board 5 wide and 4 high:

       A  B  C  D  E
    4  0  1  2  3  4        20 = pass
    3  5  6  7  8  9
    2 10 11 12 13 14
    1 15 16 17 18 19

The array of words:

    header | a record for each cell | the empty cells, as a list | which keys were seen

Cells are the points with a border (#), numbered likewise; the border to the right of a row is the
one to the left of the next:

    # # # # # #             a record is four uint16:
    # . . . . .                 the colour
    # . . . . .                 + HEAD: the cell that names the string of this stone
    # . . . . .                 + NEXT: the next stone of the string, round in a circle;
    # . . . . .                         for an empty cell: its place in the list
    # # # # # #                 + LIBERTIES: for the head of a string, its pseudo-liberties
    #

A cell is known by where its record begins. Pseudo-liberties count a liberty once for every stone
beside it, so they are kept by adding and subtracting; they are 0 exactly when there is no liberty,
and all of them lie on one point exactly when that is the only liberty. Colours, heads and
liberties of border and empty cells are there to be read and changed without asking first.

The keys of earlier positions are marked in a bit array (a Bloom filter): only when the mark of a
new position is already set, the path is searched for it.
"""

from typing import Any, NamedTuple

import numpy as np

from hansu.games.go.tables import CELLS, MAX_SIDE, PASSED, POINTS, RECORD, SIDE, ZOBRIST
from hansu.kernel import borrowed, kernel, random_below

MAX_MOVES = MAX_SIDE * MAX_SIDE + 1
USES_PATH = True
ENDINGS = ("", "two_passes", "max_turns")

EMPTY, BLACK, WHITE, BORDER = (np.uint64(n) for n in range(4))
NOBODY = BORDER  # owns an empty region that both colours reach, or neither
HEAD, NEXT, LIBERTIES = (np.uint64(n) for n in range(1, RECORD))
STEP = np.uint64(RECORD)  # from a cell to the one on its right
ZERO, ONE, TWO = (np.uint64(n) for n in range(3))
WORD_BITS, BIT_MASK = np.uint64(6), np.uint64(63)  # to find a bit in an array of words

# The header: which word is what.
PLY, SECOND, KEY, WIDTH, HEIGHT, POINT_COUNT, KOMI, MAX_TURNS = range(8)
PASSES, LAST, EMPTIES, LIST, SEEN, SEEN_MASK, LOST_BLACK, LOST_WHITE = range(8, 16)
HEADER = 16

KOMI_ZERO = 1000  # komi is kept in halves; it may be negative, a word may not
TRIES = 4  # random points that a play-out tries before it keeps account of them


class Position(NamedTuple):
    """A position and all that is needed to go on from it; ``play`` changes ``words`` in place."""

    ply: np.uint64
    second: np.uint64  # 1 when White is to move
    words: np.ndarray


@kernel
def unpack(words: Any) -> Position:
    """The position that an array of words holds (not a copy)."""
    return Position(words[PLY], words[SECOND], words)


@kernel
def pack(pos):
    """The words of a position (not a copy)."""
    return pos.words


@kernel
def copy(pos):
    """An independent position."""
    return Position(pos.ply, pos.second, pos.words.copy())


@kernel
def start(width: int, height: int, komi_halves: int, max_turns: int) -> Position:
    """The empty board with Black to move. Width and height are 1 to 19."""
    points = width * height
    n_cells = (height + 2) * (width + 1) + 1
    list_words = (points + RECORD - 1) // RECORD
    seen_words = 1
    while 64 * seen_words < 32 * points:  # ten bits or more for each of 3 x points turns
        seen_words *= 2
    words = np.zeros(HEADER + n_cells + list_words + seen_words, np.uint64)
    words[WIDTH], words[HEIGHT], words[POINT_COUNT] = width, height, points
    words[KOMI], words[MAX_TURNS] = komi_halves + KOMI_ZERO, max_turns
    words[LAST], words[EMPTIES] = points, points
    words[LIST], words[SEEN] = RECORD * n_cells, HEADER + n_cells + list_words
    words[SEEN_MASK] = 64 * seen_words - 1
    cells = cells_of(words)
    for cell in range(n_cells):
        cells[RECORD * cell] = BORDER
        cells[RECORD * cell + 1] = RECORD * cell
    for point in range(points):
        at = cell_of(words, point)
        cells[at] = EMPTY
        cells[at + NEXT] = point
        cells[RECORD * n_cells + point] = at
    return unpack(words)


@kernel
def set_up(pos: Position, colors: Any, second: int) -> tuple[Position, int]:
    """Put stones on an empty board: ``colors[point]`` is EMPTY, BLACK or WHITE. Changes pos.

    Returns the position and a point whose string has no liberties, or -1: then all have.
    """
    words = pos.words
    cells = cells_of(words)
    for point in range(len(colors)):
        if colors[point] != EMPTY:
            put(words, cells, cell_of(words, point), np.uint64(colors[point]))
    if second:
        words[SECOND] = ONE
        words[KEY] ^= SIDE
    lifeless = -1
    for point in range(len(colors)):
        head = np.uint64(cells[cell_of(words, point) + HEAD])
        if colors[point] != EMPTY and cells[head + LIBERTIES] == ZERO:
            lifeless = point
    return unpack(words), lifeless


# The board ---------------------------------------------------------------------------------------


@kernel
def cells_of(words):
    """The records of the cells, and after them the list of empty cells."""
    return words[HEADER:].view(np.uint16)


@kernel
def cell_of(words, point):
    """Where the record of a point begins."""
    return np.uint64(CELLS[words[WIDTH], point])


@kernel
def point_of(words, at):
    """The point of a cell."""
    return np.int64(POINTS[words[WIDTH], at // STEP])


@kernel
def neighbours(words, at):
    """The four cells beside a cell."""
    row = STEP * (words[WIDTH] + ONE)
    return at - row, at - STEP, at + STEP, at + row


@kernel
def diagonals(words, at):
    """The four cells that touch a cell at its corners."""
    row = STEP * (words[WIDTH] + ONE)
    return at - row - STEP, at - row + STEP, at + row - STEP, at + row + STEP


@kernel
def put(words, cells, at, color):
    """Put a stone on an empty cell; strings that lose their last liberty stay on the board."""
    n = words[EMPTIES] - ONE
    words[EMPTIES] = n
    moved = np.uint64(cells[words[LIST] + n])  # the last of the list fills the gap
    gap = cells[at + NEXT]
    cells[words[LIST] + gap] = moved
    cells[moved + NEXT] = gap

    words[KEY] ^= ZOBRIST[color, at // STEP]
    free = ZERO
    for near in neighbours(words, at):
        free += np.uint64(cells[near] == EMPTY)
    cells[at] = color
    cells[at + HEAD] = at
    cells[at + NEXT] = at
    cells[at + LIBERTIES] = free
    for near in neighbours(words, at):
        head = np.uint64(cells[near + HEAD])
        cells[head + LIBERTIES] -= ONE
        if cells[near] == color:
            join(cells, np.uint64(cells[at + HEAD]), head)


@kernel
def join(cells, one, other):
    """Make one string of two, given by their heads (which may be the same)."""
    if one == other:
        return
    if cells[one + LIBERTIES] < cells[other + LIBERTIES]:  # probably the smaller one
        one, other = other, one
    cells[one + LIBERTIES] += cells[other + LIBERTIES]
    stone = other
    while True:
        cells[stone + HEAD] = one
        following = np.uint64(cells[stone + NEXT])
        if following == other:
            break
        stone = following
    cells[stone + NEXT] = cells[one + NEXT]
    cells[one + NEXT] = other


@kernel
def remove(words, cells, head):
    """Take a string off the board; returns how many stones it had."""
    n = words[EMPTIES]
    color = cells[head]
    stone = head
    while True:
        words[KEY] ^= ZOBRIST[color, stone // STEP]
        for near in neighbours(words, stone):
            cells[np.uint64(cells[near + HEAD]) + LIBERTIES] += ONE
        following = np.uint64(cells[stone + NEXT])
        cells[stone] = EMPTY
        cells[stone + HEAD] = stone
        cells[stone + NEXT] = n
        cells[words[LIST] + n] = stone
        n += ONE
        stone = following
        if stone == head:
            break
    removed = n - words[EMPTIES]
    words[EMPTIES] = n
    return removed


@kernel
def play(pos, move):
    """The position after a move, which must be legal: nothing is checked here. Consumes pos."""
    words = borrowed(pos.words)
    bit = words[KEY] & words[SEEN_MASK]
    words[words[SEEN] + (bit >> WORD_BITS)] |= ONE << (bit & BIT_MASK)
    if np.uint64(move) == words[POINT_COUNT]:
        words[PASSES] += ONE
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
    words[KEY] ^= SIDE
    words[LAST] = np.uint64(move)
    words[PLY] += ONE
    words[SECOND] ^= ONE
    return Position(words[PLY], words[SECOND], pos.words)


# What is legal -----------------------------------------------------------------------------------


@kernel
def look_ahead(words, cells, at):
    """Whether a stone put on an empty cell would live, and the hash of the board with it.

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
def string_key(cells, head):
    """What the stones of a string add to the hash of the board."""
    color = cells[head]
    key = ZERO
    stone = head
    while True:
        key ^= ZOBRIST[color, stone // STEP]
        stone = np.uint64(cells[stone + NEXT])
        if stone == head:
            return key


@kernel
def is_repetition(words, path, key):
    """Whether a board with this hash has been there before, with the same side to move."""
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
    """Whether the side to move may put a stone on an empty cell."""
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
def ending(pos, path, n_moves):
    """0 while the game runs, else an index into ENDINGS."""
    if pos.words[PASSES] == TWO:
        return 1
    return 2 if pos.ply >= pos.words[MAX_TURNS] else 0


@kernel
def key(pos):
    """A hash of the position; after a pass it is another one, for the next pass ends the game."""
    return pos.words[KEY] ^ PASSED[pos.words[PASSES]]


# Random moves ------------------------------------------------------------------------------------


@kernel
def uniform_move(pos, path, moves, rng):
    """Any legal move, all equally likely; or minus the ending."""
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
    """Any legal move that fills no own eye, all equally likely; else the pass; or minus the ending.

    A few random points are tried first; then all in random order, none of them twice.
    """
    over = ending(pos, path, 1)
    if over:
        return -over
    words, path = borrowed(pos.words), borrowed(path)
    cells = cells_of(words)
    n = np.int64(words[EMPTIES])
    for _ in range(min(n, TRIES)):
        at = np.uint64(cells[words[LIST] + np.uint64(random_below(rng, n))])
        if is_sensible(words, cells, path, at):
            return point_of(words, at)
    for i in range(n):
        moves[i] = np.int64(cells[words[LIST] + np.uint64(i)])
    while n > 0:
        i = random_below(rng, n)
        at = np.uint64(moves[i])
        if is_sensible(words, cells, path, at):
            return point_of(words, at)
        n -= 1
        moves[i] = moves[n]
    return np.int64(words[POINT_COUNT])


@kernel
def is_sensible(words, cells, path, at):
    """Whether a stone on an empty cell is legal and does not fill an own eye."""
    return not is_eye(words, cells, at, BLACK + words[SECOND]) and is_legal(words, cells, path, at)


@kernel
def is_eye(words, cells, at, color):
    """Whether an empty cell is an eye: own stones beside it, and enough of them at its corners."""
    for near in neighbours(words, at):
        if cells[near] != color and cells[near] != BORDER:
            return False
    own, off_board = 0, 0
    for corner in diagonals(words, at):
        own += cells[corner] == color
        off_board += cells[corner] == BORDER
    return own + off_board == 4 if off_board else own >= 3


# Counting ----------------------------------------------------------------------------------------


@kernel
def owners(words: Any, out: Any) -> None:
    """Write whose each point is, all stones alive: BLACK, WHITE or NOBODY."""
    cells = cells_of(words)
    for point in range(np.int64(words[POINT_COUNT])):
        out[point] = cells[cell_of(words, point)]
    region = np.empty(MAX_MOVES, np.uint16)
    for point in range(np.int64(words[POINT_COUNT])):
        if out[point] != EMPTY:
            continue
        region[0] = cell_of(words, point)
        out[point] = NOBODY
        n, done, reached = 1, 0, ZERO
        while done < n:
            for near in neighbours(words, np.uint64(region[done])):
                if cells[near] == EMPTY:
                    if out[point_of(words, near)] == EMPTY:
                        out[point_of(words, near)] = NOBODY
                        region[n] = near
                        n += 1
                elif cells[near] != BORDER:
                    reached |= np.uint64(cells[near])
            done += 1
        if reached in (BLACK, WHITE):
            for i in range(n):
                out[point_of(words, np.uint64(region[i]))] = reached


@kernel
def area(words: Any) -> tuple[int, int]:
    """The points that are Black's and those that are White's, all stones alive."""
    owner = np.empty(MAX_MOVES, np.uint8)
    owners(words, owner)
    black, white = 0, 0
    for point in range(np.int64(words[POINT_COUNT])):
        black += owner[point] == BLACK
        white += owner[point] == WHITE
    return black, white


@kernel
def lead_halves(words):
    """By how many half points Black is ahead, komi counted."""
    black, white = area(words)
    return 2 * (black - white) - (np.int64(words[KOMI]) - KOMI_ZERO)


@kernel
def score_first(pos, ending):
    """+1, 0, -1 for Black. Asked only when the game is over."""
    lead = lead_halves(borrowed(pos.words))
    return 1 if lead > 0 else -1 if lead < 0 else 0


# Questions about one point -----------------------------------------------------------------------


@kernel
def string_at(words: Any, point: int, stones: Any, liberties: Any) -> tuple[int, int]:
    """Write the stones of a point's string and its liberties; returns how many of each."""
    cells = cells_of(words)
    head = cell_of(words, point)
    n, m = 0, 0
    stone = head
    while True:
        stones[n] = point_of(words, stone)
        n += 1
        for near in neighbours(words, stone):
            if cells[near] == EMPTY:
                liberty = point_of(words, near)
                if not np.any(liberties[:m] == liberty):
                    liberties[m] = liberty
                    m += 1
        stone = np.uint64(cells[stone + NEXT])
        if stone == head:
            return n, m


@kernel
def refusal(words: Any, path: Any, point: int) -> int:
    """Why the side to move may not play on an empty point: 0 it may, 1 self-capture, 2 superko."""
    lives, key = look_ahead(words, cells_of(words), cell_of(words, point))
    if not lives:
        return 1
    return 2 if is_repetition(words, path, key) else 0


@kernel
def is_eye_at(words: Any, point: int, color: Any) -> Any:
    """Whether an empty point is an eye of a colour."""
    return is_eye(words, cells_of(words), cell_of(words, point), color)
