"""Unconditional life (Benson 1976): stones that stay even if their side always passes.

A *region* of a colour is a set of connected points without stones of that colour. It is *vital* to
a string if each of its empty points is a liberty of the string. Strings with fewer than two vital
regions are left out, then regions that touch a string that was left out, until nothing changes: the
strings that stay are alive.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from hansu.games.go.board import (
    BLACK,
    BORDER,
    EMPTY,
    HEAD,
    MAX_POINTS,
    POINT_COUNT,
    cell_of,
    cells_of,
    neighbours,
    point_of,
)
from hansu.kernel import kernel

if TYPE_CHECKING:
    from hansu.games.go.state import GoState

EYES = 2  # vital regions that a string needs


def alive_stones(state: "GoState") -> frozenset[int]:
    """Return the points whose stones are unconditionally alive, of both colours.

    >>> import hansu
    >>> state = hansu.game("go", size=5).parse(".x.xo/xxxxo/ooooo/...../.....")
    >>> [state.move_text(point) for point in sorted(alive_stones(state))]
    ['B5', 'D5', 'A4', 'B4', 'C4', 'D4']
    """
    found = set[int]()
    for second in (0, 1):
        alive = np.zeros(state.pass_move, np.uint8)
        mark_alive(state.words, second, alive)
        found |= {p for p in np.flatnonzero(alive).tolist() if state.stone_at(p) is not None}
    return frozenset(found)


@kernel
def label_points(words: Any, color: Any, strings: Any, regions: Any) -> Any:
    """Number the strings of a colour and its regions; return how many of each there are.

    ``strings[point]`` and ``regions[point]`` are the numbers, or -1.
    """
    cells, points = cells_of(words), np.int64(words[POINT_COUNT])
    stack = np.empty(points, np.int64)
    n_strings = n_regions = 0
    strings[:points] = -1
    regions[:points] = -1
    for point in range(points):
        at = cell_of(words, point)
        if cells[at] == color:
            head = point_of(words, np.uint64(cells[at + HEAD]))
            if strings[head] < 0:
                strings[head] = n_strings
                n_strings += 1
            strings[point] = strings[head]
        elif regions[point] < 0:
            regions[point], stack[0], n = n_regions, point, 1
            while n:
                n -= 1
                for near in neighbours(words, cell_of(words, stack[n])):
                    if cells[near] != color and cells[near] != BORDER:
                        other = point_of(words, near)
                        if regions[other] < 0:
                            regions[other], stack[n] = n_regions, other
                            n += 1
            n_regions += 1
    return n_strings, n_regions


@kernel
def find_contacts(words: Any, color: Any, strings: Any, regions: Any, shape: Any) -> Any:
    """Return which strings each region touches, and to which it is vital: [regions, strings]."""
    cells = cells_of(words)
    touches, vital = np.zeros(shape, np.uint8), np.ones(shape, np.uint8)
    beside = np.empty(shape[1], np.uint8)
    for point in range(np.int64(words[POINT_COUNT])):
        at = cell_of(words, point)
        if cells[at] == color:
            continue
        beside[:] = 0
        for near in neighbours(words, at):
            if cells[near] == color:
                beside[strings[point_of(words, near)]] = 1
        region = regions[point]
        for string in range(shape[1]):
            touches[region, string] |= beside[string]
            if cells[at] == EMPTY:
                vital[region, string] &= beside[string]
    return touches, vital


@kernel
def mark_alive(words: Any, second: Any, alive: Any) -> Any:
    """Write 1 where an unconditionally alive stone of a player stands, and in its smallest eyes.

    An eye of one empty point among such stones is safe too: the other side cannot play there.
    Return how many points were marked.
    """
    color, points = BLACK + np.uint64(second), np.int64(words[POINT_COUNT])
    strings, regions = np.empty(MAX_POINTS, np.int64), np.empty(MAX_POINTS, np.int64)
    shape = label_points(words, color, strings, regions)
    n_strings, n_regions = shape
    touches, vital = find_contacts(words, color, strings, regions, (n_regions, n_strings))
    lives, encloses = np.ones(n_strings, np.uint8), np.ones(n_regions, np.uint8)
    changed = True
    while changed:
        changed = False
        for string in range(n_strings):
            eyes = 0
            for region in range(n_regions):
                eyes += encloses[region] & vital[region, string]
            if lives[string] and eyes < EYES:
                lives[string] = 0
                changed = True
                for region in range(n_regions):
                    if touches[region, string]:
                        encloses[region] = 0
    sizes, marked = np.zeros(n_regions, np.int64), 0
    for point in range(points):
        if regions[point] >= 0:
            sizes[regions[point]] += 1
    for point in range(points):
        if strings[point] >= 0:
            alive[point] = lives[strings[point]]
        else:
            region = regions[point]
            alive[point] = encloses[region] and sizes[region] == 1 and n_strings > 0
        marked += alive[point]
    return marked
