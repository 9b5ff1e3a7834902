"""Solves exercise 12: Monte Carlo tree search."""

import math

import hansu


class Node:
    def __init__(self, move=None):
        self.move, self.visits, self.reward, self.children = move, 0, 0.0, []

    def bound(self, visits):
        if not self.visits:
            return math.inf
        mean = self.reward / self.visits
        return mean + math.sqrt(2 * math.log(visits) / self.visits)


class Uct(hansu.Agent):
    simulations = 600

    def act(self, state):
        root = Node()
        for _ in range(self.simulations):
            self.simulate(root, state.copy())
        return max(root.children, key=lambda child: child.visits).move

    def simulate(self, root, state):
        path = [root]
        while path[-1].children:
            path.append(max(path[-1].children, key=lambda c: c.bound(path[-1].visits)))
            state.push(path[-1].move)
        if not state.is_game_over() and (path[-1].visits or path[-1] is root):
            path[-1].children = [Node(move) for move in state.legal_moves]
        white = self.play_out(state)
        mover = not state.turn  # who made the last move
        for node in reversed(path):
            node.visits += 1
            node.reward += white if mover == hansu.WHITE else 1.0 - white
            mover = not mover

    def play_out(self, state):
        outcome = state.outcome()
        if outcome is not None:
            return 0.5 if outcome.winner is None else float(outcome.winner == hansu.WHITE)
        counts = hansu.playouts(state, 1, self.rng.getrandbits(32))
        return counts.wins + 0.5 * counts.draws
