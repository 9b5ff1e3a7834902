"""Solves exercise 13: Monte Carlo tree search with a tree that outlives the move and the game."""

import math

import hansu

SIMULATIONS = 200


class KeptTree(hansu.Agent):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.memory = {}  # sequence of moves -> games, points of White

    def act(self, state):
        for _ in range(SIMULATIONS):
            self.simulate(state.copy())
        played = tuple(state.move_stack)
        return max(state.legal_moves, key=lambda move: self.memory[(*played, move)][0])

    def simulate(self, state):
        line = tuple(state.move_stack)
        lines = []
        while not state.is_game_over() and (not lines or self.memory[line][0] > 1):
            move = self.choose(state, line)
            state.push(move)
            line = (*line, move)
            lines.append(line)
        white = self.play_out(state)
        for line in lines:
            self.memory[line][0] += 1
            self.memory[line][1] += white

    def choose(self, state, line):
        known = [self.memory.setdefault((*line, move), [0, 0.0]) for move in state.legal_moves]
        total = sum(games for games, _ in known)

        def bound(entry):
            games, points = entry
            if not games:
                return math.inf
            mean = points / games if state.turn == hansu.WHITE else 1.0 - points / games
            return mean + math.sqrt(math.log(total) / games)

        best = max(range(len(known)), key=lambda i: bound(known[i]))
        return state.legal_moves[best]

    def play_out(self, state):
        outcome = state.outcome()
        if outcome is not None:
            return 0.5 if outcome.winner is None else float(outcome.winner)
        counts = hansu.playouts(state, 1, self.rng.getrandbits(32))
        return counts.wins + 0.5 * counts.draws
