"""After two passes: which stones are dead? The rules themselves count every stone as alive.

The agent proposes, the person may change it; the agent accepts every change that does not cost it
points.
"""

import functools
from collections.abc import Iterable
from typing import Any

from hansu.arena.player import LocalPlayer, Player
from hansu.errors import HansuError
from hansu.games.game import BLACK, WHITE
from hansu.games.go.benson import alive_stones
from hansu.games.go.ownership import count_owners, dead_stones
from hansu.games.go.state import GoState
from hansu.games.state import Outcome, State
from hansu.kernel.tiers import compile_beside, is_compiled, is_interpreting
from hansu.protocols.gtp_agents import GnuGo
from hansu.records.evidence import EVIDENCE, evidence_facts
from hansu.records.record import GameRecord
from hansu.web.refusals import Refusal

REASON = "agreement"


class Agreement:
    """Which stones are dead, and the result without them.

    >>> import hansu
    >>> state = hansu.game("go", size=5, komi=0.5).parse("..x../o.x../..x../..x../..x..")
    >>> settled = Agreement(state, {state.point("A4")}, agent=None)
    >>> settled.outcome()
    Outcome(winner=False, reason='agreement', margin=24.5)
    >>> settled.evidence
    'dead stones: A4'
    """

    def __init__(self, state: GoState, proposed: Iterable[int], agent: bool | None) -> None:
        self._state, self._agent = state, agent  # the colour of the agent that proposes, if any
        self._proposed = self.dead = frozenset(proposed)

    def mark(self, text: str) -> None:
        """Mark a string dead, or alive again; raises HansuError."""
        string = self._state.string_at(text)
        if string is None:
            raise Refusal("no_stone", point=text[:20])
        self.dead = self.dead ^ string.stones

    @property
    def is_accepted(self) -> bool:
        """Whether the agent, if there is one, agrees to what is marked now."""
        lead, offered = (self._state.area(dead).lead for dead in (self.dead, self._proposed))
        return self._agent is None or (lead >= offered if self._agent == BLACK else lead <= offered)

    def outcome(self) -> Outcome:
        """Return the result without the dead stones."""
        ruled = self._state.outcome()
        if not self.dead and ruled is not None:
            return ruled
        lead = self._state.area(self.dead).lead
        return Outcome(BLACK if lead > 0 else WHITE if lead else None, REASON, abs(lead))

    @property
    def evidence(self) -> str:
        """The dead stones, as a record names them."""
        names = [self._state.move_text(point) for point in sorted(self.dead)]
        return EVIDENCE["dead_stones"].format(stones=" ".join(names)) if names else ""

    def tally(self) -> dict[str, tuple[float, float]]:
        """Return the game's counts without the dead stones."""
        area = self._state.area(self.dead)
        return {**self._state.tally(), "area": (area.white + area.komi, area.black)}

    def facts(self) -> dict[str, Any]:
        """Return what the page shows of it."""
        stones = [point for point, color in enumerate(self._state.stones()) if color is not None]
        return {
            "stones": [self._state.move_text(point) for point in stones],
            "dead": [self._state.move_text(point) for point in sorted(self.dead)],
            "accepted": self.is_accepted,
            "lead": self._state.area(self.dead).lead,
        }


def proposal(state: GoState, players: Iterable[Player | None]) -> frozenset[int]:
    """Return the stones that look dead: to GNU Go where it plays, else by many playouts.

    Stones that are unconditionally alive never are.
    """
    for player in players:
        if isinstance(player, LocalPlayer) and isinstance(player.agent, GnuGo):
            try:
                return player.agent.dead_stones(state) - alive_stones(state)
            except HansuError:  # it has failed: then without it
                break
    return dead_stones(state)


def as_counted(state: State, players: Iterable[Player | None], resumed: bool) -> State:
    """Return a state in which the end is counted as it will be agreed on, for a search to see.

    Once there was no agreement, people may also have every stone counted as alive. Then only stones
    of the side to move count as dead: it must capture the others.
    """
    if not isinstance(state, GoState):
        return state
    if is_interpreting() and not is_compiled(count_owners):  # playouts would take minutes
        compile_beside(functools.partial(dead_stones, state.copy()))
        return state
    dead = proposal(state, players)
    if resumed:
        dead = frozenset(point for point in dead if state.stone_at(point) == state.turn)
    return state.counted_without(dead)


def recorded(record: GameRecord, last: State) -> Agreement | None:
    """Return the agreement that a recorded game was counted by, if there was one."""
    if record.outcome.reason != REASON or not isinstance(last, GoState):
        return None
    names = (evidence_facts(record.evidence) or {}).get("stones", "").split()
    stones = [point for point, color in enumerate(last.stones()) if color is not None]
    return Agreement(last, (p for p in stones if last.move_text(p) in names), agent=None)
