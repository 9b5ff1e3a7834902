"""Simulated games whose results are credited to every prefix of their moves.

A game 1-1-2-3 that is won counts as a win for 1123, 112, 11 and 1. While a simulated game follows
sequences that are known it chooses among the moves by their counts (UCB1), an unknown move first;
from there on it is random. So what is remembered steers what is simulated next.
"""

import functools
import math
from types import ModuleType
from typing import Any

import numpy as np

from hansu.games.bridge import bridge
from hansu.games.state import State
from hansu.kernel import kernel, random_below, seeded
from hansu.search.playout import make_random_move
from hansu.search.prefix_table import Pending, credit, prefix_key, root_key, slot_of

EXPLORATION = 1.0  # in UCB1
ENOUGH = 30  # games of a move


class Simulator:
    """The moves of one position, and the simulated games that begin with each of them.

    >>> import hansu
    >>> from hansu.search.prefix_table import ENTRY
    >>> simulator = Simulator(hansu.game("tictactoe").start(), seed=1)
    >>> pending, table = Pending(10_000), np.zeros(2, ENTRY)
    >>> simulator.run(table, pending, game=0, wanted=[3] * 9, at_most=27)
    27
    >>> simulator.done.tolist()
    [3, 3, 3, 3, 3, 3, 3, 3, 3]
    """

    def __init__(self, state: State, seed: int) -> None:
        self.state = state
        self.moves = list(state.legal_moves)
        after = [state.forward(move) for move in self.moves]
        self._words = np.array([child.words for child in after])
        played = len(state.move_stack)
        self._path = np.zeros(max(state.game.max_turns, played + 1) + 1, np.uint64)
        if state.game.compiled.USES_PATH:
            self._path[: played + 1] = after[0].path[: played + 1]
        played_keys = sequence_keys(state)
        self._trail = played_keys[1:]
        codes = [state.code(move) for move in self.moves]
        self.keys = np.array([prefix_key(played_keys[-1], code) for code in codes], np.uint64)
        self.done = np.zeros(len(self.moves), np.int64)
        self._rng = seeded(seed)
        self.longest = played + 1 + len(self._path)  # prefixes of a game, at most

    def run(self, table: Any, pending: Pending, game: int, wanted: Any, at_most: int) -> int:
        """Simulate in turn for each move that has fewer games than wanted; how many were played.

        Ends when every move has its games, after ``at_most`` games, or when ``pending`` is full.
        """
        simulate = _make_simulate(self.state.game.compiled)
        return int(
            simulate(
                *(self._words, self._path, self._trail, self.keys, game),
                *(np.asarray(wanted, np.int64), self.done, at_most, self._rng),
                *(table, pending.slots, pending.used),
            )
        )


def sequence_keys(state: State) -> Any:
    """The keys of all prefixes of the moves played so far, the empty one first."""
    start = state.copy()
    for _ in range(len(state.move_stack)):
        start.pop()
    keys = [root_key(f"{state.game}\n{start.text()}")]
    for move in state.move_stack:
        keys.append(np.uint64(prefix_key(keys[-1], state.code(move))))
    return np.array(keys, np.uint64)


@functools.cache
def _make_choose(rules: ModuleType) -> Any:
    random_move = make_random_move(rules)

    @kernel(variant=rules)
    def choose(pos, path, moves, n_moves, key, table, pending, rng):
        """A move by UCB1, an unknown one first; and whether its sequence is known."""
        total = 0.0
        for i in range(n_moves):
            visits, _ = _known(table, pending, prefix_key(key, moves[i]))
            if visits < ENOUGH:
                return random_move(pos, path, moves, rng), False
            total += visits
        best, picked, width = -1.0, 0, EXPLORATION * math.sqrt(2.0 * math.log(total))
        for i in range(n_moves):
            visits, points = _known(table, pending, prefix_key(key, moves[i]))
            rate = points / visits if pos.second == 0 else 1.0 - points / visits
            bound = rate + width / math.sqrt(visits)
            if bound > best:
                best, picked = bound, i
        return moves[picked], True

    return choose


@kernel
def _known(table, pending, key):
    """Games and points of the player who began, in the table and pending."""
    old = table[slot_of(table, key)]
    new = pending[slot_of(pending, key)]
    draws = np.float64(old["draws"]) + np.float64(new["draws"])
    wins = np.float64(old["wins"]) + np.float64(new["wins"])
    return wins + draws + np.float64(old["losses"]) + np.float64(new["losses"]), wins + 0.5 * draws


@functools.cache
def _make_simulate_one(rules: ModuleType) -> Any:
    play, position_key, score_first = rules.play, rules.key, rules.score_first
    legal_moves, ending, uses_path = rules.legal_moves, rules.ending, rules.USES_PATH
    random_move, choose = make_random_move(rules), _make_choose(rules)

    @kernel(variant=rules)
    def simulate_one(pos, path, moves, keys, n, table, pending, rng):
        """Play to the end, listing the keys of the prefixes from ``n``; the score, and how many."""
        is_known = True
        while True:
            if is_known:
                n_moves = legal_moves(pos, path, moves)
                over = ending(pos, path, n_moves)
                move = np.int64(-over)
                if not over:
                    move, is_known = choose(
                        pos, path, moves, n_moves, keys[n - 1], table, pending, rng
                    )
            else:
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

    return simulate_one


@functools.cache
def _make_simulate(rules: ModuleType) -> Any:
    simulate_one = _make_simulate_one(rules)
    unpack, max_moves = bridge(rules).unpack, rules.MAX_MOVES
    copy = bridge(rules).copy

    @kernel(variant=rules)
    def simulate(words, path, trail, firsts, game, wanted, done, at_most, rng, table, pending, used):
        moves = np.empty(max_moves, np.int64)
        keys = np.empty(len(trail) + 1 + len(path), np.uint64)
        keys[: len(trail)] = trail
        games, waiting = 0, True
        while waiting:
            waiting = False
            for i in range(len(firsts)):
                if done[i] >= wanted[i]:
                    continue
                if games == at_most or used[0] + len(keys) >= len(used):
                    return games
                keys[len(trail)] = firsts[i]
                pos = copy(unpack(words[i]))
                score, n = simulate_one(
                    pos, path, moves, keys, len(trail) + 1, table, pending, rng
                )
                for ply in range(n):
                    credit(pending, used, keys[ply], ply + 1, game, score)
                done[i] += 1
                games += 1
                waiting = True
        return games

    return simulate
