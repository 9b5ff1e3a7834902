"""A tree search of your own, with another formula: PUCT, with equal priors."""

import math
from typing import Any

import hansu


class Node:
    """A position of the tree; its reward is for the player who moved there."""

    def __init__(self, move: Any = None) -> None:
        self.move, self.visits, self.reward = move, 0, 0.0
        self.children: list[Node] = []

    def select(self) -> "Node":
        """Return the child with the highest Q + c · P · sqrt(N) / (1 + n)."""
        width = 2.0 * math.sqrt(self.visits) / len(self.children)
        return max(self.children, key=lambda child: child.mean() + width / (1 + child.visits))

    def mean(self) -> float:
        """Return the mean reward; a half for an unvisited move (first-play urgency)."""
        return self.reward / self.visits if self.visits else 0.5


class OwnMcts(hansu.Agent):
    """Monte Carlo tree search in plain Python."""

    simulations = 400

    def act(self, state: hansu.State) -> Any:
        """Return the most visited move."""
        root = Node()
        for _ in range(self.simulations):
            self.simulate(root, state.copy())
        return max(root.children, key=lambda child: child.visits).move

    def simulate(self, root: Node, state: hansu.State) -> None:
        """Select, expand, simulate, back up."""
        path = [root]
        while path[-1].children:
            path.append(path[-1].select())
            state.push(path[-1].move)
        if not state.is_game_over():
            path[-1].children = [Node(move) for move in state.legal_moves]
        white, mover = self.play_out(state), not state.turn
        for node in reversed(path):
            node.visits += 1
            node.reward += white if mover == hansu.WHITE else 1.0 - white
            mover = not mover

    def play_out(self, state: hansu.State) -> float:
        """Return White's result of a random game."""
        outcome = state.outcome()
        if outcome is not None:
            return 0.5 if outcome.winner is None else float(outcome.winner)
        counts = hansu.playouts(state, 1, self.rng.getrandbits(32))
        first = counts.wins + 0.5 * counts.draws
        return first if state.game.first_color == hansu.WHITE else 1.0 - first


if __name__ == "__main__":
    print(hansu.match("connect4", OwnMcts, "one_step_search", games=10, seed=1))
