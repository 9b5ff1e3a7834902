"""All sessions of a server: setting one up, finding it again, and forgetting old ones."""

import asyncio
import time

from hansu.agents.registry import against_people
from hansu.arena.player import Fault, Player
from hansu.arena.precompile import precompile_rules
from hansu.arena.seat import seat
from hansu.games.game import BLACK, WHITE, Game
from hansu.games.state import State
from hansu.records.record import TimeControl
from hansu.web.catalogue import chosen_game, contestant
from hansu.web.live_game import Seat, Terms
from hansu.web.messages import AgentChoice, NewSession
from hansu.web.refusals import Refusal
from hansu.web.server_settings import ServerSettings
from hansu.web.session import Session
from hansu.web.thread_pools import ThreadPools


class Sessions:
    """The sessions by their ids."""

    def __init__(self, settings: ServerSettings, pools: ThreadPools) -> None:
        self.settings, self.pools = settings, pools
        self.by_id: dict[str, Session] = {}
        self._being_set_up = 0

    @property
    def watchers(self) -> int:
        """How many visitors all sessions have together."""
        return sum(len(session.audience) for session in self.by_id.values())

    def find(self, session_id: str) -> Session:
        """Return a session; raises HansuError."""
        if session_id not in self.by_id:
            raise Refusal("no_such_game")
        return self.by_id[session_id]

    async def open(self, wanted: NewSession) -> Session:
        """Open a session; raises HansuError."""
        self._being_set_up += 1
        try:
            await self._make_room()
            start, seats = await self.pools.prepare(lambda: self._set_up(wanted))
        finally:
            self._being_set_up -= 1
        control = TimeControl(wanted.clock.seconds, None, wanted.clock.increment)
        terms = Terms(control, wanted.think, self.settings.longest_think, wanted.agreement)
        session = Session(start, seats, terms, self.pools)
        self.by_id[session.id] = session
        await session.begin(wanted.delay)
        return session

    def _set_up(self, wanted: NewSession) -> tuple[State, dict[bool, Seat]]:
        """Do everything that takes long: compile, parse, load."""
        chosen = chosen_game(wanted.game, wanted.rules)
        precompile_rules(chosen)
        start = chosen.parse(wanted.position) if wanted.position.strip() else chosen.start()
        precompile_rules(start.game)
        for text in wanted.moves:
            start.push(start.parse_move(text))
        seats = {
            WHITE: self._seat(wanted.white, start.game, wanted.black is None),
            BLACK: self._seat(wanted.black, start.game, wanted.white is None),
        }
        for color, each in seats.items():
            try:
                if each.player is not None:
                    each.player.reset(color, start.copy(), time.time_ns())
            except Fault as fault:
                _close(seats)
                evidence = fault.evidence
                raise Refusal("agent_not_ready", agent=each.name, evidence=evidence) from None
        return start, seats

    def _seat(self, choice: AgentChoice | None, game: Game, meets_person: bool) -> Seat:
        if choice is None:
            return Seat()
        who = contestant(choice, self.settings.agents, self.settings.named)
        plays_as = against_people(who) if meets_person else who
        player: Player = seat(plays_as, game, untrusted=True)
        return Seat(choice.agent if choice.agent.endswith(".py") else who, player)

    async def _make_room(self) -> None:
        """Close sessions without visitors for long; when full, the one left first."""
        now = time.monotonic()
        left = sorted(
            (t for t in self.by_id.values() if not len(t.audience)), key=lambda t: t.left_at
        )
        full = self._too_many()
        for number, session in enumerate(left):
            if now - session.left_at > self.settings.forget_after or (full and number == 0):
                await self._forget(session)
        if self._too_many():
            raise Refusal("server_full")

    def _too_many(self) -> bool:
        return len(self.by_id) + self._being_set_up > self.settings.max_sessions

    async def _forget(self, session: Session) -> None:
        self.by_id.pop(session.id, None)
        await session.close()

    async def close(self) -> None:
        """Close all sessions when the server goes down."""
        await asyncio.gather(*(self._forget(session) for session in list(self.by_id.values())))
        self.pools.close()


def _close(seats: dict[bool, Seat]) -> None:
    for each in seats.values():
        if each.player is not None:
            each.player.close()
