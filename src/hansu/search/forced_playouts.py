"""Forced playouts and policy-target pruning (Wu 2019).

A move of the root that was tried, for its noise perhaps, gets a number of visits that grows with
its prior, so that a good one has time to show it. The visits to learn from are without those that
were forced, as far as PUCT, knowing the values, would not have spent them.
"""

import math

import numpy as np

from hansu.kernel import kernel


@kernel(allocates=False)
def forced_edge(tree, factor):
    """Return the first edge of the root with a visit that has fewer than it is due; -1: none."""
    first = tree.first_edge[0]
    for edge in range(first, first + tree.edge_count[0]):
        n = tree.edge_visits[edge]
        if n > 0 and tree.proved[edge] == 0 and n < forced_visits(tree, edge, factor):
            return edge
    return np.int64(-1)


@kernel(allocates=False)
def forced_visits(tree, edge, factor):
    """Return how many visits a move of the root is due once it has one."""
    return math.sqrt(factor * tree.prior[edge] * tree.visits[0])


@kernel(allocates=False)
def pruned_visits(tree, edge, best, cpuct, factor):
    """Return the visits of an edge to learn from: all of the best one's.

    Of another, forced visits go as long as its PUCT bound stays below that of the best; a single
    visit that is left goes too.
    """
    n = np.int64(tree.edge_visits[edge])
    if edge == best or n == 0:
        return n
    width = cpuct * math.sqrt(tree.visits[0])
    most = max(np.int64(1), np.int64(tree.edge_visits[best]))
    bound = tree.edge_value[best] / most + width * tree.prior[best] / (1 + most)
    value = tree.edge_value[edge] / n
    least = n - np.int64(forced_visits(tree, edge, factor))
    while n > max(0, least) and value + width * tree.prior[edge] / n < bound:
        n -= 1
    return n if n > 1 else 0
