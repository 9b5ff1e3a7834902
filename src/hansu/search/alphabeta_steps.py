"""Alpha-beta one step at a time, for people to follow.

This is ``negamax.py`` again, written to be read. It visits the same nodes in the same order and
finds the same values; the tests compare both. Each step is a plain dictionary:

    enter    ``node``, by a ``move`` from its ``parent``, with the window ``alpha`` to ``beta``
    leaf     its ``value``, by the ``outcome``; None: by leaf evaluation
    back     backpropagation: ``value`` of a ``child`` for ``node``, whose ``best`` it may be now
    cut_off  ``best`` is at least beta: the ``pruned`` moves are not searched
    leave    ``node`` is worth ``value``, or at least (fail_high) or at most (fail_low) that

Values lie between -1 and 1, for the side to move at ``node``; None is infinite.
"""

from typing import Any

from hansu.errors import HansuError
from hansu.games.rules_on_words import rules_on_words
from hansu.games.state import State
from hansu.search.negamax import INFINITY, PLY_BONUS, search

MOST_NODES = 800  # that a person steps through


def alphabeta_steps(
    state: State, depth: int, prune: bool = True, most_nodes: int = MOST_NODES
) -> dict[str, Any]:
    """Return the steps of a search to this depth, or to the deepest with few enough nodes.

    >>> import hansu
    >>> state = hansu.game("tictactoe").parse("XX. OO. ...")
    >>> found = alphabeta_steps(state, 2)
    >>> found["nodes"], [step["move"] for step in found["steps"] if step["kind"] == "enter"][:3]
    (9, ['', 'c1', 'c2'])
    """
    depths = range(depth, 0, -1)
    fitting = (d for d in depths if search(state, d, prune).nodes <= most_nodes)
    if (chosen := next(fitting, None)) is None:
        raise HansuError(f"even at depth 1 there are more than {most_nodes} nodes to step through")
    steps = AlphaBetaSteps(state, prune)
    value = steps.root(chosen)
    return {
        "algorithm": "alphabeta" if prune else "negamax",
        "depth": chosen,
        "nodes": steps.nodes,
        "value": _shown(value),
        "steps": steps.steps,
    }


class AlphaBetaSteps:
    """A search that records its steps."""

    def __init__(self, state: State, prune: bool) -> None:
        self.state, self.prune = state, prune
        self.steps: list[dict[str, Any]] = []
        self.values: dict[int, float] = {}  # of the root's moves
        self._last = 0  # number of the newest node; the root is 0

    @property
    def nodes(self) -> int:
        """How many positions were searched below the root."""
        return self._last

    def root(self, depth: int) -> float:
        """Search every move of the root; each must beat the best one so far."""
        self._tell("enter", 0, parent=None, move="", depth=depth, alpha=None, beta=None)
        best = -INFINITY
        for move_id in self.state.move_ids():
            value = -self._search(self.state, move_id, 0, depth - 1, -INFINITY, -best)
            self.values[move_id] = value
            best = self._back(0, value, best, -INFINITY, INFINITY)
        self._leave(0, best, -INFINITY, INFINITY)
        return best

    def _search(
        self, before: State, move_id: int, parent: int, depth: int, alpha: float, beta: float
    ) -> float:
        """Return the value of the position after a move, for the side to move there."""
        if not self.prune:
            alpha, beta = -INFINITY, INFINITY
        self._last += 1
        node, move = self._last, before.move_from_id(move_id)
        state, text = before.forward(move), before.move_name(move)
        self._tell(
            *("enter", node),
            parent=parent,
            move=text,
            depth=depth,
            alpha=_shown(alpha),
            beta=_shown(beta),
        )
        outcome = state.outcome()
        if outcome is not None or depth == 0:
            value = self._leaf(state, depth)
            self._tell("leaf", node, value=_shown(value), outcome=outcome and outcome.facts())
            return value
        best, move_ids = -INFINITY, self._sorted(state, depth)
        for tried, answer in enumerate(move_ids, 1):
            value = -self._search(state, answer, node, depth - 1, -beta, -max(alpha, best))
            best = self._back(node, value, best, alpha, beta)
            if best >= beta and tried < len(move_ids):
                pruned = [state.move_name(state.move_from_id(c)) for c in move_ids[tried:]]
                self._tell("cut_off", node, best=_shown(best), beta=_shown(beta), pruned=pruned)
                break
        self._leave(node, best, alpha, beta)
        return best

    def _leaf(self, state: State, depth: int) -> float:
        """Return the value by result, a little more for a sooner one, or by leaf evaluation."""
        on_words = rules_on_words(state.game.rules)
        ending = int(on_words.ending(state.words, state.path, len(state.move_ids())))
        if ending:
            score = int(on_words.score_first(state.words, ending)) * (1.0 + depth * PLY_BONUS)
        else:
            score = 2.0 * state.game.evaluator.static_eval(state) - 1.0
        return score if state.turn == state.game.first_color else -score

    def _sorted(self, state: State, depth: int) -> list[int]:
        """Return the moves, those with the best evaluation first: that makes pruning work."""
        move_ids = list(state.move_ids())
        if depth == 1 or not self.prune:
            return move_ids
        sign = 1.0 if state.turn == state.game.first_color else -1.0
        static_eval = state.game.evaluator.static_eval
        return sorted(
            move_ids, key=lambda i: -sign * static_eval(state.forward(state.move_from_id(i)))
        )

    def _back(self, node: int, value: float, best: float, alpha: float, beta: float) -> float:
        raised = max(best, value)
        self._tell(
            *("back", node),
            child=self._child,
            value=_shown(value),
            best=_shown(raised),
            better=value > best,
            alpha=_shown(max(alpha, raised)),
            beta=_shown(beta),
        )
        return raised

    def _leave(self, node: int, best: float, alpha: float, beta: float) -> None:
        kind = "fail_high" if best >= beta else "fail_low" if best <= alpha else "exact"
        self._tell("leave", node, value=_shown(best), result=kind)

    @property
    def _child(self) -> int:
        """The node that was left last."""
        return int(self.steps[-1]["node"])

    def _tell(self, kind: str, node: int, **facts: Any) -> None:
        self.steps.append({"kind": kind, "node": node, **facts})


def _shown(value: float) -> float | None:
    return None if abs(value) >= INFINITY else round(value, 6)
