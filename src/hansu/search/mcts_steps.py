"""Monte Carlo tree search one step at a time, for people to follow.

This is ``mcts.py`` again, written to be read: a tree of objects and a list of steps. With the same
seed it draws the same random numbers and grows the same tree as the compiled search; the tests
compare both. Each step is a plain dictionary:

    select    at ``node`` the ``options`` had these bounds; ``chosen`` has the highest one
    expand    ``node`` gets ``children``
    end       the game is over at ``node``: its ``outcome`` is the ``reward``
    simulate  random ``moves`` from ``node`` on; the ``outcome``, None after a leaf evaluation
    back_up   backpropagation: visits and value of each node on the path, and what it ``gained``

A reward is the first player's; a value is for the player who made the move.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hansu.games.rules_on_words import SECOND, rules_on_words
from hansu.games.state import State
from hansu.kernel import random_below, seeded
from hansu.search.mcts import UNBOUNDED, MctsSettings
from hansu.search.playout import playout_move_id, random_move_id

SIMULATIONS = 40


@dataclass
class Node:
    """A node and the move that leads to it."""

    number: int
    move_id: int
    text: str
    visits: int = 0
    reward: float = 0.0  # sum, for the player who made the move
    share: float = 0.0  # the same before amplifying
    children: list["Node"] = field(default_factory=list)

    @property
    def value(self) -> float:
        """The win rate, not amplified."""
        return self.share / max(1, self.visits)


def mcts_steps(
    state: State,
    settings: MctsSettings = MctsSettings(),  # noqa: B008 - frozen
    seed: int = 0,
    simulations: int = SIMULATIONS,
) -> dict[str, Any]:
    """Return the steps of a search's first simulations.

    >>> import hansu
    >>> steps = mcts_steps(hansu.game("tictactoe").start(), simulations=2)["steps"]
    >>> [step["kind"] for step in steps]
    ['expand', 'simulate', 'back_up', 'select', 'simulate', 'back_up']
    """
    search = MctsSteps(state, settings, seed)
    for number in range(simulations):
        search.simulate(number + 1)
    return {
        "algorithm": "mcts",
        "exploration": settings.exploration,
        "simulations": simulations,
        "steps": search.steps,
    }


class MctsSteps:
    """A search that records its steps."""

    def __init__(self, state: State, settings: MctsSettings, seed: int) -> None:
        self.state, self.settings = state, settings
        self.root = Node(0, -1, "")
        self.steps: list[dict[str, Any]] = []
        self._size = 1
        self._rng = seeded(seed)
        self._max_depth = UNBOUNDED if settings.max_depth is None else settings.max_depth
        self._standard = state.game.evaluator.static_eval(state)

    def simulate(self, number: int) -> None:
        """Do one simulation: selection, expansion, playout, backpropagation."""
        state, search_path = self.state.copy(), [self.root]
        begin = len(self.steps)
        while search_path[-1].children:
            search_path.append(self._select(search_path[-1]))
            state.push(state.move_from_id(search_path[-1].move_id))
        leaf, depth = search_path[-1], len(search_path) - 1
        if (outcome := state.outcome()) is not None:
            share = reward = _share(state, outcome.winner)
            self._tell("end", node=leaf.number, outcome=outcome.facts(), reward=reward)
        else:
            # A leaf is expanded when it is reached again: most leaves never are.
            if (leaf is self.root or leaf.visits) and depth < self._max_depth:
                self._expand(leaf, state)
            reward, share = self._play_out(leaf, state, self._max_depth - depth)
        self._backpropagate(search_path, reward, share)
        for step in self.steps[begin:]:
            step["simulation"] = number

    def _select(self, node: Node) -> Node:
        """Return the child with the highest upper confidence bound; unvisited ones come first."""
        width = self.settings.exploration * math.sqrt(2.0 * math.log(node.visits))
        tried = [child for child in node.children if child.visits]
        untried = [child for child in node.children if not child.visits]
        bounds = {
            child.number: child.reward / child.visits + width / math.sqrt(child.visits)
            for child in tried
        }
        chosen = untried[0] if untried else max(tried, key=lambda child: bounds[child.number])
        self._tell(
            "select",
            node=node.number,
            chosen=chosen.number,
            untried=len(untried),
            options=[
                {
                    "node": child.number,
                    "move": child.text,
                    "visits": child.visits,
                    "value": round(child.value, 4),
                    "bound": round(bounds[child.number], 4),
                }
                for child in tried
            ],
        )
        return chosen

    def _expand(self, node: Node, state: State) -> None:
        """Add a child for every move, in random order so that none is preferred."""
        move_ids = list(state.move_ids())
        for i in range(len(move_ids)):
            j = i + int(random_below(self._rng, len(move_ids) - i))
            move_ids[i], move_ids[j] = move_ids[j], move_ids[i]
            text = state.move_name(state.move_from_id(move_ids[i]))
            node.children.append(Node(self._size + i, move_ids[i], text))
        self._size += len(move_ids)
        self._tell(
            "expand",
            node=node.number,
            children=[{"node": child.number, "move": child.text} for child in node.children],
        )

    def _play_out(self, leaf: Node, state: State, plies: int) -> tuple[float, float]:
        """Play to the end of the game, or for so many plies and then evaluate.

        Returns the reward, and the same before amplifying.
        """
        texts = []
        draw = random_move_id if self.settings.max_depth else playout_move_id
        while (move_id := draw(state, self._rng, self.settings.playout)) >= 0 and plies > 0:
            move = state.move_from_id(move_id)
            texts.append(state.move_name(move))
            state.push(move)
            plies -= 1
        if move_id < 0:
            score = int(rules_on_words(state.game.rules).score_first(state.words, -move_id))
            share = reward = 0.5 + 0.5 * score
        else:
            share = reward = state.game.evaluator.static_eval(state)
            if self.settings.amplify:
                reward = 0.5 + 0.5 * float(np.sign(reward - self._standard))
        outcome = state.outcome()
        self._tell(
            "simulate",
            node=leaf.number,
            moves=texts,
            outcome=outcome and outcome.facts(),
            reward=round(reward, 4),
        )
        return reward, share

    def _backpropagate(self, search_path: list[Node], reward: float, share: float) -> None:
        """Add the reward to every node on the path, for the player who moved there."""
        updates = []
        second_at_root = bool(self.state.words[SECOND])
        for depth, node in enumerate(search_path):
            first_moved = (depth % 2 == 1) != second_at_root
            gained = reward if first_moved else 1.0 - reward
            node.reward += gained
            node.share += share if first_moved else 1.0 - share
            node.visits += 1
            updates.append(
                {
                    "node": node.number,
                    "visits": node.visits,
                    "value": round(node.value, 4),
                    "gained": round(gained, 4),
                }
            )
        self._tell("back_up", updates=updates)

    def _tell(self, kind: str, **facts: Any) -> None:
        self.steps.append({"kind": kind, **facts})


def _share(state: State, winner: bool | None) -> float:
    return 0.5 if winner is None else float(winner == state.game.first_color)
