"""PUCT one step at a time, for people to follow.

This is ``puct.py`` again, written to be read: one tree, one leaf after the other. With the same
network it grows the same tree as the compiled search; the tests compare both. Each step is a plain
dictionary:

    select    at ``node`` the ``options`` had these bounds; ``chosen`` has the highest one
    expand    ``node`` gets ``children``, each with the network's ``prior``
    evaluate  the network's ``value`` of the position, for the side to move there
    end       the game is over at ``node``: its ``outcome`` is the ``value``
    proved    the move to ``node`` is known to win or to lose: that is the ``value``
    back_up   backpropagation: visits and value of each node on the path, and what it ``gained``

Values of moves are for the player who made the move, from 0 to 1.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hansu.games.state import State
from hansu.search.evaluation_cache import Evaluate
from hansu.search.puct import FPU_REDUCTION
from hansu.search.puct_search import VISITS_PER_SLOT, PuctSettings
from hansu.search.puct_trees import LOST, WON

SIMULATIONS = VISITS_PER_SLOT  # the compiled search uses one slot until then
ZERO = np.float32(0.0)


@dataclass
class Node:
    """A node and the move that leads to it."""

    number: int
    move_id: int
    text: str
    prior: np.float32 = ZERO
    visits: int = 0
    total: np.float32 = ZERO  # values in [-1, 1] for the player who made the move
    children: list["Node"] = field(default_factory=list)
    is_open: bool = False  # whether it is expanded
    proved: int = 0  # WON, LOST for the player who made the move, or 0: unknown

    @property
    def share(self) -> float:
        """The mean value, from 0 to 1, or what is proved."""
        return 0.5 + 0.5 * self.proved if self.proved else self.mean

    @property
    def mean(self) -> float:
        """The mean value, from 0 to 1."""
        return 0.5 + 0.5 * float(self.total) / max(1, self.visits)


def puct_steps(
    state: State,
    evaluate: Evaluate,
    settings: PuctSettings = PuctSettings(),  # noqa: B008 - frozen
    simulations: int = SIMULATIONS,
) -> dict[str, Any]:
    """Return the steps of a search's first simulations.

    >>> import hansu
    >>> uniform = lambda leaves: np.zeros((len(leaves), 10), np.float32)
    >>> steps = puct_steps(hansu.game("tictactoe").start(), uniform, simulations=2)["steps"]
    >>> [step["kind"] for step in steps]
    ['expand', 'evaluate', 'back_up', 'select', 'expand', 'evaluate', 'back_up']
    """
    search = PuctSteps(state, evaluate, settings)
    for number in range(simulations):
        search.simulate(number + 1)
    return {
        "algorithm": "puct",
        "exploration": settings.cpuct,
        "simulations": simulations,
        "steps": search.steps,
    }


class PuctSteps:
    """A search that records its steps."""

    def __init__(self, state: State, evaluate: Evaluate, settings: PuctSettings) -> None:
        self.state, self.evaluate, self.settings = state, evaluate, settings
        self.root = Node(0, -1, "")
        self.steps: list[dict[str, Any]] = []
        self._size = 1
        self._features = state.game.make_features(settings.mirror)

    def simulate(self, number: int) -> None:
        """Do one simulation: selection, expansion and evaluation, backpropagation."""
        state, search_path = self.state.copy(), [self.root]
        begin = len(self.steps)
        while search_path[-1].is_open and len(search_path) <= self.settings.max_depth:
            search_path.append(self._select(search_path[-1]))
            if search_path[-1].proved:
                break
            state.push(state.move_from_id(search_path[-1].move_id))
        self._backpropagate(search_path, self._value(search_path, state))
        for step in self.steps[begin:]:
            step["simulation"] = number

    def _select(self, node: Node) -> Node:
        """Return the child with the highest PUCT bound; see ``puct.best_edge``."""
        width = self.settings.cpuct * math.sqrt(node.visits + 1)  # this visit counts already
        all_lost = all(child.proved == LOST for child in node.children)
        possible = [child for child in node.children if all_lost or child.proved != LOST]
        tried = [child for child in possible if child.visits]
        urgency = sum(float(child.total) for child in tried)
        urgency /= max(1, sum(child.visits for child in tried))
        urgency -= FPU_REDUCTION * math.sqrt(sum(float(child.prior) for child in tried))

        def bound(child: Node) -> float:
            value = float(child.total) / child.visits if child.visits else urgency
            return width * float(child.prior) / (1 + child.visits) + value

        won = [child for child in node.children if child.proved == WON]
        chosen = max(won[:1] or possible, key=lambda child: (bound(child), child.visits > 0))
        self._tell(
            "select",
            node=node.number,
            chosen=chosen.number,
            untried=0,
            options=[
                {
                    "node": child.number,
                    "move": child.text,
                    "visits": child.visits,
                    "value": round(child.share, 4),
                    "prior": round(float(child.prior), 4),
                    "bound": round(bound(child), 4),
                }
                for child in node.children
            ],
        )
        return chosen

    def _value(self, search_path: list[Node], state: State) -> float:
        """Return what is proved, the result or the leaf evaluation, for the side to move."""
        leaf = search_path[-1]
        if leaf.proved:
            self._tell("proved", node=leaf.number, value=-float(leaf.proved))
            return -float(leaf.proved)
        if (outcome := state.outcome()) is not None:
            value = 0.0 if outcome.winner is None else 1.0 if outcome.winner == state.turn else -1.0
            self._tell("end", node=leaf.number, outcome=outcome.facts(), value=value)
            if value and self.settings.proofs:
                self._prove(search_path, -int(value))
            return value
        answers = self.evaluate(self._features.pack(state)[None])[0]
        if not leaf.is_open:
            self._expand(leaf, state, answers)
        value = float(answers[-1])
        self._tell("evaluate", node=leaf.number, value=round(value, 4))
        return value

    def _expand(self, node: Node, state: State, answers: Any) -> None:
        """Add a child for every move with a network output; priors are a softmax of logits."""
        moves = [state.move_from_id(move_id) for move_id in state.move_ids()]
        known = [
            m for m in moves if self._features.move(state, self._features.action(state, m)) == m
        ]
        logits = [answers[self._features.action(state, move)] for move in known]
        shares = [math.exp(logit - max(logits)) for logit in logits]
        node.children = [
            Node(
                self._size + i,
                state.move_id(move),
                state.move_name(move),
                np.float32(share) / np.float32(sum(shares)),
            )
            for i, (move, share) in enumerate(zip(known, shares, strict=True))
        ]
        node.is_open = True
        self._size += len(known)
        self._tell(
            "expand",
            node=node.number,
            children=[
                {"node": c.number, "move": c.text, "prior": round(float(c.prior), 4)}
                for c in node.children
            ],
        )

    def _prove(self, search_path: list[Node], value: int) -> None:
        """Note that the last move wins or loses, and what that proves of those before it."""
        for above, node in zip(search_path[-2::-1], search_path[:0:-1], strict=True):
            node.proved = value
            if value == LOST and any(child.proved != LOST for child in above.children):
                return
            value = -value

    def _backpropagate(self, search_path: list[Node], value: float) -> None:
        """Add the value to every node on the path, for the player who moved there."""
        updates = []
        for node in reversed(search_path):
            value = -value
            node.visits += 1
            # As compiled code does it, with a virtual loss, so that the sums round alike.
            node.total = node.total - np.float32(1.0) + np.float32(value + 1.0)
            updates.append(
                {
                    "node": node.number,
                    "visits": node.visits,
                    "value": round(node.share, 4),
                    "gained": round(0.5 + 0.5 * value, 4),
                }
            )
        self._tell("back_up", updates=updates[::-1])

    def _tell(self, kind: str, **facts: Any) -> None:
        self.steps.append({"kind": kind, **facts})
