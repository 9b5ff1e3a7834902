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
from hansu.kernel import kernel, random_below, random_unit
from hansu.search.puct import PuctParams, make_tree_search, most_visited, root_proof
from hansu.search.puct_trees import (
    EDGES,
    HAS_NOISE,
    NO_LEAF,
    NODES,
    PuctTrees,
    allocate_trees,
    clear,
    tree_of,
)

RUNNING = 2  # the result of a running game
MOST_VISITS = 65535
MOVES_A_STEP = 4  # bounds a step where a small tree is full of finished games
FIRST_SLOT = np.int64(0)  # a number in the code would be a type of its own, compiled apart


class Trajectories(NamedTuple):
    """The games so far: [games] or [games, turns]."""

    seen: NDArray[np.uint64]  # [games, turns, packed words] the observations
    legal: NDArray[np.uint64]  # [games, turns, words] the actions that were legal, a bit each
    visits: NDArray[np.uint16]  # [games, turns, actions] of the root
    value: NDArray[np.float32]  # [games, turns] what the search found, for the side to move
    action: NDArray[np.int16]  # [games, turns] what was played
    turns: NDArray[np.int32]
    result: NDArray[np.int8]  # +1, 0, -1 for the first player, or RUNNING
    would_resign: NDArray[np.int8]  # the first to fall below resign_below: +1, -1, 0
    resign_disabled: NDArray[np.int8]  # 1: played on, to measure false resignations
    random_plies: NDArray[np.int32]  # of the random opening, which gives no samples
    full: NDArray[np.int8]  # [games, turns] 0: a quick search, which gives no sample


OF_TURNS = ("seen", "legal", "visits", "value")
OF_GAMES = ("turns", "result", "would_resign", "resign_disabled", "random_plies", "full")
# Of the trees: what a search needs to continue.
OF_NODES = ("first_edge", "edge_count", "visits", "parent")
OF_EDGES = ("move", "action", "prior", "edge_visits", "edge_value", "child", "proved")
OF_SLOTS = ("leaf", "depth", "search_path", "leaves", "answers")


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
        self.trajectories = _empty_trajectories(features, games, game.max_turns)
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
        longest = trajectories.turns.max()
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
                getattr(trajectories, name)[:] = found[name]
            trees.roots[:], trees.rng[:] = found["roots"], found["rng"]
            for whole, part in (
                (trees.path, found["path"]),
                (trajectories.action, found["actions"]),
            ):
                whole[:, : part.shape[1]] = part
            self.drop_trees()
            if "sizes" in found and (found["room"] == trees.visits.shape).all():
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
        return (random_plies[:, None] <= turn) & (turn < turns[:, None]) & (full != 0)


def _empty_trajectories(features: Features, games: int, turns: int) -> Trajectories:
    assert features.packing is not None
    return Trajectories(
        seen=np.zeros((games, turns, features.packing.words), np.uint64),
        legal=np.zeros((games, turns, (features.actions + 63) // 64), np.uint64),
        visits=np.zeros((games, turns, features.actions), np.uint16),
        value=np.zeros((games, turns), np.float32),
        action=np.zeros((games, turns), np.int16),
        turns=np.zeros(games, np.int32),
        result=np.zeros(games, np.int8),
        would_resign=np.zeros(games, np.int8),
        resign_disabled=np.zeros(games, np.int8),
        random_plies=np.zeros(games, np.int32),
        full=np.zeros((games, turns), np.int8),
    )


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
def useful_visits(tree, edge, proof):
    """Return an edge's visits, or 0 where another is proved to be better."""
    return tree.edge_visits[edge] if tree.proved[edge] == proof else 0


@kernel(allocates=False)
def sample_edge(tree):
    """Sample an edge of the root in proportion to its visits (temperature 1)."""
    first, count, proof = tree.first_edge[0], tree.edge_count[0], root_proof(tree)
    total = 0
    for edge in range(first, first + count):
        total += useful_visits(tree, edge, proof)
    if total == 0:
        return most_visited(tree)
    left = random_below(tree.rng, total)
    for edge in range(first, first + count):
        left -= useful_visits(tree, edge, proof)
        if left < 0:
            return edge
    return first


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
def make_step_game(features: Features) -> Any:
    """Make ``step_game(tree, trajectories, game, options, params) -> leaves that wait``."""
    rules, compiled = features.game.rules, features.kernels
    legal_moves, ending, score_first = rules.legal_moves, rules.ending, rules.score_first
    unpack, pack = rules_on_words(rules).unpack, compiled.pack
    search = make_tree_search(features)
    expand, select, follow = search.expand, search.select, search.follow
    variant = (rules, compiled)

    @kernel(variant=variant)
    def write_turn(tree, trajectories, game, turn):
        copy_words(tree.roots, tree.words)
        pack(unpack(tree.words), trajectories.seen[game, turn])
        trajectories.visits[game, turn] = 0
        trajectories.legal[game, turn] = 0
        trajectories.value[game, turn] = root_value(tree)
        first, proof, best = tree.first_edge[0], root_proof(tree), most_visited(tree)
        for edge in range(first, first + tree.edge_count[0]):
            action = np.uint64(tree.action[edge])
            visits = max(useful_visits(tree, edge, proof), np.int32(edge == best))
            trajectories.visits[game, turn, action] = min(visits, MOST_VISITS)
            trajectories.legal[game, turn, action >> np.uint64(6)] |= np.uint64(1) << (
                action & np.uint64(63)
            )

    @kernel(variant=variant)
    def play_edge(tree, trajectories, game, edge, options):
        """Play a move of the root; write the result if that ends the game."""
        turn = trajectories.turns[game]
        trajectories.action[game, turn] = tree.action[edge]
        trajectories.turns[game] = turn + 1
        follow(tree, edge)
        copy_words(tree.roots, tree.words)
        pos = unpack(tree.words)
        over = ending(pos, tree.path, legal_moves(pos, tree.path, tree.moves))
        if over:
            trajectories.result[game] = score_first(pos, over)
        else:
            plan_search(tree, trajectories, game, options)

    @kernel(variant=variant)
    def move_on(tree, trajectories, game, options):
        """Play the move that the search found, or resign."""
        turn = trajectories.turns[game]
        write_turn(tree, trajectories, game, turn)
        side = -1 if tree.roots[SECOND] else 1
        best = most_visited(tree)
        value = tree.edge_value[best] / max(1, tree.edge_visits[best])
        edge = sample_edge(tree) if turn < options.temperature_turns else best
        if value < options.resign_below and trajectories.would_resign[game] == 0:
            trajectories.would_resign[game] = side
            if not trajectories.resign_disabled[game]:
                trajectories.action[game, turn] = tree.action[edge]
                trajectories.turns[game] = turn + 1
                trajectories.result[game] = -side
                return
        play_edge(tree, trajectories, game, edge, options)

    @kernel(variant=variant)
    def step_game(tree, trajectories, game, options, params):
        for slot in range(len(tree.leaf)):
            expand(tree, slot)
        for _ in range(options.moves_a_step):  # no leaf waits here: the root may move
            if tree.visits[0] > 0 and trajectories.turns[game] < trajectories.random_plies[game]:
                edge = tree.first_edge[0] + random_below(tree.rng, tree.edge_count[0])
                play_edge(tree, trajectories, game, edge, options)
            elif is_searched(tree, target_of(trajectories, game, options)):
                move_on(tree, trajectories, game, options)
            if trajectories.result[game] != RUNNING:
                return 0
            target = target_of(trajectories, game, options)
            if target < options.simulations:
                tree.sizes[HAS_NOISE] = 1  # as if: a quick search does without
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
