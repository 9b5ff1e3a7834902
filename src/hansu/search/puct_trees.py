"""The trees of many games that are searched at the same time, as flat arrays.

Each game has room for ``nodes`` nodes and for their edges, which lie side by side in one pool: a
node names its first edge and how many there are. A new node comes after all others, so children
have higher numbers than their parents; node 0 is the root.

A leaf that waits for its evaluation has its edges already, without priors, and a negative count of
them: no selection passes through it yet.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansu.games.game import Game
from hansu.kernel import borrowed, kernel

NO_LEAF = -1  # of a slot: nothing waits there
NO_NODE = -2  # as a leaf: evaluated without a node, for lack of room or at max_depth


class PuctTrees(NamedTuple):
    """All games. Sizes: [games], [games, nodes], [games, edges], [games, slots]."""

    roots: NDArray[np.uint64]  # [games, words] positions to search
    words: NDArray[np.uint64]  # [games, words] room for a position of a selection
    path: NDArray[np.uint64]  # [games, turns] keys of the positions before
    rng: NDArray[np.uint64]  # [games, 1]
    moves: NDArray[np.int64]  # [games, moves] room for a list of moves
    noise: NDArray[np.float32]  # [games, moves] the root's noise
    sizes: NDArray[np.int32]  # [games, 3] nodes and edges in use; how the root is searched

    first_edge: NDArray[np.int32]  # of a node
    edge_count: NDArray[np.int32]  # 0: not expanded yet; negative: waiting for evaluation
    visits: NDArray[np.int32]
    parent: NDArray[np.int32]
    new_index: NDArray[np.int32]  # of a node, after the root has moved

    move: NDArray[np.int32]  # of an edge
    action: NDArray[np.int16]  # the same among the network's outputs
    prior: NDArray[np.float32]
    edge_visits: NDArray[np.int32]
    edge_value: NDArray[np.float32]  # sum of values in [-1, 1] for the side that chooses the edge
    child: NDArray[np.int32]  # 0: none yet
    proved: NDArray[np.int8]  # WON, LOST for the side that chooses the edge, or 0: unknown

    root_answer: NDArray[np.float32]  # [games, 1] the network's value of a root just expanded
    leaf: NDArray[np.int32]  # of a slot: the node that waits for evaluation
    depth: NDArray[np.int32]  # how far below the root it is
    search_path: NDArray[np.int32]  # [games, slots, depth] the edges that lead there
    leaves: NDArray[np.uint64]  # [games * slots, packed words] to evaluate
    answers: NDArray[np.float32]  # [games * slots, actions + 1] logits and value


WON, LOST = 1, -1
NODES, EDGES, HAS_NOISE = range(3)  # what is in ``sizes``
NOT_YET, WITHOUT, EXPLORED = range(3)  # of HAS_NOISE: whether a root has its noise, or needs none


def allocate_trees(
    game: Game, games: int, nodes: int, slots: int, max_depth: int, turns: int, seed: int
) -> PuctTrees:
    """Return empty trees. The system provides memory only where they grow.

    ``turns`` is the most turns from the start of a game to a root.
    """
    rules, features = game.rules, game.features
    words = len(game.start().words)
    packed = features.pack(game.start())
    edges = nodes * min(rules.MAX_MOVES, features.actions)

    def of_nodes(kind: Any = np.int32) -> NDArray[Any]:
        return np.zeros((games, nodes), kind)

    def of_edges(kind: Any = np.int32) -> NDArray[Any]:
        return np.zeros((games, edges), kind)

    return PuctTrees(
        roots=np.zeros((games, words), np.uint64),
        words=np.zeros((games, words), np.uint64),
        path=np.zeros((games, turns + max_depth + 1 if rules.USES_PATH else 1), np.uint64),
        rng=np.random.SeedSequence(seed)
        .generate_state(games, np.uint64)[:, None]
        .astype(np.uint64),
        moves=np.zeros((games, rules.MAX_MOVES), np.int64),
        noise=np.zeros((games, rules.MAX_MOVES), np.float32),
        sizes=np.zeros((games, 3), np.int32),
        first_edge=of_nodes(),
        edge_count=of_nodes(),
        visits=of_nodes(),
        parent=of_nodes(),
        new_index=of_nodes(),
        move=of_edges(),
        action=of_edges(np.int16),
        prior=of_edges(np.float32),
        edge_visits=of_edges(),
        edge_value=of_edges(np.float32),
        child=of_edges(),
        proved=of_edges(np.int8),
        root_answer=np.zeros((games, 1), np.float32),
        leaf=np.full((games, slots), NO_LEAF, np.int32),
        depth=np.zeros((games, slots), np.int32),
        search_path=np.zeros((games, slots, max_depth + 1), np.int32),
        leaves=np.zeros((games * slots, len(packed)), np.uint64),
        answers=np.zeros((games * slots, features.actions + 1), np.float32),
    )


@kernel(inline=True)
def tree_of(trees, game):
    """Return one game's tree: all arrays without their first dimension.

    Nothing counts the references to these arrays: the trees outlive them.
    """
    return tree_with(trees, game, borrowed(trees.words)[game])


@kernel(inline=True)
def tree_with(trees, game, words):
    """Return one game's tree with other room for a position: a GPU has some for every thread."""
    slots = trees.leaf.shape[1]
    here, end = game * slots, (game + 1) * slots
    return PuctTrees(
        borrowed(trees.roots)[game],
        words,
        borrowed(trees.path)[game],
        borrowed(trees.rng)[game],
        borrowed(trees.moves)[game],
        borrowed(trees.noise)[game],
        borrowed(trees.sizes)[game],
        borrowed(trees.first_edge)[game],
        borrowed(trees.edge_count)[game],
        borrowed(trees.visits)[game],
        borrowed(trees.parent)[game],
        borrowed(trees.new_index)[game],
        borrowed(trees.move)[game],
        borrowed(trees.action)[game],
        borrowed(trees.prior)[game],
        borrowed(trees.edge_visits)[game],
        borrowed(trees.edge_value)[game],
        borrowed(trees.child)[game],
        borrowed(trees.proved)[game],
        borrowed(trees.root_answer)[game],
        borrowed(trees.leaf)[game],
        borrowed(trees.depth)[game],
        borrowed(trees.search_path)[game],
        borrowed(trees.leaves)[here:end],
        borrowed(trees.answers)[here:end],
    )


@kernel(allocates=False)
def clear(tree):
    """Empty the tree: the root is not expanded yet."""
    tree.sizes[NODES], tree.sizes[EDGES], tree.sizes[HAS_NOISE] = 1, 0, NOT_YET
    tree.first_edge[0], tree.edge_count[0], tree.visits[0], tree.parent[0] = 0, 0, 0, 0
    for slot in range(len(tree.leaf)):
        tree.leaf[slot] = NO_LEAF


@kernel(allocates=False)
def advance_root(tree, edge):
    """Make the child of one of the root's edges the root; drop what is not below it.

    Nodes and edges only move to lower numbers, in order, so this works in place.
    """
    top = tree.child[edge]
    tree.sizes[HAS_NOISE] = NOT_YET
    if top == 0:
        clear(tree)
        return
    for old in range(top):
        tree.new_index[old] = -1
    tree.new_index[top] = 0
    count, n_edges = 1, 0
    for old in range(top + 1, tree.sizes[NODES]):
        above = tree.new_index[tree.parent[old]]
        tree.new_index[old] = -1
        if above >= 0:
            tree.new_index[old] = count
            count += 1
    for old in range(top, tree.sizes[NODES]):
        node = tree.new_index[old]
        if node < 0:
            continue
        first = tree.first_edge[old]
        tree.visits[node] = tree.visits[old]
        tree.parent[node] = max(0, tree.new_index[tree.parent[old]])
        tree.edge_count[node] = tree.edge_count[old]
        tree.first_edge[node] = n_edges
        for source in range(first, first + tree.edge_count[node]):
            tree.move[n_edges] = tree.move[source]
            tree.action[n_edges] = tree.action[source]
            tree.prior[n_edges] = tree.prior[source]
            tree.edge_visits[n_edges] = tree.edge_visits[source]
            tree.edge_value[n_edges] = tree.edge_value[source]
            tree.proved[n_edges] = tree.proved[source]
            below = tree.child[source]
            tree.child[n_edges] = tree.new_index[below] if below else 0
            n_edges += 1
    tree.sizes[NODES], tree.sizes[EDGES] = count, n_edges
