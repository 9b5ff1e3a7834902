"""Solves exercise 15: PUCT in plain Python, with the shipped network."""

import math

import numpy as np

import hansu
from hansu.learning.model import find_model

SIMULATIONS = 30


class Node:
    def __init__(self, prior):
        self.prior, self.visits, self.total, self.children = prior, 0, 0.0, {}

    def score(self, parent):
        q = -self.total / self.visits if self.visits else 0.0
        return q + 1.5 * self.prior * math.sqrt(parent.visits) / (1 + self.visits)


class Puct(hansu.Agent):
    model = None

    def prepare(self, start):
        self.model = find_model("shipped", start.game)

    def act(self, state):
        root = Node(1.0)
        for _ in range(SIMULATIONS):
            self.simulate(root, state)
        return max(root.children, key=lambda move: root.children[move].visits)

    def simulate(self, node, state):
        outcome = state.outcome()
        if outcome is not None:
            value = 0.0 if outcome.winner is None else -1.0
        elif not node.children:
            priors, value = self.evaluate(state)
            node.children = {move: Node(prior) for move, prior in priors.items()}
        else:
            move, child = max(node.children.items(), key=lambda item: item[1].score(node))
            value = -self.simulate(child, state.forward(move))
        node.visits += 1
        node.total += value
        return value

    def evaluate(self, state):
        features = state.game.features
        *logits, value = self.model(features.pack(state)[None])[0]
        shares = {move: np.exp(logits[features.action(state, move)]) for move in state.legal_moves}
        total = sum(shares.values())
        return {move: share / total for move, share in shares.items()}, float(value)
