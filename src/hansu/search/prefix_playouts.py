"""Playouts whose results are credited to every prefix of their moves.

A game 1-1-2-3 that is won counts as a win for 1123, 112, 11 and 1.
"""

import functools
from types import ModuleType
from typing import Any

import numpy as np

from hansu.games.rules_on_words import rules_on_words
from hansu.games.state import State
from hansu.kernel import kernel, seeded
from hansu.search.playout import make_uniform_move
from hansu.search.prefix_table import Pending, credit, prefix_key, root_key


class Simulator:
    """The moves of one position, and the playouts that begin with each of them.

    >>> import hansu
    >>> simulator = Simulator(hansu.game("tictactoe").start(), seed=1)
    >>> pending = Pending(10_000)
    >>> simulator.run(pending, game=0, wanted=[3] * 9, at_most=27)
    27
    >>> simulator.done.tolist()
    [3, 3, 3, 3, 3, 3, 3, 3, 3]
    """

    def __init__(self, state: State, seed: int) -> None:
        self.state = state
        self.moves = list(state.legal_moves)
        after = [state.forward(move) for move in self.moves]
        self._words = np.array([child.words for child in after])
        self._path = (after[0] if after else state).path_with_room()
        played_keys = sequence_keys(state)
        self._prefix_keys = played_keys[1:]
        move_ids = [state.move_id(move) for move in self.moves]
        self.keys = np.array(
            [prefix_key(played_keys[-1], move_id) for move_id in move_ids], np.uint64
        )
        self.done = np.zeros(len(self.moves), np.int64)
        self._next = np.zeros(1, np.int64)  # the move whose turn it is in the round
        self._rng = seeded(seed)
        self.longest = len(state.move_stack) + 1 + len(self._path)  # prefixes of a game, at most

    def run(self, pending: Pending, game: int, wanted: Any, at_most: int) -> int:
        """Simulate in turn for each move with fewer games than wanted; return how many in all.

        Ends when every move has its games, after ``at_most`` games, or when ``pending`` is full.
        """
        simulate = _make_simulate(self.state.game.rules)
        return int(
            simulate(
                *(self._words, self._path, self._prefix_keys, self.keys, game),
                *(np.asarray(wanted, np.int64), self.done, self._next, at_most, self._rng),
                *(pending.slots, pending.used),
            )
        )


def sequence_keys(state: State) -> Any:
    """Return the keys of all prefixes of the moves played so far, the empty one first."""
    start = state.copy()
    for _ in range(len(state.move_stack)):
        start.pop()
    move_ids = np.array([state.move_id(move) for move in state.move_stack], np.int64)
    return _chain(root_key(f"{state.game}\n{start.text()}"), move_ids)


@kernel
def _chain(key, move_ids):
    keys = np.empty(len(move_ids) + 1, np.uint64)
    keys[0] = key
    for i in range(len(move_ids)):
        keys[i + 1] = prefix_key(keys[i], move_ids[i])
    return keys


@functools.cache
def _make_playout_keys(rules: ModuleType) -> Any:
    play, position_key, score_first = rules.play, rules.key, rules.score_first
    uses_path = rules.USES_PATH
    random_move = getattr(rules, "random_move", None) or make_uniform_move(rules)

    @kernel(variant=rules)
    def playout_keys(pos, path, moves, keys, n, rng):
        """Play at random to the end; the keys of the prefixes follow the first ``n``.

        Returns the score of the player who began, and how many keys there are.
        """
        while True:
            move = random_move(pos, path, moves, rng)
            if move < 0:
                return score_first(pos, -move), n
            if n == len(keys) or (uses_path and np.int64(pos.ply) == len(path)):
                return 0, n  # only games without any limit get here: call it a draw
            if uses_path:
                path[np.int64(pos.ply)] = position_key(pos)
            pos = play(pos, move)
            keys[n] = prefix_key(keys[n - 1], move)
            n += 1

    return playout_keys


@functools.cache
def _make_simulate(rules: ModuleType) -> Any:
    playout_keys = _make_playout_keys(rules)
    on_words = rules_on_words(rules)
    unpack, copy, max_moves = on_words.unpack, on_words.copy, rules.MAX_MOVES

    @kernel(variant=rules)
    def simulate(words, path, trail, firsts, game, wanted, done, at, at_most, rng, pending, used):
        moves = np.empty(max_moves, np.int64)
        keys = np.empty(len(trail) + 1 + len(path), np.uint64)
        keys[: len(trail)] = trail
        games = 0
        while (done < wanted).any():
            i = at[0]
            if done[i] < wanted[i]:
                if games == at_most or used[0] + len(keys) >= len(used):
                    break
                keys[len(trail)] = firsts[i]
                pos = copy(unpack(words[i]))
                score, n = playout_keys(pos, path, moves, keys, len(trail) + 1, rng)
                for ply in range(n):
                    credit(pending, used, keys[ply], ply + 1, game, score)
                done[i] += 1
                games += 1
            at[0] = (i + 1) % len(firsts)
        return games

    return simulate
