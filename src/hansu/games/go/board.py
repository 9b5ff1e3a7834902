"""The go board in one array of words: how it lies there, and how stones come and go.

Points are numbered row by row from the top left, as in SGF. A board 5 wide and 4 high:

       A  B  C  D  E
    4  0  1  2  3  4
    3  5  6  7  8  9
    2 10 11 12 13 14
    1 15 16 17 18 19

The array of words:

    header | a record for each cell | a list of the empty cells | which keys were seen | dead stones

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
and all of them lie on one point exactly when that is the only liberty. Heads and liberties of
border and empty cells are there to be read and changed without asking first.

The rules count every stone as alive. Where people will agree on dead stones, those that they will
call dead can be marked, so that a search believes of the end what they will count: a set of points
for each colour. A string counts as captured if all of its stones are marked.
"""

from typing import Any

import numpy as np

from hansu.games.go.tables import CELLS, MAX_SIDE, POINTS, RECORD, SIDE, ZOBRIST
from hansu.kernel import kernel, scratch

MAX_POINTS = MAX_SIDE * MAX_SIDE

EMPTY, BLACK, WHITE, BORDER = (np.uint64(n) for n in range(4))
NOBODY = BORDER  # owns an empty region that both colours reach, or neither
HEAD, NEXT, LIBERTIES = (np.uint64(n) for n in range(1, RECORD))
STEP = np.uint64(RECORD)  # from a cell to the one on its right
ZERO, ONE, TWO = (np.uint64(n) for n in range(3))

# The header: which word is what.
PLY, SECOND, KEY, WIDTH, HEIGHT, POINT_COUNT, KOMI, MAX_TURNS = range(8)
PASSES, EMPTIES, LIST, SEEN, SEEN_MASK, LOST_BLACK, LOST_WHITE, LAST = range(8, 16)
HEADER = 16  # LAST: the cell of the stone just played; 0 after a pass and before the first move

KOMI_ZERO = 1000  # komi is kept in halves; it may be negative, a word may not


@kernel
def set_words(points: Any) -> Any:
    """Return how many words a set of points takes."""
    return (points + 63) // 64


@kernel
def start(width: int, height: int, komi_halves: int, max_turns: int) -> Any:
    """Return the words of the empty board with Black to move. Width and height are 1 to 19."""
    points = width * height
    n_cells = (height + 2) * (width + 1) + 1
    list_words = (points + RECORD - 1) // RECORD
    seen_words = 1
    while 64 * seen_words < 32 * points:  # ten bits or more for each of 3 x points turns
        seen_words *= 2
    dead_words = 2 * set_words(points)
    words = np.zeros(HEADER + n_cells + list_words + seen_words + dead_words, np.uint64)
    words[WIDTH], words[HEIGHT], words[POINT_COUNT] = width, height, points
    words[KOMI], words[MAX_TURNS] = komi_halves + KOMI_ZERO, max_turns
    words[EMPTIES], words[LIST] = points, RECORD * n_cells
    words[SEEN], words[SEEN_MASK] = HEADER + n_cells + list_words, 64 * seen_words - 1
    cells = cells_of(words)
    for cell in range(n_cells):
        cells[RECORD * cell] = BORDER
        cells[RECORD * cell + 1] = RECORD * cell
    for point in range(points):
        at = cell_of(words, point)
        cells[at] = EMPTY
        cells[at + NEXT] = point
        cells[RECORD * n_cells + point] = at
    return words


@kernel
def set_up(words: Any, colors: Any, second: int) -> int:
    """Put stones on an empty board: ``colors[point]`` is EMPTY, BLACK or WHITE.

    Returns a point whose string has no liberties, or -1: then all have.
    """
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
    return lifeless


@kernel(inline=True)
def cells_of(words: Any) -> Any:
    """Return the records of the cells, and after them the list of empty cells."""
    return words[HEADER:].view(np.uint16)


@kernel
def cell_of(words: Any, point: int) -> Any:
    """Return where the record of a point begins."""
    return np.uint64(CELLS[words[WIDTH], point])


@kernel
def point_of(words, at):
    """Return the point of a cell."""
    return np.int64(POINTS[words[WIDTH], at // STEP])


@kernel
def neighbours(words, at):
    """Return the four cells beside a cell."""
    row = STEP * (words[WIDTH] + ONE)
    return at - row, at - STEP, at + STEP, at + row


@kernel
def diagonals(words, at):
    """Return the four cells that touch a cell at its corners."""
    row = STEP * (words[WIDTH] + ONE)
    return at - row - STEP, at - row + STEP, at + row - STEP, at + row + STEP


# Stones -------------------------------------------------------------------------------------------


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
def string_key(cells, head):
    """Return what the stones of a string add to the hash of the board."""
    color = cells[head]
    key = ZERO
    stone = head
    while True:
        key ^= ZOBRIST[color, stone // STEP]
        stone = np.uint64(cells[stone + NEXT])
        if stone == head:
            return key


@kernel
def string_at(words: Any, point: int, stones: Any, liberties: Any) -> tuple[int, int]:
    """Write the stones of a point's string and its liberties; returns how many of each."""
    cells = cells_of(words)
    first = cell_of(words, point)
    n, m = 0, 0
    stone = first
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
        if stone == first:
            return n, m


@kernel
def is_eye(words: Any, cells: Any, at: Any, color: Any) -> bool:
    """Return whether an empty cell is an eye: own stones beside it and at enough of its corners."""
    for near in neighbours(words, at):
        if cells[near] != color and cells[near] != BORDER:
            return False
    own, off_board = 0, 0
    for corner in diagonals(words, at):
        own += cells[corner] == color
        off_board += cells[corner] == BORDER
    return own + off_board == 4 if off_board else own >= 3


# Dead stones --------------------------------------------------------------------------------------


@kernel
def dead_sets(words: Any, color: Any) -> Any:
    """Return the word with which the set of a colour's dead stones begins."""
    first = words[SEEN] + (words[SEEN_MASK] + ONE) // np.uint64(64)
    size = np.uint64(set_words(np.int64(words[POINT_COUNT])))
    return first + (np.uint64(color) - BLACK) * size


@kernel
def mark_dead(words: Any, point: int) -> None:
    """Mark the stone on a point as dead."""
    color = cells_of(words)[cell_of(words, point)]
    words[dead_sets(words, color) + np.uint64(point // 64)] |= ONE << np.uint64(point % 64)


@kernel
def has_dead(words: Any) -> bool:
    """Return whether any stone is marked as dead."""
    first = np.int64(dead_sets(words, BLACK))
    for at in range(first, first + 2 * set_words(np.int64(words[POINT_COUNT]))):
        if words[at]:
            return True
    return False


@kernel
def is_dead(words: Any, cells: Any, at: Any) -> bool:
    """Return whether all stones of a cell's string are marked as dead."""
    dead, stone = dead_sets(words, cells[at]), at
    while True:
        point = np.uint64(point_of(words, stone))
        if not words[dead + point // np.uint64(64)] >> (point % np.uint64(64)) & ONE:
            return False
        stone = np.uint64(cells[stone + NEXT])
        if stone == at:
            return True


# Area ---------------------------------------------------------------------------------------------


@kernel
def owners(words: Any, out: Any) -> None:
    """Write whose each point is, without dead stones: BLACK, WHITE or NOBODY."""
    cells, some_dead = cells_of(words), has_dead(words)
    for point in range(np.int64(words[POINT_COUNT])):
        at = cell_of(words, point)
        out[point] = cells[at]
        if some_dead and cells[at] != EMPTY and is_dead(words, cells, at):
            out[point] = EMPTY
    region = scratch(MAX_POINTS, np.uint16)
    for point in range(np.int64(words[POINT_COUNT])):
        if out[point] != EMPTY:
            continue
        region[0] = cell_of(words, point)
        out[point] = NOBODY
        n, done, reached = 1, 0, ZERO
        while done < n:
            for near in neighbours(words, np.uint64(region[done])):
                if cells[near] == BORDER:
                    continue
                beside = point_of(words, near)
                if out[beside] == EMPTY:
                    out[beside] = NOBODY
                    region[n] = near
                    n += 1
                elif out[beside] != NOBODY:
                    reached |= np.uint64(out[beside])
            done += 1
        if reached in (BLACK, WHITE):
            for i in range(n):
                out[point_of(words, np.uint64(region[i]))] = reached


@kernel
def area(words: Any) -> tuple[int, int]:
    """Return the points that are Black's and those that are White's."""
    owner = scratch(MAX_POINTS, np.uint8)
    owners(words, owner)
    black, white = 0, 0
    for point in range(np.int64(words[POINT_COUNT])):
        black += owner[point] == BLACK
        white += owner[point] == WHITE
    return black, white


@kernel
def lead_halves(words):
    """Return by how many half points Black is ahead, komi counted."""
    black, white = area(words)
    return 2 * (black - white) - (np.int64(words[KOMI]) - KOMI_ZERO)
