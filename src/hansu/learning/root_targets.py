"""What a searched root teaches, and which move is played: compiled, for CPU and GPU."""

import numpy as np

from hansu.kernel import kernel, random_below
from hansu.learning.trajectories import MOST_VISITS
from hansu.search.forced_playouts import pruned_visits
from hansu.search.gumbel import gumbel_choice, write_improved_policy
from hansu.search.puct import most_visited, root_proof
from hansu.search.puct_trees import EXPLORED, HAS_NOISE, WON


@kernel(allocates=False)
def useful_visits(tree, edge, best, proof, params):
    """Return an edge's visits without forced ones, or 0 where another is proved to be better."""
    if tree.proved[edge] != proof:
        return np.int64(0)
    if params.forced_playouts > 0.0 and tree.sizes[HAS_NOISE] == EXPLORED:
        return np.int64(pruned_visits(tree, edge, best, params.cpuct, params.forced_playouts))
    return np.int64(tree.edge_visits[edge])


@kernel(allocates=False)
def sample_edge(tree, params):
    """Sample an edge of the root in proportion to its visits (temperature 1)."""
    first, count, proof = tree.first_edge[0], tree.edge_count[0], root_proof(tree)
    best, total = most_visited(tree), 0
    for edge in range(first, first + count):
        total += useful_visits(tree, edge, best, proof, params)
    if total == 0:
        return np.int64(best)
    left = random_below(tree.rng, total)
    for edge in range(first, first + count):
        left -= useful_visits(tree, edge, best, proof, params)
        if left < 0:
            return np.int64(edge)
    return np.int64(first)


@kernel(allocates=False)
def is_gumbel(tree, params):
    """Return whether the root was searched by sequential halving."""
    return params.gumbel_moves > 0 and tree.sizes[HAS_NOISE] == EXPLORED


@kernel(allocates=False)
def chosen_edge(tree, is_sampled, params):
    """Return the edge to play: the best, or a sample of what the search found."""
    if is_gumbel(tree, params):
        return np.int64(gumbel_choice(tree, params.gumbel_scale, 1.0 if is_sampled else 0.0))
    return sample_edge(tree, params) if is_sampled else np.int64(most_visited(tree))


@kernel(allocates=False)
def write_policy(tree, params, out):
    """Write what the policy shall learn, by action: visits, or shares of MOST_VISITS."""
    first, proof, best = tree.first_edge[0], root_proof(tree), most_visited(tree)
    if is_gumbel(tree, params) and proof != WON:
        write_improved_policy(tree, params.gumbel_scale, proof, MOST_VISITS, out)
        return
    for edge in range(first, first + tree.edge_count[0]):
        visits = max(useful_visits(tree, edge, best, proof, params), np.int64(edge == best))
        out[tree.action[edge]] = min(visits, MOST_VISITS)


@kernel(allocates=False)
def root_value(tree):
    """Return what the root is worth to the side to move: what is proved, else the mean."""
    proof = root_proof(tree)
    if proof != 0:
        return np.float32(proof)
    value, visits = 0.0, 0
    for edge in range(tree.first_edge[0], tree.first_edge[0] + tree.edge_count[0]):
        value += tree.edge_value[edge]
        visits += tree.edge_visits[edge]
    return np.float32(value / max(1, visits))
