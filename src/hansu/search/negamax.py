"""Negamax, and negamax with alpha-beta pruning, compiled for every game.

A value is for the side to move: +1 a win, -1 a loss, the leaf evaluation in between. A win in fewer
plies counts a little more, so that a won game is also brought to its end.
"""

import functools
import threading
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from hansu.games.rules_on_words import holds_arrays, rules_on_words
from hansu.games.state import State
from hansu.kernel import kernel
from hansu.kernel.interruptible import interruptible
from hansu.search.info import Line, SearchInfo
from hansu.search.leaf_evaluator import LeafEvaluator, own_evaluator
from hansu.search.limits import Budget, SearchHandle

PLY_BONUS = 1e-3  # added to a result for each ply that it comes sooner
INFINITY = 10.0  # larger than every value
MAX_DEPTH = 64  # plies, where only time or nodes limit a search
UNBOUNDED = 2**62  # nodes
SHORT = 3e-4  # seconds: until then nodes bound the next depth, later a timer does
PLENTY = 10  # times what the next depth takes: with so much time left, no timer is needed
FEW_NODES = 30_000  # that need no watching: some milliseconds
QUICK = 2  # plies that are searched too fast to need interrupting by Ctrl+C


class Workspace(NamedTuple):
    """The working memory of one search."""

    path: np.ndarray  # keys of the positions before
    moves: np.ndarray  # [depth, MAX_MOVES] the moves still to try
    order: np.ndarray  # [depth, MAX_MOVES] how promising they look
    nodes: np.ndarray  # [2] positions seen, positions allowed
    weights: np.ndarray  # of the leaf evaluator


class Allowance:
    """The number of nodes that a search may visit, and how to end it at once.

    ``cut`` may be called from another thread. The search renews the allowance before each depth
    and reads ``is_cut`` afterwards, so that no cut is lost.
    """

    def __init__(self) -> None:
        self.nodes = np.array([0, UNBOUNDED], np.int64)  # positions seen, positions allowed
        self.is_cut = False

    def renew(self, allowed: float) -> None:
        """Start a new count of nodes, up to ``allowed``."""
        self.nodes[:] = 0, min(allowed, UNBOUNDED)

    def cut(self) -> None:
        """Make the compiled search return."""
        self.is_cut = True
        self.nodes[1] = -1


class _Alarm:
    """Calls a function after some seconds, unless the search has ended by then."""

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._timer: threading.Timer | None = None

    def set(self, seconds: float) -> None:
        """Ring after so many seconds; an alarm that is set stays as it is."""
        if self._timer is None and seconds < threading.TIMEOUT_MAX:
            self._timer = threading.Timer(seconds, self._ring)
            self._timer.daemon = True
            self._timer.start()

    def __enter__(self) -> "_Alarm":
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()


def search(
    state: State,
    depth: int,
    prune: bool,
    seconds: float = float("inf"),
    shuffle: Any = None,
    exact: bool = False,
    handle: SearchHandle | None = None,
    evaluator: LeafEvaluator | None = None,
    nodes: int | None = None,
    thrifty: bool = False,
) -> SearchInfo:
    """Search to a depth, by iterative deepening within ``seconds`` and ``nodes``.

    The deepest finished search counts. ``shuffle`` is a ``random.Random`` that decides among equal
    moves. With pruning the values of all moves but the best are only upper bounds, unless ``exact``
    asks for more work. ``handle`` observes every finished depth and can stop the search.
    ``evaluator`` evaluates the leaves instead of the game's own evaluation. A ``thrifty`` search
    saves the seconds that would hardly suffice for another depth.

    >>> import hansu
    >>> state = hansu.game("tictactoe").parse("XX. OO. ...")
    >>> search(state, 2, prune=True).lines[0].text
    'c1'
    """
    begin = time.perf_counter()
    move_ids = list(state.move_ids())
    if shuffle is not None:
        shuffle.shuffle(move_ids)
    at_once = seconds == float("inf") and nodes is None and handle is None
    handle, allowance = handle or SearchHandle(), Allowance()
    evaluator = evaluator or own_evaluator(state.game)
    work = _workspace(state, depth, allowance.nodes, evaluator.weights)
    root = _make_root(state.game.rules, evaluator.evaluate, state.game.evaluator.evaluate)
    values = np.zeros(len(move_ids))
    total, reached = 0, 0

    def is_quick(spent: float) -> bool:
        """Whether the next depth surely ends in time: threads that watch it cost time."""
        return spent < SHORT or PLENTY * len(move_ids) * spent < min(seconds, 1.0)

    def run(step: int, watched: bool = False) -> bool:
        """Search to a depth and return whether it was finished; sorts the moves by value.

        Only a search that is ``watched`` can be interrupted.
        """
        nonlocal move_ids, values, total, reached
        found = np.zeros(len(move_ids))
        given = (state.words, work, np.array(move_ids), step, prune, exact, found)
        if watched:
            finished = interruptible(functools.partial(root, *given), allowance.cut)
        else:
            finished = root(*given)
        if finished:
            total += int(work.nodes[0])
            ranked = np.argsort(-found, kind="stable")
            move_ids, values, reached = [move_ids[i] for i in ranked], found[ranked], step
        return bool(finished)

    def info() -> SearchInfo:
        """Return the result of the deepest finished search."""
        spent = time.perf_counter() - begin
        return SearchInfo(_lines(state, move_ids, values), total, spent, reached)

    if at_once:
        allowance.renew(FEW_NODES)
        if not run(depth):
            allowance.renew(UNBOUNDED)
            run(depth, watched=True)
    else:
        run(1)  # one ply is always searched, however little time there is
    with handle.on_stop(allowance.cut), _Alarm(allowance.cut) as alarm:
        for step in range(reached + 1, depth + 1):
            spent, left = time.perf_counter() - begin, (nodes or UNBOUNDED) - total
            # The next depth takes longer than all before together.
            if spent >= (seconds / 3 if thrifty else seconds) or left <= 0:
                break
            allowed = total / spent * (seconds - spent) if is_quick(spent) else UNBOUNDED
            allowance.renew(min(allowed, left))
            if not is_quick(spent):
                alarm.set(seconds - spent)
            watched = step > QUICK and not is_quick(spent)
            if not handle.go_on(info) or allowance.is_cut or not run(step, watched):
                total += int(work.nodes[0])
                break
    return info()


def search_within(
    state: State,
    budget: Budget,
    handle: SearchHandle,
    prune: bool,
    shuffle: Any = None,
    evaluator: LeafEvaluator | None = None,
) -> SearchInfo:
    """Search within a budget; without a depth, to the end of the game if time allows."""
    turns_left = max(1, state.game.max_turns - len(state.move_stack))
    depth = budget.depth or min(turns_left, MAX_DEPTH)
    return search(
        *(state, depth, prune, budget.seconds, shuffle, budget.exact, handle, evaluator),
        *(budget.nodes, budget.thrifty),
    )


def _lines(state: State, move_ids: list[int], values: Any) -> tuple[Line, ...]:
    ranked = sorted(zip(move_ids, values.tolist(), strict=True), key=lambda pair: -pair[1])
    lines = []
    for move_id, value in ranked:
        move = state.move_from_id(move_id)
        text = state.move_text(move)
        share = min(1.0, max(0.0, (value + 1) / 2))
        lines.append(Line(move, text, share, variation=(text,)))
    return tuple(lines)


def _workspace(state: State, depth: int, nodes: Any, weights: Any) -> Workspace:
    shape = (depth + 1, state.game.rules.MAX_MOVES)
    moves, order = np.empty(shape, np.int64), np.empty(shape, np.float64)
    return Workspace(state.path_with_room(depth + 1), moves, order, nodes, weights)


@functools.cache
def _make_root(rules: ModuleType, evaluate: Any, ordering_eval: Any) -> Any:
    play, key, uses_path = rules.play, rules.key, rules.USES_PATH
    on_words = rules_on_words(rules)
    unpack, copy = on_words.unpack, on_words.copy
    negamax = make_negamax(rules, evaluate)
    alphabeta = make_alphabeta(rules, evaluate, ordering_eval)

    @kernel(variant=(rules, evaluate, ordering_eval))
    def root(words, work, move_ids, depth, prune, exact, values):
        """Write the value of every root move; return whether the nodes sufficed."""
        pos = unpack(words)
        if uses_path:
            work.path[np.int64(pos.ply)] = key(pos)
        best = -INFINITY
        for i in range(len(move_ids)):
            if work.nodes[0] > work.nodes[1]:
                break
            after = play(copy(pos), move_ids[i])
            if prune:
                known = -INFINITY if exact else best
                values[i] = -alphabeta(after, work, depth - 1, -INFINITY, -known)
            else:
                values[i] = -negamax(after, work, depth - 1)
            best = max(best, values[i])
        return work.nodes[0] <= work.nodes[1]

    return root


@functools.cache
def make_leaf(rules: ModuleType, evaluate: Any) -> Any:
    """Make ``leaf(pos, over, depth, weights)``: a leaf's value by result or leaf evaluation."""
    score_first = rules.score_first

    @kernel(variant=(rules, evaluate), allocates=holds_arrays(rules))
    def leaf(pos, over, depth, weights):
        if over:
            value = score_first(pos, over) * (1.0 + depth * PLY_BONUS)
        else:
            value = 2.0 * evaluate(pos, weights) - 1.0
        return -value if pos.second else value

    return leaf


@functools.cache
def make_negamax(rules: ModuleType, evaluate: Any) -> Any:
    """Make plain negamax."""
    legal_moves, play, ending = rules.legal_moves, rules.play, rules.ending
    key, uses_path, copy = rules.key, rules.USES_PATH, rules_on_words(rules).copy
    leaf = make_leaf(rules, evaluate)

    @kernel(variant=(rules, evaluate), allocates=holds_arrays(rules))
    def negamax(pos, work, depth):
        work.nodes[0] += 1
        moves = work.moves[depth]
        n = legal_moves(pos, work.path, moves)
        over = ending(pos, work.path, n)
        if over or depth == 0:
            return leaf(pos, over, depth, work.weights)
        if uses_path:
            work.path[np.int64(pos.ply)] = key(pos)
        best = -INFINITY
        for i in range(n):
            if work.nodes[0] > work.nodes[1]:
                break  # cut: nobody uses this value any more
            best = max(best, -negamax(play(copy(pos), moves[i]), work, depth - 1))
        return best

    return negamax


@functools.cache
def make_alphabeta(rules: ModuleType, evaluate: Any, ordering_eval: Any) -> Any:
    """Make negamax with alpha-beta pruning: the same value, far fewer nodes.

    ``ordering_eval``, the game's own evaluation, is fast and orders the moves.
    """
    legal_moves, play, ending = rules.legal_moves, rules.play, rules.ending
    key, uses_path, copy = rules.key, rules.USES_PATH, rules_on_words(rules).copy
    leaf = make_leaf(rules, evaluate)
    sort_moves = _make_sort(rules, ordering_eval)

    @kernel(variant=(rules, evaluate, ordering_eval), allocates=holds_arrays(rules))
    def alphabeta(pos, work, depth, alpha, beta):
        work.nodes[0] += 1
        moves = work.moves[depth]
        n = legal_moves(pos, work.path, moves)
        over = ending(pos, work.path, n)
        if over or depth == 0:
            return leaf(pos, over, depth, work.weights)
        if uses_path:
            work.path[np.int64(pos.ply)] = key(pos)
        if depth > 1:
            sort_moves(pos, moves, work.order[depth], n)
        best = -INFINITY
        for i in range(n):
            if work.nodes[0] > work.nodes[1]:
                break
            after = play(copy(pos), moves[i])
            best = max(best, -alphabeta(after, work, depth - 1, -beta, -max(alpha, best)))
            if best >= beta:
                break  # a cut-off: the opponent avoids this node
        return best

    return alphabeta


@functools.cache
def _make_sort(rules: ModuleType, ordering_eval: Any) -> Any:
    play, copy = rules.play, rules_on_words(rules).copy

    @kernel(variant=(rules, ordering_eval), allocates=holds_arrays(rules))
    def sort_moves(pos, moves, order, n):
        """Move ordering: sort the moves by the evaluation after them, so that pruning works."""
        for i in range(n):
            move, promise = moves[i], ordering_eval(play(copy(pos), moves[i]))
            if pos.second:
                promise = -promise
            j = i
            while j > 0 and order[j - 1] < promise:
                moves[j], order[j] = moves[j - 1], order[j - 1]
                j -= 1
            moves[j], order[j] = move, promise

    return sort_moves
