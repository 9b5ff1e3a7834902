"""Gumbel noise and sequential halving at the root (Danihelka et al. 2022).

The root draws Gumbel noise for each move and considers the few that are best by noise and prior.
They share the visits equally, and after each phase the better half of them goes on: where
simulations are few, this improves the policy, which the visits of PUCT need not do. Below the root
PUCT selects. A move without visits is worth what the network and the visited moves say together, so
every move has a place in the improved policy.

A tree is searched from its first visit to its last in this way: kept visits would break the phases.
"""

import math

import numpy as np

from hansu.kernel import kernel, random_gumbel
from hansu.search.puct_trees import LOST, WON

VISITS = 50.0  # the paper's c_visit: how strongly values count before there are many visits
TINY = 1e-30  # the prior of a move whose softmax has underflowed


@kernel(allocates=False)
def considered_visits(considered, simulations, done):
    """Return how many visits the move has that is to get the next, after ``done`` visits in all.

    ``considered`` moves begin; every phase gets about the same share of the simulations.
    """
    if considered <= 1:
        return done
    phases = 0
    while 1 << phases < considered:
        phases += 1
    visits = 0
    while True:
        more = max(1, simulations // (phases * considered))
        if done < more * considered:
            return visits + done // considered
        done -= more * considered
        visits += more
        considered = max(2, considered // 2)


@kernel(allocates=False)
def draw_gumbel(tree):
    """Draw the noise of the root's moves."""
    for i in range(tree.edge_count[0]):
        tree.noise[i] = np.float32(random_gumbel(tree.rng))


@kernel(allocates=False)
def completing_value(tree):
    """Return what a move without visits is worth: by the network and by the visited moves."""
    visits, weight, value = 0, 0.0, 0.0
    first = tree.first_edge[0]
    for edge in range(first, first + tree.edge_count[0]):
        n = tree.edge_visits[edge]
        if n > 0 and tree.proved[edge] != LOST:
            prior = max(TINY, np.float64(tree.prior[edge]))
            visits += n
            weight += prior
            value += prior * tree.edge_value[edge] / n
    answer = np.float64(tree.root_answer[0])
    return (answer + visits * (value / weight)) / (1 + visits) if visits > 0 else answer


@kernel(allocates=False)
def sharpness(tree, scale):
    """Return what a value, from 0 to 1, is multiplied with to be added to a logit."""
    most, first = 0, tree.first_edge[0]
    for edge in range(first, first + tree.edge_count[0]):
        most = max(most, np.int64(tree.edge_visits[edge]))
    return scale * (VISITS + most)


@kernel(allocates=False)
def improved_logit(tree, edge, unvisited, sharp):
    """Return a move's logit plus what its value adds; ``unvisited`` completes the values."""
    n = tree.edge_visits[edge]
    value = np.float64(tree.edge_value[edge]) / n if n > 0 else unvisited
    return math.log(max(TINY, np.float64(tree.prior[edge]))) + sharp * (0.5 + 0.5 * value)


@kernel(allocates=False)
def best_with(tree, visits, scale, noise):
    """Return the best move by ``noise`` times its Gumbel noise and its improved logit.

    It is one with so many visits; where none has, any move that is not lost.
    """
    first = tree.first_edge[0]
    unvisited, sharp = completing_value(tree), sharpness(tree, scale)
    best, best_score, fits = first, -1e30, False
    for i in range(tree.edge_count[0]):
        edge = first + i
        if tree.proved[edge] == WON:
            return edge
        if tree.proved[edge] == LOST:
            continue
        fits_too = tree.edge_visits[edge] == visits
        score = improved_logit(tree, edge, unvisited, sharp) + noise * tree.noise[i]
        if (fits_too and not fits) or (fits_too == fits and score > best_score):
            best, best_score, fits = edge, score, fits_too
    return best


@kernel(allocates=False)
def gumbel_edge(tree, moves, scale, simulations):
    """Return the root's edge that gets the next visit; this visit is counted in ``tree.visits``."""
    done = np.int64(tree.visits[0]) - 2  # the first one has expanded the root
    considered = min(np.int64(moves), np.int64(tree.edge_count[0]))
    return best_with(tree, considered_visits(considered, simulations - 1, done), scale, 1.0)


@kernel(allocates=False)
def gumbel_choice(tree, scale, noise):
    """Return the best of the most visited moves; with ``noise`` 1 a sample, with 0 the best."""
    most, first = 0, tree.first_edge[0]
    for edge in range(first, first + tree.edge_count[0]):
        if tree.proved[edge] != LOST:
            most = max(most, np.int64(tree.edge_visits[edge]))
    return best_with(tree, most, scale, noise)


@kernel(allocates=False)
def write_improved_policy(tree, scale, proof, whole, out):
    """Write each action's share of ``whole``: the softmax of the improved logits.

    Only moves that are proved to be worth ``proof`` have one, or, with 0, those not yet proved.
    """
    first = tree.first_edge[0]
    unvisited, sharp = completing_value(tree), sharpness(tree, scale)
    highest, total = -1e30, 0.0
    for edge in range(first, first + tree.edge_count[0]):
        if tree.proved[edge] == proof:
            highest = max(highest, improved_logit(tree, edge, unvisited, sharp))
    for edge in range(first, first + tree.edge_count[0]):
        if tree.proved[edge] == proof:
            total += math.exp(improved_logit(tree, edge, unvisited, sharp) - highest)
    for edge in range(first, first + tree.edge_count[0]):
        share = 0.0
        if tree.proved[edge] == proof:
            share = math.exp(improved_logit(tree, edge, unvisited, sharp) - highest) / total
        out[tree.action[edge]] = np.int64(share * whole + 0.5)
