"""Solves exercise 9: alpha–beta, six plies deep, with a win worth more than any evaluation."""

import hansu


def alphabeta(state, depth, alpha, beta):
    if depth == 0 or state.is_game_over():
        return state.game.evaluator.eval_2(state, state.turn)
    for move in sorted(state.legal_moves, key=lambda column: abs(column - 4)):
        alpha = max(alpha, -alphabeta(state.forward(move), depth - 1, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha


class SixPlies(hansu.Agent):
    def act(self, state):
        best, alpha = state.legal_moves[0], -2.0
        for move in state.legal_moves:
            value = -alphabeta(state.forward(move), 5, -2.0, -alpha)
            if value > alpha:
                best, alpha = move, value
        return best
