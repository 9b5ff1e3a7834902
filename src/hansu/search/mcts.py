"""Monte Carlo tree search (UCT), compiled for every game.

One simulation: *selection* of a path down the tree, *expansion* of the leaf it ends at,
*simulation* of a playout from there, *backpropagation* of its reward along the path. Rewards lie in
[0, 1].
"""

import functools
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from hansu.games.rules_on_words import make_begin, rules_on_words
from hansu.games.state import State
from hansu.kernel import borrowed, kernel, random_below, seeded
from hansu.search.info import SHOWN, Line, SearchInfo
from hansu.search.playout import make_policy, make_rollout, make_rollout_on_board, playout_form

MAX_NODES = 1 << 23
UNBOUNDED = 1 << 30
PLIES = 12  # of a principal variation


class Tree(NamedTuple):
    """The nodes as flat arrays; the children of a node lie side by side."""

    move: np.ndarray  # the move that leads here
    first_child: np.ndarray  # index of the first child
    n_children: np.ndarray  # 0: a leaf
    visits: np.ndarray
    reward: np.ndarray  # sum of rewards, for the player who made the move that leads here
    share: np.ndarray  # the same before amplifying, for display; [1] if nothing is amplified
    size: np.ndarray  # [1] nodes in use


class Room(NamedTuple):
    """What a simulation writes to besides the tree."""

    own: np.ndarray  # the words of a position that is played on
    path: np.ndarray  # the keys of the positions before
    moves: np.ndarray  # a list of moves
    search_path: np.ndarray  # the nodes from the root to the leaf
    rng: np.ndarray


@dataclass(frozen=True)
class MctsSettings:
    """How to search."""

    exploration: float = 1.0  # c in v/n + c * sqrt(2 ln N / n)
    max_depth: int | None = None  # plies from the root to leaf evaluation
    amplify: bool = False  # at max_depth: better than the root is 1, equal a half, worse 0
    playout: str = "light"  # "heavy": playouts follow the game's ``heavy_move``
    by_visits: bool = True  # play the most visited move, else the one with the best mean
    rave: int = 0  # visits after which later moves count as little: see ``rave``; 0: not at all

    @property
    def depth(self) -> int:
        """The plies from the root to leaf evaluation, as compiled code counts them."""
        return UNBOUNDED if self.max_depth is None else self.max_depth


class Mcts:
    """A search from one state; each ``run`` continues it.

    >>> import hansu
    >>> search = Mcts(hansu.game("tictactoe").parse("XX. OO. ..."), seed=1)
    >>> search.run(500)
    >>> search.info().lines[0].text
    'c1'
    """

    most_simulations = UNBOUNDED  # of one search; the tree counts in 32 bits
    first_chunk = 1  # simulations before the clock is read

    def __init__(
        self,
        state: State,
        settings: MctsSettings = MctsSettings(),
        seed: int = 0,
        most_nodes: int | None = None,
    ) -> None:
        self.state, self.settings, self.seed = state, settings, seed
        self.seconds = 0.0
        rules = state.game.rules
        self._tree = empty_tree(1 << 12, settings.amplify)
        self._max_nodes = MAX_NODES if most_nodes is None else min(MAX_NODES, most_nodes)
        path = state.path_with_room()
        self._room = Room(
            own=np.empty_like(state.words),
            path=path,
            moves=np.empty(rules.MAX_MOVES, np.int64),
            search_path=np.empty(len(path) + 2, np.int64),
            rng=seeded(seed),
        )
        self._simulate = make_simulations(
            rules, state.game.evaluator.evaluate, choose_rollout(state, settings)
        )

    def continue_from(self, earlier: "Mcts") -> None:
        """Begin with the subtree that an earlier search of the same game has of this state.

        Nothing is kept where the searches differ, or where rewards depend on the root.
        """
        old, stack = earlier.state.move_stack, self.state.move_stack
        is_later = list(stack[: len(old)]) == list(old) and earlier.state.game == self.state.game
        is_alike = type(earlier) is type(self) and earlier.settings == self.settings
        if not (is_later and is_alike) or self.settings.max_depth or self.settings.amplify:
            return
        node, reached = 0, earlier.state.copy()
        for move in stack[len(old) :]:
            move_id = reached.move_id(move)
            below = (i for i in earlier._children(node) if earlier._tree.move[i] == move_id)
            if (node := next(below, -1)) < 0:
                return
            reached.push(move)
        if not earlier._tree.n_children[node] or not np.array_equal(
            reached.words, self.state.words
        ):
            return
        self._tree = subtree(earlier._tree, node)

    @property
    def simulations(self) -> int:
        """How many simulations were done, with those that an earlier search did."""
        return int(self._tree.visits[0])

    def run(self, simulations: int) -> None:
        """Do so many more simulations."""
        begin = time.perf_counter()
        wanted = self.simulations + simulations
        while self.simulations < wanted:
            self._simulate_more(wanted - self.simulations)
        self.seconds += time.perf_counter() - begin

    def _simulate_more(self, count: int) -> None:
        """Do so many simulations, or fewer and make room for more."""
        chosen = self.settings
        full = self._simulate(
            *(self.state.words, self._tree, self._room, count),
            *(chosen.exploration, chosen.depth, chosen.amplify, self._max_nodes),
        )
        if full:
            self._tree = larger(self._tree, chosen.amplify)

    def run_for(
        self, simulations: int | None, seconds: float, go_on: Callable[[], bool] = lambda: True
    ) -> None:
        """Search to so many simulations in all, or for so many seconds; do at least one.

        ``go_on`` is called at least ten times a second and can stop the search.
        """
        begin, before = time.perf_counter(), self.simulations
        simulations = self.most_simulations if simulations is None else simulations
        chunk = self.first_chunk
        while self.simulations < simulations:
            self.run(min(chunk, simulations - self.simulations))
            spent = time.perf_counter() - begin
            if spent >= seconds or not go_on():
                return
            # check the clock about twenty times a search, more often near its end
            rate = (self.simulations - before) / max(spent, 1e-6)
            left = max((seconds - spent) / 2, 1e-3)
            chunk = max(1, int(rate * min(seconds / 20, 0.1, left)))

    def info(self) -> SearchInfo:
        """Return every root move with visits, value and principal variation, best first."""
        tree, by_visits = self._tree, self.settings.by_visits

        def rank(child: int) -> tuple[float, ...]:
            mean = float(tree.reward[child] / max(1, tree.visits[child]))
            return (int(tree.visits[child]), mean) if by_visits else (mean,)

        ranked = sorted(self._children(0), key=rank, reverse=True)
        # A principal variation costs as much as many simulations: only the best moves get one.
        lines = (self._line(child, PLIES if i < SHOWN else 1) for i, child in enumerate(ranked))
        return SearchInfo(tuple(lines), self.simulations, self.seconds)

    def children(self, node: int = 0) -> list[dict[str, Any]]:
        """Return a node's children with visits and values; node 0 is the root."""
        tree = self._tree
        return [
            {
                "node": child,
                "move_id": int(tree.move[child]),
                "visits": int(tree.visits[child]),
                "value": self._mean(child),
                "children": int(tree.n_children[child]),
            }
            for child in self._children(node)
        ]

    def _children(self, node: int) -> range:
        first = int(self._tree.first_child[node])
        return range(first, first + int(self._tree.n_children[node]))

    def _mean(self, node: int) -> float:
        """Return the win rate, not amplified."""
        shares = self._tree.share if self.settings.amplify else self._tree.reward
        return float(shares[node] / max(1, self._tree.visits[node]))

    def _line(self, child: int, plies: int) -> Line:
        state, texts, node = self.state.copy() if plies > 1 else self.state, [], child
        while True:
            move = state.move_from_id(int(self._tree.move[node]))
            texts.append(state.move_text(move))
            below = self._children(node) if len(texts) < plies else ()
            best = max(below, key=lambda i: int(self._tree.visits[i]), default=None)
            if best is None or self._tree.visits[best] == 0:
                break
            state.push(move)
            node = best
        move = self.state.move_from_id(int(self._tree.move[child]))
        visits = int(self._tree.visits[child])
        return Line(move, texts[0], self._mean(child), visits, variation=tuple(texts))


def empty_tree(capacity: int, amplify: bool) -> Tree:
    """Return a tree that has only its root."""
    return Tree(
        np.zeros(capacity, np.int32),
        np.zeros(capacity, np.int32),
        np.zeros(capacity, np.int32),
        np.zeros(capacity, np.int32),
        np.zeros(capacity, np.float64),
        np.zeros(capacity if amplify else 1, np.float64),
        np.ones(1, np.int64),
    )


def larger(tree: Tree, amplify: bool) -> Tree:
    """Return the tree with room for twice as many nodes."""
    grown = empty_tree(2 * len(tree.move), amplify)
    for old, new in zip(tree[:-1], grown[:-1], strict=True):
        new[: len(old)] = old
    grown.size[0] = tree.size[0]
    return grown


def subtree(tree: Any, node: int) -> Any:
    """Return a node with all that is below it as a tree of its own."""
    kept, first, level = [np.array([node])], [], np.array([node])
    size = 1
    while len(level):
        counts = tree.n_children[level].astype(np.int64)
        ends = np.cumsum(counts)
        first.append(np.where(counts > 0, size + ends - counts, 0))
        below = np.repeat(tree.first_child[level] - (ends - counts), counts)
        level = below + np.arange(len(below))
        size += len(level)
        kept.append(level)
    nodes = np.concatenate(kept)
    capacity = max(1 << 12, 1 << size.bit_length())
    arrays = {}
    for name, old in tree._asdict().items():
        if len(old) == len(tree.move):
            arrays[name] = np.zeros(capacity, old.dtype)
            arrays[name][:size] = old[nodes]
        else:
            arrays[name] = old.copy()
    arrays["first_child"][:size] = np.concatenate(first)
    arrays["size"][0] = size
    return type(tree)(**arrays)


def choose_rollout(state: State, settings: MctsSettings) -> Any:
    """Return the compiled ``rollout`` of a search: to the end, or to leaf evaluation."""
    game = state.game
    if settings.max_depth is None:
        board, pick, _ = playout_form(state, settings.playout)
        if board is not game.rules:
            return make_rollout_on_board(game.rules, board, pick)
    return make_rollout(game.rules, game.evaluator.evaluate, make_policy(game, settings.playout))


@functools.cache
def make_simulations(rules: ModuleType, evaluate: Any, rollout: Any) -> Any:
    """Make ``simulate``: many simulations; it returns True early when the tree is full."""
    legal_moves, play, ending = rules.legal_moves, rules.play, rules.ending
    key, score_first, uses_path = rules.key, rules.score_first, rules.USES_PATH
    max_moves, unpack, begin = rules.MAX_MOVES, rules_on_words(rules).unpack, make_begin(rules)

    @kernel(variant=(rules, evaluate, rollout))
    def simulate(words, tree, room, simulations, exploration, max_depth, amplify, max_nodes):
        own, path, moves = borrowed(room.own), borrowed(room.path), borrowed(room.moves)
        search_path, rng = borrowed(room.search_path), borrowed(room.rng)
        root = unpack(words)
        standard = evaluate(root)
        for _ in range(simulations):
            if tree.size[0] + max_moves > len(tree.move) and len(tree.move) < max_nodes:
                return True
            pos, node, depth = begin(root, words, own), 0, 0
            search_path[0] = 0
            while tree.n_children[node]:  # selection
                node = best_child(tree, node, exploration)
                if uses_path:
                    path[np.int64(pos.ply)] = key(pos)
                pos = play(pos, np.int64(tree.move[node]))
                depth += 1
                search_path[depth] = node
            over, is_evaluated = 0, False
            # A leaf is expanded when it is reached again: most leaves never are.
            if (node == 0 or tree.visits[node]) and depth < max_depth:
                n = legal_moves(pos, path, moves)
                over = ending(pos, path, n)
                if not over:
                    expand(tree, node, moves, n, rng)
            if over:
                reward = 0.5 + 0.5 * score_first(pos, over)
            else:
                reward, is_evaluated = rollout(pos, path, moves, rng, max_depth - depth)
            share = reward
            if is_evaluated and amplify:
                reward = 1.0 if reward > standard else 0.5 if reward == standard else 0.0
            # Backpropagation. The first player made the moves to odd depths if he is at the root.
            for i in range(depth + 1):
                first_moved = (i % 2 == 1) != (root.second == 1)
                tree.reward[search_path[i]] += reward if first_moved else 1.0 - reward
                if amplify:
                    tree.share[search_path[i]] += share if first_moved else 1.0 - share
                tree.visits[search_path[i]] += 1
        return False

    return simulate


@kernel
def best_child(tree, node, exploration):
    """Return the child with the highest upper confidence bound; unvisited ones come first."""
    first = tree.first_child[node]
    width = exploration * math.sqrt(2.0 * math.log(tree.visits[node]))
    best, best_bound = first, -1.0
    for child in range(first, first + tree.n_children[node]):
        n = tree.visits[child]
        if n == 0:
            return child
        bound = tree.reward[child] / n + width / math.sqrt(n)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@kernel
def expand(tree, node, moves, n, rng):
    """Add a node's children, in random order so that no move is preferred."""
    first = tree.size[0]
    if first + n > len(tree.move):
        return
    for i in range(n):
        j = i + random_below(rng, n - i)
        moves[i], moves[j] = moves[j], moves[i]
        tree.move[first + i] = moves[i]
    tree.first_child[node] = first
    tree.n_children[node] = n
    tree.size[0] += n
