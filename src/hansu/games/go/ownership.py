"""The likely owner of every point of a board, from playouts, and the stones that are dead."""

import numpy as np
from numpy.typing import NDArray

from hansu.games.array_position import copy, unpack
from hansu.games.game import BLACK
from hansu.games.go import board
from hansu.games.go.benson import alive_stones
from hansu.games.go.rules import MAX_MOVES, key, play, random_move
from hansu.games.go.state import GoState
from hansu.kernel import kernel, seeded

GAMES = 2000  # playouts
DEAD = 0.44  # stones that keep their points in a smaller share of them are dead; measured, see docs


def ownership(state: GoState, games: int = GAMES, seed: int = 0) -> NDArray[np.float64]:
    """Return Black's share of every point after playouts from here, from 0 to 1.

    The last passes are taken back, and each side begins half of the playouts.

    >>> import hansu
    >>> state = hansu.game("go", size=5).parse("..x../..x../..x../..x../..x..")
    >>> bool(ownership(state).min() > 0.5)
    True
    """
    before = state.copy()
    while before.move_stack and before.move_stack[-1] == before.pass_move:
        before.pop()
    after = before.copy()
    after.push_unchecked(after.pass_move)
    counts = np.zeros(state.pass_move, np.int64)
    for number, begun in enumerate((before, after)):
        rng = seeded(2 * seed + number)
        count_owners(begun.words, begun.path_with_room(), games // 2, rng, counts)
    return counts / (2 * 2 * (games // 2))


@kernel
def count_owners(words, path, games, rng, counts):
    """Add 2 for every playout in which a point becomes Black's, and 1 where it is neutral."""
    moves = np.empty(MAX_MOVES, np.int64)
    owner = np.empty(MAX_MOVES, np.uint8)
    start = unpack(words)
    for _ in range(games):
        pos = copy(start)
        move = random_move(pos, path, moves, rng)
        while move >= 0:
            path[np.int64(pos.ply)] = key(pos)
            pos = play(pos, move)
            move = random_move(pos, path, moves, rng)
        board.owners(pos.words, owner)
        for point in range(len(counts)):
            if owner[point] == board.BLACK:
                counts[point] += 2
            elif owner[point] == board.NOBODY:
                counts[point] += 1


def dead_stones(state: GoState, games: int = GAMES, seed: int = 0) -> frozenset[int]:
    """Return the points whose stones would most likely be captured if the game went on.

    Stones that are unconditionally alive never are.

    >>> import hansu
    >>> state = hansu.game("go", size=5).parse("..x../o.x../..x../..x../..x..")
    >>> [state.move_text(point) for point in dead_stones(state)]
    ['A4']
    """
    black = ownership(state, games, seed)
    dead: set[int] = set()
    for stones in strings(state):
        share = black[sorted(stones)].mean()
        if (share if state.stone_at(min(stones)) == BLACK else 1 - share) < DEAD:
            dead |= stones
    return frozenset(dead - alive_stones(state))


def strings(state: GoState) -> set[frozenset[int]]:
    """Return the strings on the board, as the points of their stones."""
    found = {state.string_at(p) for p, color in enumerate(state.stones()) if color is not None}
    return {string.stones for string in found if string is not None}
