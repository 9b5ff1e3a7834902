import hansu
from hansu.arena import referee
from hansu.arena.isolation import agent_host
from hansu.games.state import State


class Hostile(hansu.Agent):
    """Makes everything legal, in its own process."""

    def act(self, state):
        referee.is_legal = agent_host.is_legal = lambda state, move: True
        type(state).legal_moves = State.codes = property(lambda self: list(range(1000)))
        type(state).move_text = lambda self, move: str(move)
        return "z9"
