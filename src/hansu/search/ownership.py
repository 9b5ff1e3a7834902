"""Whose every point of a go board is likely to become, and which stones are therefore dead."""

import functools
from collections.abc import Collection
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.games.game import BLACK
from hansu.games.go import board
from hansu.games.go.state import GoState
from hansu.games.rules_on_words import bridge
from hansu.kernel import kernel, seeded
from hansu.search.playout import make_playout

GAMES = 2000  # random games that an opinion rests on
DEAD = 0.44  # stones whose points stay theirs in fewer of them are dead; measured, see docs


def ownership(state: GoState, games: int = GAMES, seed: int = 0) -> NDArray[np.float64]:
    """Black's share of every point when the game is played on at random, from 0 to 1.

    Passes that have just been played are taken back, and either side begins half of the games.

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
    played = make_ownership(state.game.rules)
    for number, begun in enumerate((before, after)):
        turns = len(begun.move_stack)
        path = np.zeros(max(state.game.max_turns, turns) + 1, np.uint64)
        path[:turns] = begun.path[:turns]
        played(begun.words, path, games // 2, seeded(2 * seed + number), counts)
    return counts / (2 * 2 * (games // 2))


@functools.cache
def make_ownership(rules: ModuleType) -> Any:
    """``played(words, path, games, rng, counts)``: two for each game that a point was Black's."""
    playout, owners = make_playout(rules, rules.random_move), board.owners
    unpack, copy = bridge(rules).unpack, bridge(rules).copy
    max_moves, black, nobody = rules.MAX_MOVES, board.BLACK, board.NOBODY

    @kernel(variant=(rules, playout))
    def played(words, path, games, rng, counts):
        moves = np.empty(max_moves, np.int64)
        owner = np.empty(max_moves, np.uint8)
        start = unpack(words)
        for _ in range(games):
            pos = copy(start)
            playout(pos, path, moves, rng)
            owners(pos.words, owner)
            for point in range(len(counts)):
                if owner[point] == black:
                    counts[point] += 2
                elif owner[point] == nobody:
                    counts[point] += 1

    return played


def dead_stones(state: GoState, games: int = GAMES, seed: int = 0) -> frozenset[int]:
    """The points whose stones would most likely be captured if the game went on.

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
    return frozenset(dead)


def strings(state: GoState) -> Collection[frozenset[int]]:
    """The strings on the board, as the points of their stones."""
    found = {state.string_at(p) for p, color in enumerate(state.stones()) if color is not None}
    return {string.stones for string in found if string is not None}
