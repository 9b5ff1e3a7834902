"""``one_step_search``: try each move and evaluate the next state."""

from hansu.agents.search_agent import SearchAgent
from hansu.games.state import State
from hansu.search.info import Line, SearchInfo
from hansu.search.limits import Budget, Pacer, SearchHandle


class OneStepSearch(SearchAgent):
    """Play the move with the best evaluation of the next state; break ties at random."""

    plays_at_once = True

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Evaluate the state after every move."""
        pacer = Pacer(budget, handle)
        moves = list(state.legal_moves)
        self.rng.shuffle(moves)  # sorting keeps the order of equals, so this breaks ties
        lines: list[Line] = []
        for move in moves:
            if lines and pacer.ends():
                break
            value = state.game.evaluator.eval(state.forward(move), state.turn)
            lines.append(Line(move, state.move_text(move), value))
        lines.sort(key=lambda line: line.value, reverse=True)
        return SearchInfo(tuple(lines), len(lines), pacer.elapsed, depth=1)
