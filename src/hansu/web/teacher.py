"""A teacher beside the person: judges a move before it is final, by its win probability."""

from hansu.agents.agent_life import AgentLife
from hansu.agents.registry import named_agent
from hansu.arena.review import INACCURACY, SIZES, ReviewedTurn, judge_move
from hansu.games.state import State
from hansu.search.limits import Limits, SearchHandle

AGENT = "engine:memory=8,threads=1"  # the strongest, with little memory: there are many tables
THINKING = Limits(0.4)  # for each of both positions
LEAST = {"blunders": SIZES[0][0], "mistakes": SIZES[1][0], "everything": INACCURACY}
"""From which loss of win probability on each level of help warns."""


class Teacher:
    """Judges the moves of a person at one table; its agent is made when it is first needed."""

    def __init__(self, level: str) -> None:
        self.level = level
        self._life: AgentLife | None = None

    def judge(self, state: State, text: str, handle: SearchHandle) -> ReviewedTurn | None:
        """Return what is wrong with a move, if it is worth a warning; in a thread."""
        if self._life is None:
            self._life = AgentLife(named_agent(AGENT, state.game))
        found = judge_move(self._life, state, text, THINKING, handle)
        is_bad = found.lost >= LEAST[self.level] and not handle.stopped
        return found if is_bad else None

    def release(self) -> None:
        """Free what its agent holds; it comes again when needed."""
        life, self._life = self._life, None
        if life is not None:
            life.release()
