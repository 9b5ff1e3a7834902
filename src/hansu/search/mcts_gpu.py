"""Root-parallel Monte Carlo tree search: many trees from one position, their roots added up.

On a card every thread grows a tree of its own, with its own random numbers. The simulations are
those of ``search/mcts.py``; on the CPU the trees grow one after another, to test it.
"""

import functools
import time
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from hansu.games.state import State
from hansu.kernel import gpu, kernel
from hansu.search.mcts import (
    Mcts,
    MctsSettings,
    Room,
    Tree,
    choose_rollout,
    empty_tree,
    make_simulations,
)
from hansu.search.playouts_gpu import thread_seed

MOST_TREES = 8192
SIMULATIONS_A_TREE = 256  # with fewer, there are fewer trees
NODES_A_TREE = 4096  # at most; a full tree is searched on without growing
OF_FREE_MEMORY = 4  # the part of the card's memory that trees may take: one in so many


class Roots(NamedTuple):
    """The root's children of every tree: [trees, moves]."""

    move: np.ndarray
    visits: np.ndarray
    reward: np.ndarray
    share: np.ndarray  # as in ``Tree``


class RootParallelMcts(Mcts):
    """The same search with many trees; ``info`` and ``children`` show the sum of their roots.

    ``simulations`` is how many are planned, None without a limit: few need few trees.
    """

    most_simulations = 1 << 60

    def __init__(
        self,
        state: State,
        settings: MctsSettings = MctsSettings(),  # noqa: B008 - frozen
        seed: int = 0,
        simulations: int | None = None,
        device: str = "cuda",
    ) -> None:
        super().__init__(state, settings, seed)
        self._tree = _summed(state, settings.amplify)
        on_card = device == "cuda"
        place = gpu.card().to_device if on_card else np.asarray
        nodes, trees = self._sizes(simulations, gpu.free_memory() if on_card else 0)
        self.first_chunk = trees  # one of each takes as long as a single one
        one = empty_tree(nodes, settings.amplify)
        kept = self._room._replace(path=state.path_with_room())

        def rows(array: Any) -> Any:
            return place(np.repeat(array[None], trees, axis=0))

        self._trees, self._rooms = Tree(*map(rows, one)), Room(*map(rows, kept))
        seeds = [[thread_seed(np.uint64(seed), tree)] for tree in range(trees)]
        self._rooms = self._rooms._replace(rng=place(np.array(seeds, np.uint64)))
        moves = len(self._tree.move) - 1
        kinds = (np.int32, np.int32, np.float64, np.float64)
        self._roots = Roots(*(place(np.zeros((trees, moves), kind)) for kind in kinds))
        self._words = place(state.words)
        make = make_trees_on_card if on_card else make_trees_on_cpu
        rollout = choose_rollout(state, settings)
        grow = make(state.game.rules, state.game.evaluator.evaluate, rollout)
        self._grow = grow[-(-trees // gpu.BLOCK), gpu.BLOCK] if on_card else grow

    def run(self, simulations: int) -> None:
        """Do so many more simulations, spread over the trees."""
        begin, chosen = time.perf_counter(), self.settings
        self._grow(
            *(self._words, self._trees, self._rooms, self._roots, simulations),
            *(chosen.exploration, chosen.depth, chosen.amplify),
        )
        found = [_on_host(array) for array in self._roots]
        tree = self._tree
        tree.visits[0] += simulations
        at = np.searchsorted(tree.move[1:], found[0])  # each tree has its own order of moves
        grown = found[1].sum(axis=1) > 0  # an unvisited root has no children yet
        for total, part in zip((tree.visits, tree.reward, tree.share), found[1:], strict=True):
            if len(total) > 1:  # shares are kept only where rewards are amplified
                total[1:] = np.bincount(
                    at[grown].ravel(), part[grown].ravel(), minlength=len(total) - 1
                )
        self.seconds += time.perf_counter() - begin

    def _sizes(self, simulations: int | None, memory: int) -> tuple[int, int]:
        """Return nodes and trees: what the simulations need, within a part of the memory."""
        trees = MOST_TREES
        if simulations is not None:
            trees = min(trees, max(1, simulations // SIMULATIONS_A_TREE))
        moves = self.state.game.rules.MAX_MOVES
        nodes = max(NODES_A_TREE, 2 * moves + 1)
        if memory:
            size = sum(array.itemsize for array in empty_tree(1, True))
            rest = sum(array.nbytes for array in self._room)
            trees = max(1, min(trees, memory // OF_FREE_MEMORY // (size * nodes + rest)))
        return nodes, trees


def _summed(state: State, amplify: bool) -> Tree:
    """Return a tree of the root and its children, sorted by their moves."""
    moves = sorted(state.move_ids())
    tree = empty_tree(1 + len(moves), amplify)
    tree.move[1:], tree.first_child[0], tree.n_children[0] = moves, 1, len(moves)
    return tree._replace(visits=tree.visits.astype(np.int64))


def _on_host(array: Any) -> Any:
    return array.copy_to_host() if hasattr(array, "copy_to_host") else array


@functools.cache
def make_tree_growth(rules: ModuleType, evaluate: Any, rollout: Any) -> Any:
    """Make ``grow_tree``: the simulations of one tree; the same function for CPU and card."""
    simulate = make_simulations(rules, evaluate, rollout)

    @kernel(variant=(rules, evaluate, rollout))
    def grow_tree(words, tree, room, roots, share, exploration, depth, amplify):
        simulate(words, tree, room, share, exploration, depth, amplify, len(tree.move))
        first = tree.first_child[0]
        for i in range(tree.n_children[0]):
            roots.move[i] = tree.move[first + i]
            roots.visits[i] = tree.visits[first + i]
            roots.reward[i] = tree.reward[first + i]
            if amplify:
                roots.share[i] = tree.share[first + i]

    return grow_tree


@kernel
def share_of(simulations: Any, trees: Any, tree: Any) -> Any:
    """Return how many of the simulations one of the trees does."""
    return simulations // trees + (1 if tree < simulations % trees else 0)


@kernel(inline=True)
def tree_of(trees, i):
    """Return one of the trees."""
    return Tree(
        trees.move[i],
        trees.first_child[i],
        trees.n_children[i],
        trees.visits[i],
        trees.reward[i],
        trees.share[i],
        trees.size[i],
    )


@kernel(inline=True)
def room_of(rooms, i):
    """Return the room of one of the trees."""
    return Room(rooms.own[i], rooms.path[i], rooms.moves[i], rooms.search_path[i], rooms.rng[i])


@kernel(inline=True)
def root_of(roots, i):
    """Return the root's children of one of the trees."""
    return Roots(roots.move[i], roots.visits[i], roots.reward[i], roots.share[i])


@functools.cache
def make_trees_on_cpu(rules: ModuleType, evaluate: Any, rollout: Any) -> Any:
    """Make the function that grows all trees, one after another."""
    grow_tree = make_tree_growth(rules, evaluate, rollout)

    @kernel(variant=(rules, evaluate, rollout))
    def grow(words, trees, rooms, roots, simulations, exploration, depth, amplify):
        for i in range(len(trees.size)):
            grow_tree(
                *(words, tree_of(trees, i), room_of(rooms, i)),
                root_of(roots, i),
                *(share_of(simulations, len(trees.size), i), exploration, depth, amplify),
            )

    return grow


@functools.cache
def make_trees_on_card(rules: ModuleType, evaluate: Any, rollout: Any) -> Any:
    """Make the CUDA kernel that grows all trees, a thread each."""
    cuda = gpu.compiler()
    grow_tree = make_tree_growth(rules, evaluate, rollout)

    @cuda.jit(lto=False)
    def grow(words, trees, rooms, roots, simulations, exploration, depth, amplify):
        i = cuda.grid(1)
        if i < len(trees.size):
            tree = tree_of(trees, i)
            room = room_of(rooms, i)
            root = root_of(roots, i)
            share = share_of(simulations, len(trees.size), i)
            grow_tree(words, tree, room, root, share, exploration, depth, amplify)

    return grow
