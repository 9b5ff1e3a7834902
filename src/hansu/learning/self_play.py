"""Self-play: games of a network against itself, thousands at a time, in compiled code.

A step is a step of the search (``search/puct.py``). A game whose root has all its visits plays a
move within the step, so that every place in the network's batch is used.
"""

import functools
import io
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba import prange
from numpy.typing import NDArray

from hansu.games.features import Features
from hansu.games.rules_on_words import SECOND, copy_words, rules_on_words
from hansu.kernel import kernel, random_below, random_unit, scratch
from hansu.learning.root_targets import chosen_edge, root_value, write_policy
from hansu.learning.trajectories import (
    OF_GAMES,
    OF_TURNS,
    RUNNING,
    empty_trajectories,
)
from hansu.search.puct import PuctParams, make_tree_search, most_visited, root_proof
from hansu.search.puct_trees import (
    EDGES,
    HAS_NOISE,
    NO_LEAF,
    NODES,
    WITHOUT,
    PuctTrees,
    allocate_trees,
    clear,
    tree_of,
)

MOVES_A_STEP = 4  # bounds a step where a small tree is full of finished games
FIRST_SLOT = np.int64(0)  # a number in the code would be a type of its own, compiled apart

# Of the trees: what a search needs to continue.
OF_NODES = ("first_edge", "edge_count", "visits", "parent")
OF_EDGES = ("move", "action", "prior", "edge_visits", "edge_value", "child", "proved")
OF_SLOTS = ("leaf", "depth", "search_path", "leaves", "answers", "noise", "root_answer")


class SelfPlayOptions(NamedTuple):
    """How the games are played."""

    simulations: int  # visits of the root, including those kept from the last move
    temperature_turns: int  # temperature τ = 1 for so many moves, then 0
    resign_below: float  # value in [-1, 1] of the best move; below -1: never
    resign_disabled_share: float  # of the games, to measure false resignations
    random_opening_plies: int = 0  # half of the games begin with 1 to so many random moves
    full_share: float = 1.0  # of the moves; the others get a quick search without noise
    quick_simulations: int = 16
    moves_a_step: int = MOVES_A_STEP  # at most, where a small tree is full of finished games
    reuse: bool = True  # keep the subtree of the move that is played; never with Gumbel noise
    auxiliary: bool = False  # note who owns the cells at the end, and how many moves are left


class SelfPlay:
    """A group of games. Evaluate ``trees.leaves`` into ``trees.answers`` between two steps."""

    def __init__(
        self,
        features: Features,
        games: int,
        options: SelfPlayOptions,
        params: PuctParams,
        seed: int,
        parallel: bool = True,
    ) -> None:
        game = features.game
        self.features, self.options = features, options
        self.params = params._replace(until_proved=True)
        self.start = game.start().words
        self.trees: PuctTrees = allocate_trees(
            *(game, games, options.simulations + 2, params.slots, params.max_depth),
            *(game.max_turns, seed),
        )
        self.trajectories = empty_trajectories(features, games, game.max_turns)
        self._step = make_self_play_step(features, parallel)
        self.restart()

    def use_buffers(self, leaves: NDArray[np.uint64], answers: NDArray[np.float32]) -> None:
        """Exchange positions and answers through these arrays, such as pinned memory."""
        self.trees = self.trees._replace(leaves=leaves, answers=answers)

    def step(self) -> int:
        """Use the answers, play moves, select new leaves; return how many wait."""
        return int(self._step(self.trees, self.trajectories, self.options, self.params))

    def finished(self) -> list[int]:
        """Return the finished games: read them in ``trajectories``, then call ``restart``."""
        return np.flatnonzero(self.trajectories.result != RUNNING).tolist()

    def restart(self) -> None:
        """Begin a new game in place of every finished one."""
        restart(self.trees, self.trajectories, self.start, self.options)

    def drop_trees(self) -> None:
        """Drop all trees; the games continue from their positions."""
        drop_trees(self.trees)

    def saved(self, with_trees: bool = False, compressed: bool = True) -> bytes:
        """Return the games in progress, for ``restore``.

        With their trees they are a hundred times as large, and resume exactly.
        """
        trees, trajectories = self.trees, self.trajectories
        grown: dict[str, Any] = {}
        if with_trees:
            grown = {"sizes": trees.sizes, "room": trees.visits.shape}
            grown |= {f"tree_{name}": getattr(trees, name)[at] for name, at in self._used()}
        kept = self._kept(trajectories.turns, trajectories.random_plies, trajectories.full)
        longest = np.max(trajectories.turns)
        played = np.arange(longest) < trajectories.turns[:, None]  # the rest is of older games
        path = trees.path[:, :longest]
        file = io.BytesIO()
        save = np.savez_compressed if compressed else np.savez
        save(
            file,
            roots=trees.roots,
            rng=trees.rng,
            path=np.where(played[:, : path.shape[1]], path, np.uint64(0)),
            actions=np.where(played, trajectories.action[:, :longest], 0),
            **{name: getattr(trajectories, name)[kept] for name in OF_TURNS},
            **{name: getattr(trajectories, name) for name in OF_GAMES},
            **grown,
        )
        return file.getvalue()

    def restore(self, saved: bytes) -> None:
        """Continue what ``saved`` returned, unless the number of games or the version differs.

        Saved trees are used if they have the same size here.
        """
        trees, trajectories = self.trees, self.trajectories
        with np.load(io.BytesIO(saved), allow_pickle=False) as found:
            of_now = "full" in found and found["roots"].shape == trees.roots.shape
            if len(found["turns"]) != len(trajectories.turns) or not of_now:
                return
            kept = self._kept(found["turns"], found["random_plies"], found["full"])
            for name in OF_TURNS:
                getattr(trajectories, name)[kept] = found[name]
            for name in OF_GAMES:
                if name in found:  # not yet in an older version
                    getattr(trajectories, name)[:] = found[name]
            trees.roots[:], trees.rng[:] = found["roots"], found["rng"]
            for whole, part in (
                (trees.path, found["path"]),
                (trajectories.action, found["actions"]),
            ):
                whole[:, : part.shape[1]] = part
            self.drop_trees()
            has_trees = "tree_noise" in found  # not yet all of them in an older version
            if has_trees and (found["room"] == trees.visits.shape).all():
                trees.sizes[:] = found["sizes"]
                for name, at in self._used():
                    getattr(trees, name)[at] = found[f"tree_{name}"]

    def _used(self) -> Iterator[tuple[str, Any]]:
        """Yield the arrays that a search needs to continue, and where they are in use."""
        trees = self.trees
        for size, names in ((NODES, OF_NODES), (EDGES, OF_EDGES)):
            room = getattr(trees, names[0]).shape[1]
            mask = np.arange(room) < trees.sizes[:, size, None]
            yield from ((name, mask) for name in names)
        yield from ((name, ...) for name in OF_SLOTS)

    def _kept(
        self,
        turns: NDArray[np.int32],
        random_plies: NDArray[np.int32],
        full: NDArray[np.int8],
    ) -> NDArray[np.bool_]:
        """Return [games, turns]: whether the turn was played and gives a sample."""
        turn = np.arange(self.trajectories.action.shape[1])
        is_played = (random_plies[:, None] <= turn) & (turn < turns[:, None])
        kept: NDArray[np.bool_] = is_played & (full != 0)
        return kept


@kernel
def restart(trees, trajectories, start, options):
    """Begin a new game in place of every finished one."""
    for game in range(len(trajectories.turns)):
        if trajectories.result[game] != RUNNING:
            begin_game(tree_of(trees, game), trajectories, game, start, options)


@kernel(allocates=False)
def begin_game(tree, trajectories, game, start, options):
    """Begin a new game."""
    copy_words(start, tree.roots)
    clear(tree)
    trajectories.turns[game], trajectories.result[game] = 0, RUNNING
    trajectories.would_resign[game] = 0
    for i in range(trajectories.owners.shape[1]):
        trajectories.owners[game, i] = 0
    trajectories.resign_disabled[game] = int(random_unit(tree.rng) < options.resign_disabled_share)
    drawn = random_below(tree.rng, 2 * options.random_opening_plies + 1)
    trajectories.random_plies[game] = max(0, drawn - options.random_opening_plies)
    plan_search(tree, trajectories, game, options)


@kernel(allocates=False)
def plan_search(tree, trajectories, game, options):
    """Decide whether the next move gets a full search (playout-cap randomisation, Wu 2019)."""
    is_full = options.full_share >= 1.0 or random_unit(tree.rng) < options.full_share
    trajectories.full[game, trajectories.turns[game]] = int(is_full)


@kernel
def drop_trees(trees):
    """Drop all trees but their roots."""
    for game in range(len(trees.roots)):
        clear(tree_of(trees, game))


@kernel(allocates=False)
def target_of(trajectories, game, options):
    """Return how many visits the root shall have."""
    if trajectories.full[game, trajectories.turns[game]]:
        return options.simulations
    return options.quick_simulations


@kernel(allocates=False)
def is_searched(tree, target):
    """Return whether the root has its visits, or needs no more: a move is proved to be best."""
    return tree.visits[0] >= target or root_proof(tree) != 0


@functools.cache
def make_write_owners(features: Features) -> Any:
    """Make ``write_owners(pos, out)``: the cells of the first player, then those of the second."""
    if not features.has_owners:

        @kernel
        def write_nothing(pos, out):
            pass

        return write_nothing
    owners, cells, size = features.kernels.owners, features.cells, features.set_words

    @kernel(variant=(features.kernels, cells))
    def write_owners(pos, out):
        owner = scratch(cells, np.int8)
        owners(pos, owner)
        for cell in range(cells):
            at, bit = cell // 64, np.uint64(1) << np.uint64(cell % 64)
            if owner[cell] > 0:
                out[at] |= bit
            elif owner[cell] < 0:
                out[size + at] |= bit

    return write_owners


@functools.cache
def make_step_game(features: Features) -> Any:
    """Make ``step_game(tree, trajectories, game, options, params) -> leaves that wait``."""
    rules, compiled = features.game.rules, features.kernels
    legal_moves, ending, score_first = rules.legal_moves, rules.ending, rules.score_first
    write_owners = make_write_owners(features)
    unpack, pack = rules_on_words(rules).unpack, compiled.pack
    search = make_tree_search(features)
    expand, select, follow = search.expand, search.select, search.follow
    variant = (rules, compiled)

    @kernel(variant=variant)
    def write_turn(tree, trajectories, game, turn, params):
        copy_words(tree.roots, tree.words)
        pack(unpack(tree.words), trajectories.seen[game, turn])
        trajectories.visits[game, turn] = 0
        trajectories.legal[game, turn] = 0
        trajectories.value[game, turn] = root_value(tree)
        write_policy(tree, params, trajectories.visits[game, turn])
        first = tree.first_edge[0]
        for edge in range(first, first + tree.edge_count[0]):
            action = np.uint64(tree.action[edge])
            trajectories.legal[game, turn, action >> np.uint64(6)] |= np.uint64(1) << (
                action & np.uint64(63)
            )

    @kernel(variant=variant)
    def play_edge(tree, trajectories, game, edge, options, params):
        """Play a move of the root; write the result if that ends the game."""
        turn = trajectories.turns[game]
        trajectories.action[game, turn] = tree.action[edge]
        trajectories.turns[game] = turn + 1
        if not options.reuse or params.gumbel_moves > 0:
            tree.child[edge] = 0
        follow(tree, edge)
        copy_words(tree.roots, tree.words)
        pos = unpack(tree.words)
        over = ending(pos, tree.path, legal_moves(pos, tree.path, tree.moves))
        if over:
            trajectories.result[game] = score_first(pos, over)
            if options.auxiliary:
                write_owners(pos, trajectories.owners[game])
        else:
            plan_search(tree, trajectories, game, options)

    @kernel(variant=variant)
    def move_on(tree, trajectories, game, options, params):
        """Play the move that the search found, or resign."""
        turn = trajectories.turns[game]
        write_turn(tree, trajectories, game, turn, params)
        side = -1 if tree.roots[SECOND] else 1
        best = most_visited(tree)
        value = tree.edge_value[best] / max(1, tree.edge_visits[best])
        edge = chosen_edge(tree, turn < options.temperature_turns, params)
        if value < options.resign_below and trajectories.would_resign[game] == 0:
            trajectories.would_resign[game] = side
            if not trajectories.resign_disabled[game]:
                trajectories.action[game, turn] = tree.action[edge]
                trajectories.turns[game] = turn + 1
                trajectories.result[game] = -side
                return
        play_edge(tree, trajectories, game, edge, options, params)

    @kernel(variant=variant)
    def step_game(tree, trajectories, game, options, params):
        for slot in range(len(tree.leaf)):
            expand(tree, slot)
        for _ in range(options.moves_a_step):  # no leaf waits here: the root may move
            if tree.visits[0] > 0 and trajectories.turns[game] < trajectories.random_plies[game]:
                edge = tree.first_edge[0] + random_below(tree.rng, tree.edge_count[0])
                play_edge(tree, trajectories, game, edge, options, params)
            elif is_searched(tree, target_of(trajectories, game, options)):
                move_on(tree, trajectories, game, options, params)
            if trajectories.result[game] != RUNNING:
                return 0
            target = target_of(trajectories, game, options)
            if target < options.simulations:
                tree.sizes[HAS_NOISE] = WITHOUT
            if select(tree, FIRST_SLOT, target, params):
                break
        waiting, target = int(tree.leaf[0] != NO_LEAF), target_of(trajectories, game, options)
        for slot in range(1, params.slots):
            waiting += int(select(tree, slot, target, params))
        return waiting

    return step_game


@functools.cache
def make_self_play_step(features: Features, parallel: bool) -> Any:
    """Make ``step(trees, trajectories, options, params) -> leaves that wait``."""
    step_game = make_step_game(features)

    @kernel(variant=(features.game.rules, features.kernels), parallel=parallel)
    def step(trees, trajectories, options, params):
        waiting = 0
        for i in prange(len(trajectories.turns)):
            game = np.int64(i)  # with one thread and with many: what it calls is compiled once
            if trajectories.result[game] == RUNNING:
                waiting += step_game(tree_of(trees, game), trajectories, game, options, params)
        return waiting

    return step
