"""Games that a network plays against itself, thousands at a time, in compiled code.

A step is a step of the search (``search/puct.py``) in which a game whose root has had its visits
moves on at once, so that every place in the network's batch is used.
"""

import functools
import io
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba import prange
from numpy.typing import NDArray

from hansu.games.bridge import bridge
from hansu.games.features import Features
from hansu.kernel import kernel, random_below, random_unit
from hansu.search.forest import EDGES, NODES, Forest, clear, plant, tree_of
from hansu.search.puct import Limits, copy_words, make_walker, most_visited

RUNNING = 2  # as a result: none yet
MOST_VISITS = 65535
MOVES_A_STEP = 4  # finished games can fill a small tree many times over; the others must not wait


class Course(NamedTuple):
    """What happened in the games so far: [games] or [games, turns]."""

    seen: NDArray[np.uint64]  # [games, turns, packed words] the positions
    legal: NDArray[np.uint64]  # [games, turns, words] the actions that were legal, a bit each
    visits: NDArray[np.uint16]  # [games, turns, actions] how often the search tried each
    action: NDArray[np.int16]  # [games, turns] what was played
    turns: NDArray[np.int32]
    result: NDArray[np.int8]  # +1, 0, -1 for the player who began, or RUNNING
    gives_up: NDArray[np.int8]  # who was the first to see no hope: +1 who began, -1, 0 nobody
    plays_on: NDArray[np.int8]  # 1: does not resign, to see whether that would have been a mistake
    loose: NDArray[np.int32]  # so many first moves are made at random, and nothing is learnt there


OF_TURNS = ("seen", "legal", "visits")  # where something is learnt
OF_GAMES = ("turns", "result", "gives_up", "plays_on", "loose")
# Of the forest: what a search needs to go on.
OF_NODES = ("first_edge", "edge_count", "visits", "parent")
OF_EDGES = ("move", "action", "prior", "edge_visits", "edge_value", "child")
OF_SLOTS = ("leaf", "depth", "way", "leaves", "answers")


class Manner(NamedTuple):
    """How the games are played."""

    simulations: int  # visits of the root, those kept from the last move included
    sampled_turns: int  # τ: that many moves are drawn from the visits, then the most visited
    resign_below: float  # value in [-1, 1] of the best move; below -1 nobody resigns
    play_on_share: float  # of the games, to measure how often resigning is wrong
    loose_turns: int = 0  # half of the games begin with 1 to so many moves made at random


class SelfPlay:
    """A group of games at the same time. Ask ``leaves``, put the answers in ``answers``."""

    def __init__(
        self,
        features: Features,
        games: int,
        manner: Manner,
        limits: Limits,
        seed: int,
        parallel: bool = True,
    ) -> None:
        game = features.game
        self.features, self.manner, self.limits = features, manner, limits
        self.start = game.start().words
        self.forest: Forest = plant(
            *(game, games, manner.simulations + 2, limits.slots, limits.max_depth),
            *(game.max_turns, seed),
        )
        self.course = _empty_course(features, games, game.max_turns)
        self._step = make_self_play_step(features, parallel)
        self.restart()

    def use_buffers(self, leaves: NDArray[np.uint64], answers: NDArray[np.float32]) -> None:
        """Exchange positions and answers through these arrays, such as pinned memory."""
        self.forest = self.forest._replace(leaves=leaves, answers=answers)

    def step(self) -> int:
        """Use the answers, move where it is time to, find new leaves: how many wait."""
        return int(self._step(self.forest, self.course, self.manner, self.limits))

    def harvest(self) -> list[int]:
        """The games that are over: read them in ``course``, then call ``restart``."""
        return np.flatnonzero(self.course.result != RUNNING).tolist()

    def restart(self) -> None:
        """Begin new games where one is over."""
        restart(self.forest, self.course, self.start, self.manner)

    def forget_trees(self) -> None:
        """Search all games anew from where they are."""
        forget_trees(self.forest)

    def saved(self, trees: bool = False) -> bytes:
        """Return the games in progress, for ``restore``.

        With their trees they are a hundred times as large, and go on as if nothing had happened.
        """
        forest, course = self.forest, self.course
        grown: dict[str, Any] = {}
        if trees:
            grown = {"sizes": forest.sizes, "room": forest.visits.shape}
            grown |= {f"tree_{name}": getattr(forest, name)[at] for name, at in self._used()}
        kept, longest = self._kept(course.turns, course.loose), course.turns.max()
        played = np.arange(longest) < course.turns[:, None]  # the rest: other games, trees
        path = forest.path[:, :longest]
        file = io.BytesIO()
        np.savez_compressed(
            file,
            roots=forest.roots,
            rng=forest.rng,
            path=np.where(played[:, : path.shape[1]], path, np.uint64(0)),
            actions=np.where(played, course.action[:, :longest], 0),
            **{name: getattr(course, name)[kept] for name in OF_TURNS},
            **{name: getattr(course, name) for name in OF_GAMES},
            **grown,
        )
        return file.getvalue()

    def restore(self, saved: bytes) -> None:
        """Go on with what ``saved`` returned, unless it is of another size here, or older.

        Trees that were saved are used if they have the same room here; else games are searched
        anew from where they are.
        """
        forest, course = self.forest, self.course
        with np.load(io.BytesIO(saved), allow_pickle=False) as found:
            if len(found["turns"]) != len(course.turns) or "actions" not in found:
                return
            kept = self._kept(found["turns"], found["loose"])
            for name in OF_TURNS:
                getattr(course, name)[kept] = found[name]
            for name in OF_GAMES:
                getattr(course, name)[:] = found[name]
            forest.roots[:], forest.rng[:] = found["roots"], found["rng"]
            for whole, part in ((forest.path, found["path"]), (course.action, found["actions"])):
                whole[:, : part.shape[1]] = part
            self.forget_trees()
            if "sizes" in found and (found["room"] == forest.visits.shape).all():
                forest.sizes[:] = found["sizes"]
                for name, at in self._used():
                    getattr(forest, name)[at] = found[f"tree_{name}"]

    def _used(self) -> Iterator[tuple[str, Any]]:
        """What a search needs to go on: the arrays of the forest, and where they are in use."""
        forest = self.forest
        for size, names in ((NODES, OF_NODES), (EDGES, OF_EDGES)):
            room = getattr(forest, names[0]).shape[1]
            mask = np.arange(room) < forest.sizes[:, size, None]
            yield from ((name, mask) for name in names)
        yield from ((name, ...) for name in OF_SLOTS)

    def _kept(self, turns: NDArray[np.int32], loose: NDArray[np.int32]) -> NDArray[np.bool_]:
        """[games, turns] whether that turn of that game was played and is learnt from."""
        turn = np.arange(self.course.action.shape[1])
        return (loose[:, None] <= turn) & (turn < turns[:, None])


def _empty_course(features: Features, games: int, turns: int) -> Course:
    assert features.packing is not None
    return Course(
        seen=np.zeros((games, turns, features.packing.words), np.uint64),
        legal=np.zeros((games, turns, (features.actions + 63) // 64), np.uint64),
        visits=np.zeros((games, turns, features.actions), np.uint16),
        action=np.zeros((games, turns), np.int16),
        turns=np.zeros(games, np.int32),
        result=np.zeros(games, np.int8),
        gives_up=np.zeros(games, np.int8),
        plays_on=np.zeros(games, np.int8),
        loose=np.zeros(games, np.int32),
    )


@kernel
def restart(forest, course, start, manner):
    """Begin a new game wherever one is over."""
    for game in range(len(course.turns)):
        if course.result[game] != RUNNING:
            tree = tree_of(forest, game)
            copy_words(start, tree.roots)
            clear(tree)
            course.turns[game], course.result[game], course.gives_up[game] = 0, RUNNING, 0
            course.plays_on[game] = int(random_unit(tree.rng) < manner.play_on_share)
            drawn = random_below(tree.rng, 2 * manner.loose_turns + 1)
            course.loose[game] = max(0, drawn - manner.loose_turns)


@kernel
def forget_trees(forest):
    """Leave only the roots."""
    for game in range(len(forest.roots)):
        clear(tree_of(forest, game))


@kernel(allocates=False)
def drawn_edge(tree):
    """One of the root's edges, drawn in proportion to its visits."""
    first, count = tree.first_edge[0], tree.edge_count[0]
    total = 0
    for edge in range(first, first + count):
        total += tree.edge_visits[edge]
    left = random_below(tree.rng, total)
    for edge in range(first, first + count):
        left -= tree.edge_visits[edge]
        if left < 0:
            return edge
    return first


@functools.cache
def make_self_play_step(features: Features, parallel: bool) -> Any:
    """``step(forest, course, manner, limits) -> leaves that wait for the network``."""
    rules, compiled = features.game.compiled, features.compiled
    legal_moves, ending, score_first = rules.legal_moves, rules.ending, rules.score_first
    unpack, pack = bridge(rules).unpack, compiled.pack
    walker = make_walker(features)
    answer, walk, follow = walker.back_up, walker.walk, walker.follow
    variant = (rules, compiled)

    @kernel(variant=variant)
    def write_turn(tree, course, game, turn):
        copy_words(tree.roots, tree.words)
        pack(unpack(tree.words), course.seen[game, turn])
        course.visits[game, turn] = 0
        course.legal[game, turn] = 0
        first = tree.first_edge[0]
        for edge in range(first, first + tree.edge_count[0]):
            action = np.uint64(tree.action[edge])
            course.visits[game, turn, action] = min(tree.edge_visits[edge], MOST_VISITS)
            course.legal[game, turn, action >> np.uint64(6)] |= np.uint64(1) << (
                action & np.uint64(63)
            )

    @kernel(variant=variant)
    def play_edge(tree, course, game, edge):
        """Play a move of the root; note the result when that ends the game."""
        turn = course.turns[game]
        course.action[game, turn] = tree.action[edge]
        course.turns[game] = turn + 1
        follow(tree, edge)
        copy_words(tree.roots, tree.words)
        pos = unpack(tree.words)
        over = ending(pos, tree.path, legal_moves(pos, tree.path, tree.moves))
        if over:
            course.result[game] = score_first(pos, over)

    @kernel(variant=variant)
    def move_on(tree, course, game, manner):
        """Play the move that the search found, or resign."""
        turn = course.turns[game]
        write_turn(tree, course, game, turn)
        side = -1 if unpack(tree.roots).second else 1
        best = most_visited(tree)
        value = tree.edge_value[best] / max(1, tree.edge_visits[best])
        edge = drawn_edge(tree) if turn < manner.sampled_turns else best
        if value < manner.resign_below and course.gives_up[game] == 0:
            course.gives_up[game] = side
            if not course.plays_on[game]:
                course.action[game, turn] = tree.action[edge]
                course.turns[game] = turn + 1
                course.result[game] = -side
                return
        play_edge(tree, course, game, edge)

    @kernel(variant=variant)
    def step_game(tree, course, game, manner, limits):
        for slot in range(len(tree.leaf)):
            answer(tree, slot)
        for _ in range(MOVES_A_STEP):  # nothing is in flight here: the root may move
            if tree.visits[0] > 0 and course.turns[game] < course.loose[game]:
                edge = tree.first_edge[0] + random_below(tree.rng, tree.edge_count[0])
                play_edge(tree, course, game, edge)
            elif tree.visits[0] >= manner.simulations:
                move_on(tree, course, game, manner)
            if course.result[game] != RUNNING:
                return 0
            if walk(tree, 0, manner.simulations, limits):
                break
        waiting = int(tree.leaf[0] != -1)
        for slot in range(1, limits.slots):
            waiting += int(walk(tree, slot, manner.simulations, limits))
        return waiting

    @kernel(variant=variant, parallel=parallel)
    def step(forest, course, manner, limits):
        waiting = 0
        for game in prange(len(course.turns)):
            if course.result[game] == RUNNING:
                waiting += step_game(tree_of(forest, game), course, game, manner, limits)
        return waiting

    return step
