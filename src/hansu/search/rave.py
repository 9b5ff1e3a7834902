"""MCTS with RAVE: every simulation also tells about the moves that were played later in it.

In go and hex a move on a point is worth much the same a few turns later. So a child is valued by
two means: of the simulations through it, and of all simulations through its parent in which the
same player took that point before the opponent did (all moves as first, AMAF). The second is known
much sooner and wrong in detail, so its weight falls with the visits: Gelly and Silver, Combining
online and offline knowledge in UCT (2007), with the weights of Silver's thesis.
"""

import functools
import math
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from hansu.games.rules_on_words import make_begin, rules_on_words
from hansu.games.state import State
from hansu.kernel import borrowed, kernel
from hansu.search.mcts import Mcts, MctsSettings, Tree, expand, larger
from hansu.search.playout import make_policy

PLIES_BITS = 32  # a moment: the number of the simulation, then the ply within it


class RaveTree(NamedTuple):
    """``Tree`` with the results of simulations in which a move was played at any time later."""

    move: np.ndarray
    first_child: np.ndarray
    n_children: np.ndarray
    visits: np.ndarray
    reward: np.ndarray
    share: np.ndarray
    size: np.ndarray
    amaf_visits: np.ndarray
    amaf_reward: np.ndarray


class RaveMcts(Mcts):
    """A search from one state; ``settings.rave`` is the visits after which both means weigh alike.

    >>> import hansu
    >>> search = RaveMcts(hansu.game("hex:size=3").start(), MctsSettings(rave=500), seed=1)
    >>> search.run(500)
    >>> search.info().lines[0].text
    'b2'
    """

    def __init__(
        self,
        state: State,
        settings: MctsSettings,
        seed: int = 0,
        most_nodes: int | None = None,
    ) -> None:
        super().__init__(state, settings, seed, most_nodes)
        self._tree: Any = _with_amaf(self._tree)
        self._moments = np.zeros((2, state.game.rules.MAX_MOVES), np.int64)
        self._simulate_rave = make_rave_simulations(
            state.game.rules, make_policy(state.game, settings.playout)
        )

    def _simulate_more(self, count: int) -> None:
        chosen = self.settings
        full = self._simulate_rave(
            *(self.state.words, self._tree, self._room, self._moments, count),
            *(chosen.exploration, chosen.rave, self._max_nodes),
        )
        if full:
            old = self._tree
            self._tree = _with_amaf(larger(Tree(*old[:-2]), False))
            self._tree.amaf_visits[: len(old.move)] = old.amaf_visits
            self._tree.amaf_reward[: len(old.move)] = old.amaf_reward


def _with_amaf(tree: Tree) -> RaveTree:
    counts = np.zeros(len(tree.move), np.int32)
    return RaveTree(*tree, counts, np.zeros(len(tree.move), np.float64))


@functools.cache
def make_rave_simulations(rules: ModuleType, pick: Any) -> Any:
    """Make ``simulate``: many simulations; it returns True early when the tree is full."""
    legal_moves, play, ending = rules.legal_moves, rules.play, rules.ending
    key, score_first, uses_path = rules.key, rules.score_first, rules.USES_PATH
    max_moves, unpack, begin = rules.MAX_MOVES, rules_on_words(rules).unpack, make_begin(rules)

    @kernel(variant=(rules, pick))
    def finish(pos, path, moves, rng, moments, moment):
        """Play to the end and return the reward; write when each player first took a point."""
        while True:
            move = pick(pos, path, moves, rng)
            if move < 0:
                return 0.5 + 0.5 * score_first(pos, -move)
            if uses_path:
                if np.int64(pos.ply) == len(path):
                    return 0.5  # only games without any limit get here
                path[np.int64(pos.ply)] = key(pos)
            note(moments, np.int64(pos.second), move, moment)
            moment += 1
            pos = play(pos, move)

    @kernel(variant=(rules, finish))
    def simulate(words, tree, room, moments, simulations, exploration, equal, max_nodes):
        own, path, moves = borrowed(room.own), borrowed(room.path), borrowed(room.moves)
        search_path, rng = borrowed(room.search_path), borrowed(room.rng)
        root = unpack(words)
        for _ in range(simulations):
            if tree.size[0] + max_moves > len(tree.move) and len(tree.move) < max_nodes:
                return True
            start = np.int64(tree.visits[0] + 1) << PLIES_BITS
            pos, node, depth = begin(root, words, own), 0, 0
            search_path[0] = 0
            while tree.n_children[node]:  # selection
                node = best_child(tree, node, exploration, equal)
                if uses_path:
                    path[np.int64(pos.ply)] = key(pos)
                note(moments, np.int64(pos.second), np.int64(tree.move[node]), start + depth)
                pos = play(pos, np.int64(tree.move[node]))
                depth += 1
                search_path[depth] = node
            over = 0
            if node == 0 or tree.visits[node]:
                n = legal_moves(pos, path, moves)
                over = ending(pos, path, n)
                if not over:
                    expand(tree, node, moves, n, rng)
            if over:
                reward = 0.5 + 0.5 * score_first(pos, over)
            else:
                reward = finish(pos, path, moves, rng, moments, start + depth)
            for i in range(depth + 1):  # backpropagation
                second = (i % 2 == 1) != (root.second == 1)  # who is to move at depth i
                node = search_path[i]
                tree.reward[node] += reward if second else 1.0 - reward
                tree.visits[node] += 1
                add_amaf(tree, node, moments, np.int64(second), start + i, reward)
        return False

    return simulate


@kernel
def note(moments, side, move, moment):
    """Write when a player first takes a point in a simulation."""
    if moments[side, move] >> PLIES_BITS != moment >> PLIES_BITS:
        moments[side, move] = moment


@kernel
def add_amaf(tree, node, moments, side, begin, reward):
    """Count the simulation for the children whose point their player took first, from here on."""
    first = tree.first_child[node]
    gained = 1.0 - reward if side else reward
    for child in range(first, first + tree.n_children[node]):
        taken = moments[side, tree.move[child]]
        if taken >= begin:
            other = moments[1 - side, tree.move[child]]
            if other < begin or other > taken:
                tree.amaf_visits[child] += 1
                tree.amaf_reward[child] += gained


@kernel
def best_child(tree, node, exploration, equal):
    """Return the child with the best mean of both kinds, and of its uncertainty."""
    first = tree.first_child[node]
    width = exploration * math.sqrt(2.0 * math.log(tree.visits[node]))
    best, best_bound = first, -1.0
    for child in range(first, first + tree.n_children[node]):
        n, m = float(tree.visits[child]), float(tree.amaf_visits[child])
        if n + m == 0.0:
            return child
        weight = m / (n + m + n * m / equal)
        mean = 0.0 if n == 0.0 else (1.0 - weight) * tree.reward[child] / n
        if m > 0.0:
            mean += weight * tree.amaf_reward[child] / m
        bound = mean + width / math.sqrt(n + 1.0)
        if bound > best_bound:
            best, best_bound = child, bound
    return best
