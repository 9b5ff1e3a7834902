import hansu
from hansu.arena import judge
from hansu.games.state import State


class Hostile(hansu.Agent):
    """Makes everything legal, in its own process."""

    def act(self, state):
        judge._is_allowed = lambda state, move: True
        type(state).legal_moves = State.move_ids = property(lambda self: list(range(1000)))
        type(state).move_id = lambda self, move: 999
        type(state).move_text = lambda self, move: str(move)
        return "z9"
