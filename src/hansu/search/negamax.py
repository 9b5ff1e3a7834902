"""Negamax, and negamax with alpha-beta pruning: the textbook, compiled for every game.

A value is seen by the side to move: +1 a win, -1 a loss, between them the game's own judgement.
A result that comes sooner counts a little more, so that a won game is also won.
"""

import functools
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from hansu.games.bridge import bridge, holds_arrays
from hansu.games.state import State
from hansu.kernel import kernel
from hansu.kernel.interruptible import interruptible
from hansu.search.info import Line, SearchInfo
from hansu.search.judgement import Judgement, own_judgement

SOONER = 1e-3  # what a ply earlier is worth to a result
FAR = 10.0  # beyond every value
MAX_DEPTH = 64
QUICK = 2  # plies that take no time, so that nobody needs to listen for Ctrl+C meanwhile


class Board(NamedTuple):
    """The working memory of one search."""

    path: np.ndarray  # keys of the positions before
    moves: np.ndarray  # [depth, MAX_MOVES] the moves still to try
    order: np.ndarray  # [depth, MAX_MOVES] how promising they look
    nodes: np.ndarray  # [2] positions seen, positions allowed
    weights: np.ndarray  # what the judgement goes by


class Watch:
    """An eye on a search from outside: it sees each finished depth and can stop it at once.

    ``stop`` may come from another thread. It takes the allowance of nodes away; a search that is
    about to set a new one asks ``go_on`` afterwards, so that no stop is lost.
    """

    def __init__(self, go_on: Callable[[Callable[[], SearchInfo]], bool] = lambda _: True) -> None:
        self.go_on = go_on
        self.nodes = np.array([0, 2**62], np.int64)  # positions seen, positions allowed

    def stop(self) -> None:
        """Let the compiled search return."""
        self.nodes[1] = -1


def search(
    state: State,
    depth: int,
    prune: bool,
    seconds: float = float("inf"),
    shuffle: Any = None,
    exact: bool = False,
    watch: "Watch | None" = None,
    judgement: Judgement | None = None,
) -> SearchInfo:
    """Search to a depth; when ``seconds`` do not suffice, the deepest finished search counts.

    ``shuffle`` is a ``random.Random`` that decides among equal moves. With pruning the values of
    all moves but the best are only upper bounds, unless ``exact`` asks for more work. ``watch``
    sees every finished depth and can end the search. ``judgement`` values what lies beyond the
    depth, instead of the game's own evaluation.

    >>> import hansu
    >>> state = hansu.game("tictactoe").parse("XX. OO. ...")
    >>> search(state, 2, prune=True).lines[0].text
    'c1'
    """
    begin = time.perf_counter()
    codes = list(state.codes())
    if shuffle is not None:
        shuffle.shuffle(codes)
    rules = state.game.compiled
    watch = watch or Watch()
    judgement = judgement or own_judgement(state.game)
    board = _board(state, depth, watch.nodes, judgement.weights)
    root = _make_root(rules, judgement.judge, state.game.evaluator.judge)
    values = np.zeros(len(codes))
    total, reached = 0, 0

    def info() -> SearchInfo:
        """What the deepest finished search says."""
        spent = time.perf_counter() - begin
        return SearchInfo(_lines(state, codes, values), total, spent, reached)

    for step in range(1, depth + 1) if seconds != float("inf") else [depth]:
        spent = time.perf_counter() - begin
        if step > 1 and spent > seconds / 3:  # the next step takes longer than all before
            break
        rate = total / spent if step > 1 else 0.0
        board.nodes[:] = 0, (rate * (seconds - spent) if rate else 2**62)
        if step > 1 and not watch.go_on(info):  # asked after the allowance is set: see Watch
            break
        found = np.zeros(len(codes))
        given = (state.words, board, np.array(codes), step, prune, exact, found)
        if step > QUICK:
            finished = interruptible(functools.partial(root, *given), watch.stop)
        else:
            finished = root(*given)
        total += int(board.nodes[0])
        if not finished:
            break
        values, reached = found, step
        ranked = np.argsort(-values, kind="stable")  # the best first: it prunes most next time
        codes, values = [codes[i] for i in ranked], values[ranked]
    return info()


def _lines(state: State, codes: list[int], values: Any) -> tuple[Line, ...]:
    ranked = sorted(zip(codes, values.tolist(), strict=True), key=lambda pair: -pair[1])
    lines = []
    for code, value in ranked:
        move = state.decode(code)
        text = state.move_text(move)
        share = min(1.0, max(0.0, (value + 1) / 2))
        lines.append(Line(move, text, share, variation=(text,)))
    return tuple(lines)


def _board(state: State, depth: int, nodes: Any, weights: Any) -> Board:
    rules = state.game.compiled
    played = len(state.move_stack)
    path = np.zeros(played + depth + 1, np.uint64)
    path[:played] = state.path[:played] if rules.USES_PATH else 0
    return Board(
        path,
        np.empty((depth + 1, rules.MAX_MOVES), np.int64),
        np.empty((depth + 1, rules.MAX_MOVES), np.float64),
        nodes,
        weights,
    )


@functools.cache
def _make_root(rules: ModuleType, judge: Any, glance: Any) -> Any:
    play, key, uses_path = rules.play, rules.key, rules.USES_PATH
    link = bridge(rules)
    unpack, copy = link.unpack, link.copy
    negamax, alphabeta = make_negamax(rules, judge), make_alphabeta(rules, judge, glance)

    @kernel(variant=(rules, judge, glance))
    def root(words, board, codes, depth, prune, exact, values):
        """Value every root move."""
        pos = unpack(words)
        if uses_path:
            board.path[np.int64(pos.ply)] = key(pos)
        best = -FAR
        for i in range(len(codes)):
            after = play(copy(pos), codes[i])
            if prune:
                known = -FAR if exact else best
                values[i] = -alphabeta(after, board, depth - 1, -FAR, -known)
            else:
                values[i] = -negamax(after, board, depth - 1)
            best = max(best, values[i])
        return board.nodes[0] <= board.nodes[1]

    return root


@functools.cache
def make_leaf(rules: ModuleType, judge: Any) -> Any:
    """``leaf(pos, over, depth, weights)``: the value for the side to move, by result or judged."""
    score_first = rules.score_first

    @kernel(variant=(rules, judge), allocates=holds_arrays(rules))
    def leaf(pos, over, depth, weights):
        if over:
            value = score_first(pos, over) * (1.0 + depth * SOONER)
        else:
            value = 2.0 * judge(pos, weights) - 1.0
        return -value if pos.second else value

    return leaf


@functools.cache
def make_negamax(rules: ModuleType, judge: Any) -> Any:
    """Plain negamax."""
    legal_moves, play, ending = rules.legal_moves, rules.play, rules.ending
    key, uses_path, copy = rules.key, rules.USES_PATH, bridge(rules).copy
    leaf = make_leaf(rules, judge)

    @kernel(variant=(rules, judge), allocates=holds_arrays(rules))
    def negamax(pos, board, depth):
        board.nodes[0] += 1
        moves = board.moves[depth]
        n = legal_moves(pos, board.path, moves)
        over = ending(pos, board.path, n)
        if over or depth == 0:
            return leaf(pos, over, depth, board.weights)
        if board.nodes[0] > board.nodes[1]:
            return 0.0
        if uses_path:
            board.path[np.int64(pos.ply)] = key(pos)
        best = -FAR
        for i in range(n):
            best = max(best, -negamax(play(copy(pos), moves[i]), board, depth - 1))
        return best

    return negamax


@functools.cache
def make_alphabeta(rules: ModuleType, judge: Any, glance: Any) -> Any:
    """Negamax with alpha-beta pruning: the same value, far fewer nodes.

    ``glance`` is the game's own evaluation, which is quick and decides what is tried first.
    """
    legal_moves, play, ending = rules.legal_moves, rules.play, rules.ending
    key, uses_path, copy = rules.key, rules.USES_PATH, bridge(rules).copy
    leaf = make_leaf(rules, judge)
    sort_moves = _make_sort(rules, glance)

    @kernel(variant=(rules, judge, glance), allocates=holds_arrays(rules))
    def alphabeta(pos, board, depth, alpha, beta):
        board.nodes[0] += 1
        moves = board.moves[depth]
        n = legal_moves(pos, board.path, moves)
        over = ending(pos, board.path, n)
        if over or depth == 0:
            return leaf(pos, over, depth, board.weights)
        if board.nodes[0] > board.nodes[1]:
            return 0.0
        if uses_path:
            board.path[np.int64(pos.ply)] = key(pos)
        if depth > 1:
            sort_moves(pos, moves, board.order[depth], n)
        best = -FAR
        for i in range(n):
            after = play(copy(pos), moves[i])
            best = max(best, -alphabeta(after, board, depth - 1, -beta, -max(alpha, best)))
            if best >= beta:
                break  # the opponent has something better elsewhere and will not come here
        return best

    return alphabeta


@functools.cache
def _make_sort(rules: ModuleType, glance: Any) -> Any:
    play, copy = rules.play, bridge(rules).copy

    @kernel(variant=(rules, glance), allocates=holds_arrays(rules))
    def sort_moves(pos, moves, order, n):
        """Put first what looks best at once: good moves first is what makes pruning work."""
        for i in range(n):
            move, promise = moves[i], glance(play(copy(pos), moves[i]))
            if pos.second:
                promise = -promise
            j = i
            while j > 0 and order[j - 1] < promise:
                moves[j], order[j] = moves[j - 1], order[j - 1]
                j -= 1
            moves[j], order[j] = move, promise

    return sort_moves
