"""PUCT, the search of AlphaZero: compiled, for one game or for many at once.

A step expands the leaves whose evaluations have arrived (priors), backpropagates their values, and
then selects a path down each tree again by

    argmax Q + c_puct · P · sqrt(N) / (1 + n)

to the next leaf. Leaves go out as packed words (``games/packing.py``); the caller evaluates them
and writes a row of logits and a value for each to ``answers``. A finished game needs no network:
its result is backpropagated at once and the selection is repeated.

Several selections may wait in one tree (slots). Each carries a virtual loss until its leaf is
evaluated, so that the next one prefers another path.

A finished game proves what its last move was worth, and with all moves of a position lost, or one
won, the move before it (MCTS-solver, Winands 2008). A lost move is not tried again, a won one
always; so are the root's moves ranked. Draws prove nothing.
"""

import functools
import math
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from hansu.errors import HansuError
from hansu.games.features import Features
from hansu.games.rules_on_words import copy_words, holds_arrays, make_write, rules_on_words
from hansu.kernel import kernel, random_gamma
from hansu.search.forced_playouts import forced_edge
from hansu.search.gumbel import draw_gumbel, gumbel_edge
from hansu.search.puct_trees import (
    EDGES,
    EXPLORED,
    HAS_NOISE,
    LOST,
    NO_LEAF,
    NO_NODE,
    NODES,
    NOT_YET,
    WON,
    advance_root,
    clear,
    tree_of,
)

FPU_REDUCTION = 0.2  # first-play urgency: subtracted in full once the visited priors sum to 1
VIRTUAL_LOSS = np.float32(1.0)  # a selected edge counts as lost until its leaf is evaluated
SELECTIONS = 8


class PuctParams(NamedTuple):
    """The parameters of a step."""

    cpuct: float
    max_depth: int
    noise_share: float  # ε: the share of Dirichlet noise in the root's priors
    noise_alpha: float  # α of the Dirichlet noise
    slots: int  # how many of the slots to use
    selections: int = SELECTIONS  # tries for a slot whose selections end in finished games
    proofs: bool = True  # keep what finished games prove
    until_proved: bool = False  # end with the proof that a move of the root wins, or that all lose
    gumbel_moves: int = 0  # that the root considers, by sequential halving; 0: PUCT at the root
    gumbel_scale: float = 1.0  # how strongly values count there
    forced_playouts: float = 0.0  # k: a tried move of the root gets sqrt(k P N) visits; 0: none


class TreeSearch(NamedTuple):
    """The compiled parts of the search of one tree."""

    expand: Any  # (tree, slot): use the leaf evaluation
    select: Any  # (tree, slot, target, params) -> whether a leaf waits for evaluation
    follow: Any  # (tree, edge): move the root along one of its edges


@kernel(allocates=False)
def best_edge(tree, node, cpuct):
    """Return the edge with the highest PUCT bound.

    First-play urgency (FPU): an unvisited move is valued slightly below the visited average. So a
    bad position does not cost a visit to each move, nor does a good one hide all but the first.
    A move that is proved to win is chosen at once, one that is proved to lose if all are.
    """
    first = tree.first_edge[node]
    all_lost = is_lost(tree, node)
    width = cpuct * math.sqrt(tree.visits[node])
    best, best_bound = first, -1e30
    untried, highest = first, np.float32(-1.0)
    value, visits, known = 0.0, 0, 0.0
    for edge in range(first, first + tree.edge_count[node]):
        if tree.proved[edge] == WON:
            return edge
        n, prior = tree.edge_visits[edge], tree.prior[edge]
        if tree.proved[edge] == LOST and not all_lost:
            continue
        if n == 0:
            if prior > highest:
                untried, highest = edge, prior
            continue
        value += tree.edge_value[edge]
        visits += n
        known += prior
        bound = tree.edge_value[edge] / n + width * prior / (1 + n)
        if bound > best_bound:
            best, best_bound = edge, bound
    if highest < 0.0:
        return best
    first_play_urgency = value / max(1, visits) - FPU_REDUCTION * math.sqrt(known)
    return untried if first_play_urgency + width * highest > best_bound else best


@kernel(allocates=False)
def is_lost(tree, node):
    """Return whether all edges of a node are proved to lose."""
    first = tree.first_edge[node]
    for edge in range(first, first + tree.edge_count[node]):  # noqa: SIM110 - Numba: no all()
        if tree.proved[edge] != LOST:
            return False
    return True


@kernel(allocates=False)
def root_proof(tree):
    """Return WON if an edge of the root is proved to win, LOST if all lose, else 0."""
    best, first = LOST, tree.first_edge[0]
    for edge in range(first, first + tree.edge_count[0]):
        best = max(best, np.int64(tree.proved[edge]))
    return best if tree.edge_count[0] > 0 else 0


@kernel(allocates=False)
def most_visited(tree):
    """Return the root's edge with the most visits, and the best value among equals.

    What is proved comes first: a win before all others, a loss after them.
    """
    best = tree.first_edge[0]
    for edge in range(best + 1, best + tree.edge_count[0]):
        better = tree.proved[edge] - tree.proved[best]
        if better == 0:
            better = tree.edge_visits[edge] - tree.edge_visits[best]
        if better > 0 or (better == 0 and tree.edge_value[edge] > tree.edge_value[best]):
            best = edge
    return best


@kernel(allocates=False)
def prove(tree, slot, value):
    """Note that the last edge of a path wins or loses, and what that proves of those before it."""
    for i in range(tree.depth[slot] - 1, -1, -1):
        tree.proved[tree.search_path[slot, i]] = value
        node = tree.child[tree.search_path[slot, i - 1]] if i > 0 else 0
        if value == LOST and not is_lost(tree, node):
            return
        value = -value


@kernel(allocates=False)
def backpropagate(tree, slot, value):
    """Add the value of the leaf's side to move along the path; remove the virtual losses."""
    for i in range(tree.depth[slot] - 1, -1, -1):
        value = -value
        tree.edge_value[tree.search_path[slot, i]] += np.float32(value) + VIRTUAL_LOSS
    tree.leaf[slot] = NO_LEAF


@kernel(allocates=False)
def undo_selection(tree, slot):
    """Undo a selection that ended at a leaf where another one already waits."""
    tree.visits[0] -= 1
    for i in range(tree.depth[slot]):
        edge = tree.search_path[slot, i]
        tree.edge_visits[edge] -= 1
        tree.edge_value[edge] += VIRTUAL_LOSS
        if tree.child[edge]:
            tree.visits[tree.child[edge]] -= 1
    tree.leaf[slot] = NO_LEAF


@kernel(allocates=False)
def expand(tree, slot):
    """Give a waiting leaf its priors, the softmax over its moves; backpropagate its value."""
    node = tree.leaf[slot]
    if node == NO_LEAF:
        return
    answers = tree.answers[slot]
    if node >= 0:
        first, count = tree.first_edge[node], -tree.edge_count[node]
        highest = np.float32(-1e30)
        for edge in range(first, first + count):
            highest = max(highest, answers[tree.action[edge]])
        total = 0.0
        for edge in range(first, first + count):
            # In double precision: CPU and GPU then round to the same prior.
            share = math.exp(np.float64(answers[tree.action[edge]] - highest))
            tree.prior[edge] = np.float32(share)
            total += share
        for edge in range(first, first + count):
            tree.prior[edge] /= np.float32(total)
        tree.edge_count[node] = count
        if node == 0:
            tree.root_answer[0] = answers[len(answers) - 1]
    backpropagate(tree, slot, np.float64(answers[len(answers) - 1]))


@kernel(allocates=False)
def explore_root(tree, params):
    """Draw what makes the root try other moves: Gumbel or Dirichlet noise."""
    tree.sizes[HAS_NOISE] = EXPLORED
    if params.gumbel_moves > 0:
        draw_gumbel(tree)
    elif params.noise_share > 0.0:
        add_noise(tree, params)


@kernel(allocates=False)
def explored_edge(tree, target, params):
    """Return the root's edge that exploration asks for; -1: none, PUCT decides."""
    if params.gumbel_moves > 0:
        return np.int64(gumbel_edge(tree, params.gumbel_moves, params.gumbel_scale, target))
    if params.forced_playouts > 0.0:
        return np.int64(forced_edge(tree, params.forced_playouts))
    return np.int64(-1)


@kernel(allocates=False)
def add_noise(tree, params):
    """Mix Dirichlet noise into the root's priors."""
    first, count = tree.first_edge[0], tree.edge_count[0]
    total = 0.0
    for i in range(count):
        tree.noise[i] = np.float32(random_gamma(tree.rng, params.noise_alpha))
        total += tree.noise[i]
    for i in range(count):
        share = np.float32(params.noise_share)
        tree.prior[first + i] *= np.float32(1.0) - share
        tree.prior[first + i] += share * tree.noise[i] / np.float32(total)


@functools.cache
def make_tree_search(features: Features) -> TreeSearch:
    """Make the search of one game."""
    if features.packing is None:
        raise HansuError(f"{features.game.name} has no pack(pos, out) in its features yet")
    rules: ModuleType = features.game.rules
    compiled = features.kernels
    legal_moves, play, ending, key = rules.legal_moves, rules.play, rules.ending, rules.key
    score_first, uses_path = rules.score_first, rules.USES_PATH
    pack, action_of, move_of = compiled.pack, compiled.action, compiled.move
    unpack, write = rules_on_words(rules).unpack, make_write(rules)
    variant, allocates = (rules, compiled), holds_arrays(rules)

    @kernel(variant=variant, allocates=allocates)
    def add_node(tree, pos, n):
        """Make a node with edges for the n moves in ``tree.moves``; NO_NODE without room."""
        node, edge = tree.sizes[NODES], tree.sizes[EDGES]
        if node == len(tree.visits) or edge + n > len(tree.move):
            return NO_NODE
        first = edge
        for i in range(n):
            action = action_of(pos, tree.moves[i])
            if move_of(pos, action) != tree.moves[i]:
                continue  # an under-promotion: the network has no output for it
            tree.move[edge] = tree.moves[i]
            tree.action[edge] = action
            tree.edge_visits[edge], tree.edge_value[edge] = 0, 0.0
            tree.child[edge], tree.proved[edge] = 0, 0
            edge += 1
        tree.first_edge[node], tree.edge_count[node], tree.visits[node] = first, first - edge, 1
        tree.sizes[NODES], tree.sizes[EDGES] = node + 1, edge
        return node

    @kernel(variant=variant, allocates=allocates)
    def select_once(tree, slot, target, params):
        """Select a path from the root; return True where it ends in a value that is known."""
        copy_words(tree.roots, tree.words)
        pos = unpack(tree.words)
        node, above, depth = np.int64(0), 0, 0
        tree.visits[0] += 1
        while tree.edge_count[node] > 0 and depth < params.max_depth:
            edge = np.int64(-1)
            if depth == 0 and tree.sizes[HAS_NOISE] == EXPLORED:
                edge = explored_edge(tree, target, params)
            if edge < 0:
                edge = np.int64(best_edge(tree, node, params.cpuct))
            tree.search_path[slot, depth] = edge
            depth += 1
            tree.edge_visits[edge] += 1
            tree.edge_value[edge] -= VIRTUAL_LOSS
            if tree.proved[edge] != 0:
                tree.depth[slot] = depth
                backpropagate(tree, slot, -np.float64(tree.proved[edge]))
                return True
            if uses_path:
                tree.path[np.int64(pos.ply)] = key(pos)
            pos = play(pos, np.int64(tree.move[edge]))
            above, node = node, tree.child[edge]
            if node == 0:
                break
            tree.visits[node] += 1
        tree.depth[slot] = depth
        if tree.edge_count[node] < 0:
            undo_selection(tree, slot)
            return False
        if node or (depth == 0 and tree.edge_count[0]):
            tree.leaf[slot] = NO_NODE  # at max_depth
            pack(pos, tree.leaves[slot])
            return False
        n = legal_moves(pos, tree.path, tree.moves)
        over = ending(pos, tree.path, n)
        if over:
            score = score_first(pos, over)
            value = -score if pos.second else score
            if params.proofs and value != 0 and depth > 0:
                prove(tree, slot, -value)
            backpropagate(tree, slot, np.float64(value))
            return True
        if depth == 0:
            tree.sizes[NODES] = 0  # the root's own place
        node = add_node(tree, pos, n)
        if node > 0:
            tree.parent[node] = above
            tree.child[tree.search_path[slot, depth - 1]] = node
        tree.leaf[slot] = node
        pack(pos, tree.leaves[slot])
        return False

    @kernel(variant=variant, allocates=allocates)
    def select(tree, slot, target, params):
        """Select until a leaf waits for evaluation or the root needs no more visits."""
        explores = params.noise_share > 0.0 or params.gumbel_moves > 0
        explores = explores or params.forced_playouts > 0.0
        if explores and tree.edge_count[0] > 0 and tree.sizes[HAS_NOISE] == NOT_YET:
            explore_root(tree, params)
        for _ in range(params.selections):
            if tree.visits[0] >= target or (params.until_proved and root_proof(tree) != 0):
                break
            if not select_once(tree, slot, target, params):
                break
        return tree.leaf[slot] != NO_LEAF

    @kernel(variant=variant, allocates=allocates)
    def follow(tree, edge):
        """Play an edge of the root; the subtree below it stays."""
        copy_words(tree.roots, tree.words)
        pos = unpack(tree.words)
        if uses_path:
            tree.path[np.int64(pos.ply)] = key(pos)
        write(play(pos, np.int64(tree.move[edge])), tree.roots)
        advance_root(tree, edge)

    return TreeSearch(expand, select, follow)


@functools.cache
def make_step(features: Features, parallel: bool) -> Any:
    """Make ``step(trees, targets, params) -> leaves that wait``; targets are visits per game.

    With ``parallel`` it uses all cores; only one thread of a process may call it at a time.
    """
    search = make_tree_search(features)
    expand_leaf, select = search.expand, search.select

    @kernel(variant=(features.game.rules, features.kernels), parallel=parallel)
    def step(trees, targets, params):
        waiting = 0
        for i in prange(len(targets)):
            game = np.int64(i)  # with one thread and with many: what it calls is compiled once
            tree = tree_of(trees, game)
            for slot in range(len(tree.leaf)):
                expand_leaf(tree, slot)
            for slot in range(params.slots):
                waiting += int(select(tree, slot, targets[game], params))
        return waiting

    return step


@functools.cache
def make_follow(features: Features) -> Any:
    """Make ``follow(trees, game, edge)``, which moves a game's root along an edge."""
    follow_edge = make_tree_search(features).follow

    @kernel(variant=(features.game.rules, features.kernels))
    def follow(trees, game, edge):
        follow_edge(tree_of(trees, game), edge)

    return follow


@kernel
def start_game(trees: Any, game: int, words: Any) -> None:
    """Start a new tree from a position."""
    tree = tree_of(trees, game)
    copy_words(words, tree.roots)
    clear(tree)
