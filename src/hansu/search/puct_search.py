"""PUCT with one tree, for playing and analysis."""

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.games.state import State
from hansu.search.evaluation_cache import Evaluate, EvaluationCache
from hansu.search.info import SHOWN, Line, SearchInfo
from hansu.search.parallel_evaluation import ParallelEvaluation
from hansu.search.puct import PuctParams, make_follow, make_step, start_game
from hansu.search.puct_trees import EDGES, NO_LEAF, NODES, allocate_trees

MOST_NODES = 1 << 17
MOST_VISITS = 1 << 30
PLIES = 12  # of a principal variation
SLOTS = 8  # leaves that a thread evaluates together
SECONDS_BETWEEN_CALLBACKS = 0.1
VISITS_PER_SLOT = 32  # a small tree is searched one leaf after the other
ALIKE = 1024  # visits: until then a tree is the same with any number of threads


@dataclass(frozen=True)
class PuctSettings:
    """How to search."""

    cpuct: float = 1.0
    max_depth: int = 32  # plies from the root
    slots: int = SLOTS
    threads: int = 1  # that evaluate
    noise_share: float = 0.0
    noise_alpha: float = 1.0
    proofs: bool = True  # keep what finished games prove
    mirror: bool = True  # the board is turned for the side to move: see ``Game.make_features``


class PuctSearch:
    """A search from one state that can be continued, also after moves have been played.

    >>> import hansu
    >>> state = hansu.game("tictactoe").parse("XX. OO. ...")
    >>> uniform = lambda leaves: np.zeros((len(leaves), 10), np.float32)
    >>> search = PuctSearch(state, uniform)
    >>> search.run(200)
    >>> search.info().lines[0].text
    'c1'
    """

    def __init__(
        self,
        state: State,
        evaluate: Evaluate,
        settings: PuctSettings = PuctSettings(),
        seed: int = 0,
        nodes: int = MOST_NODES,
    ) -> None:
        self.state, self.settings, self.evaluate = state, settings, evaluate
        in_threads = ParallelEvaluation(evaluate, settings.threads)
        self._answers = EvaluationCache(in_threads)  # for one thread: observers call ``evaluate``
        self._slots = settings.slots * settings.threads
        self.seconds = 0.0
        self._features = state.game.make_features(settings.mirror)
        turns = max(state.game.max_turns, len(state.move_stack))
        self.trees = allocate_trees(
            state.game, 1, nodes, self._slots, settings.max_depth, turns, seed
        )
        self._step = make_step(self._features, parallel=False)
        self._begin(state)

    @property
    def simulations(self) -> int:
        """How many visits the root has."""
        return int(self.trees.visits[0, 0])

    def run(self, simulations: int) -> None:
        """Search until the root has so many more visits."""
        self._until(self.simulations + simulations, float("inf"), lambda: True)

    def run_for(
        self, simulations: int | None, seconds: float, go_on: Callable[[], bool] = lambda: True
    ) -> None:
        """Search until the root has so many visits in all, or the time is up.

        ``go_on`` is called about ten times a second and can stop the search.
        """
        self._until(MOST_VISITS if simulations is None else simulations, seconds, go_on)

    def follow(self, state: State) -> None:
        """Continue from a later state of the same game, keeping its subtree."""
        old, stack = self.state.move_stack, state.move_stack
        played = list(stack[len(old) :])
        known = state.game == self.state.game and list(stack[: len(old)]) == list(old)
        for move in played if known else ():
            move_id = state.move_id(move)
            edges = range(max(0, int(self.trees.edge_count[0, 0])))
            edge = next((e for e in edges if self.trees.move[0, e] == move_id), None)
            if edge is None:
                known = False
                break
            make_follow(self._features)(self.trees, 0, edge)
        if known and np.array_equal(self.trees.roots[0], state.words):
            self.state, self.seconds = state, 0.0
        else:
            self._begin(state)

    def snapshot(self) -> "PuctSearch":
        """Return a copy of this search, to be read while the search goes on."""
        nodes, edges = (int(n) for n in self.trees.sizes[0, [NODES, EDGES]])
        of_nodes = ("first_edge", "edge_count", "visits")
        of_edges = ("move", "prior", "edge_visits", "edge_value", "child", "proved")
        kept = copy.copy(self)
        kept.state = self.state.copy()
        kept.trees = self.trees._replace(
            **{name: getattr(self.trees, name)[:, :nodes].copy() for name in of_nodes},
            **{name: getattr(self.trees, name)[:, :edges].copy() for name in of_edges},
        )
        return kept

    def info(self) -> SearchInfo:
        """Return every root move with visits, value, prior and principal variation, best first."""
        ranked = sorted(self._edges(0), key=self._rank, reverse=True)
        # A principal variation costs as much as many simulations: only the best moves get one.
        lines = (self._line(edge, PLIES if i < SHOWN else 1) for i, edge in enumerate(ranked))
        return SearchInfo(tuple(lines), self.simulations, self.seconds)

    def children(self, node: int = 0) -> list[dict[str, Any]]:
        """Return a node's edges with visits, values and priors; node 0 is the root."""
        trees = self.trees
        return [
            {
                "node": int(trees.child[0, edge]),
                "move_id": int(trees.move[0, edge]),
                "visits": int(trees.edge_visits[0, edge]),
                "value": self._mean(edge),
                "prior": float(trees.prior[0, edge]),
                "children": len(self._edges(int(trees.child[0, edge]) or -1)),
            }
            for edge in self._edges(node)
        ]

    def _begin(self, state: State) -> None:
        self.state, self.seconds = state, 0.0
        if state.game.rules.USES_PATH:
            played = len(state.move_stack)
            self.trees.path[0, :played] = state.path[:played]
        start_game(self.trees, 0, state.words)

    def _until(self, target: int, seconds: float, go_on: Callable[[], bool]) -> None:
        begin, before = time.perf_counter(), self.seconds
        targets = np.array([target], np.int64)
        spent, asked, steps = 0.0, 0.0, 0
        # A step of a large network takes long: one more must not end too late.
        while self.simulations < target and (
            spent + spent / max(1, steps) < seconds or self.simulations == 0
        ):
            self._advance(targets, self._slots_now())
            spent, steps = time.perf_counter() - begin, steps + 1
            if spent - asked >= SECONDS_BETWEEN_CALLBACKS:
                asked, self.seconds = spent, before + spent  # the callback may read it
                if not go_on():
                    break
        self._advance(targets, 0)  # backpropagate the last leaves
        self.seconds = before + time.perf_counter() - begin

    def _slots_now(self) -> int:
        """Return how many leaves to select before they are evaluated."""
        most = self.settings.slots if self.simulations < ALIKE else self._slots
        return min(most, 1 + self.simulations // VISITS_PER_SLOT)

    def _advance(self, targets: NDArray[np.int64], slots: int) -> None:
        chosen = self.settings
        params = PuctParams(
            *(chosen.cpuct, chosen.max_depth, chosen.noise_share, chosen.noise_alpha, slots),
            proofs=chosen.proofs,
        )
        if self._step(self.trees, targets, params):
            waiting = np.flatnonzero(self.trees.leaf[0] != NO_LEAF)
            self.trees.answers[waiting] = self._answers(self.trees.leaves[waiting])

    def _edges(self, node: int) -> range:
        if node < 0 or self.trees.edge_count[0, node] <= 0:
            return range(0)
        first = int(self.trees.first_edge[0, node])
        return range(first, first + int(self.trees.edge_count[0, node]))

    def _rank(self, edge: int) -> tuple[float, ...]:
        """Return what edges are ranked by: what is proved, visits, value, prior."""
        trees = self.trees
        visits, prior = int(trees.edge_visits[0, edge]), float(trees.prior[0, edge])
        return int(trees.proved[0, edge]), visits, self._mean(edge), prior

    def _mean(self, edge: int) -> float:
        """Return the mean value for the side that chooses the edge, from 0 to 1."""
        if proved := int(self.trees.proved[0, edge]):
            return 0.5 + 0.5 * proved
        visits = max(1, int(self.trees.edge_visits[0, edge]))
        return 0.5 + 0.5 * float(self.trees.edge_value[0, edge]) / visits

    def _line(self, edge: int, plies: int) -> Line:
        trees, texts = self.trees, []
        state = self.state.copy() if plies > 1 else self.state
        at = edge
        while True:
            move = state.move_from_id(int(trees.move[0, at]))
            texts.append(state.move_text(move))
            below = self._edges(int(trees.child[0, at]) or -1) if len(texts) < plies else ()
            best = max(below, key=self._rank, default=None)
            if best is None or trees.edge_visits[0, best] == 0:
                break
            state.push(move)
            at = best
        return Line(
            self.state.move_from_id(int(trees.move[0, edge])),
            texts[0],
            self._mean(edge),
            int(trees.edge_visits[0, edge]),
            float(trees.prior[0, edge]),
            tuple(texts),
        )
