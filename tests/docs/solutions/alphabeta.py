"""Solves exercises 6 and 7: alpha–beta, three plies deep."""

import hansu


def alphabeta(state, depth, alpha, beta):
    if depth == 0 or state.is_game_over():
        return state.game.evaluator.eval_2(state, state.turn)
    for move in sorted(state.legal_moves, key=state.is_capture, reverse=True):
        alpha = max(alpha, -alphabeta(state.forward(move), depth - 1, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha


class AlphaBeta(hansu.Agent):
    def act(self, state):
        moves = list(state.legal_moves)
        self.rng.shuffle(moves)
        best, alpha = moves[0], -2.0
        for move in sorted(moves, key=state.is_capture, reverse=True):
            value = -alphabeta(state.forward(move), 2, -2.0, -alpha)
            if value > alpha:
                best, alpha = move, value
        return best
