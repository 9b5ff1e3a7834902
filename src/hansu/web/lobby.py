"""All tables of a server: setting one up, finding it again, and forgetting old ones."""

import asyncio
import time

from hansu.agents.registry import against_people
from hansu.arena.player import Fault, Player
from hansu.arena.seat import seat
from hansu.arena.warm import touch_rules
from hansu.errors import HansuError
from hansu.games.game import BLACK, WHITE, Game
from hansu.games.state import State
from hansu.records.record import TimeControl
from hansu.web.desk import Desk
from hansu.web.messages import AgentChoice, NewTable
from hansu.web.offer import chosen_game, contestant
from hansu.web.settings import Settings
from hansu.web.table import Seat, Table, Terms


class Lobby:
    """The tables by their ids."""

    def __init__(self, settings: Settings, desk: Desk) -> None:
        self.settings, self.desk = settings, desk
        self.tables: dict[str, Table] = {}
        self._being_set_up = 0

    @property
    def watchers(self) -> int:
        """How many visitors all tables have together."""
        return sum(len(table.audience) for table in self.tables.values())

    def find(self, table_id: str) -> Table:
        """A table; raises HansuError."""
        if table_id not in self.tables:
            raise HansuError("there is no such game any more")
        return self.tables[table_id]

    async def open(self, wanted: NewTable) -> Table:
        """A new table; raises HansuError."""
        self._being_set_up += 1
        try:
            await self._make_room()
            start, seats = await self.desk.prepare(lambda: self._set_up(wanted))
        finally:
            self._being_set_up -= 1
        control = TimeControl(wanted.clock.seconds, None, wanted.clock.increment)
        terms = Terms(control, wanted.think, self.settings.longest_think, wanted.agreement)
        table = Table(start, seats, terms, self.desk)
        table.delay = wanted.delay
        self.tables[table.id] = table
        await table.begin()
        return table

    def _set_up(self, wanted: NewTable) -> tuple[State, dict[bool, Seat]]:
        """Everything that takes long: compile, parse, load."""
        chosen = chosen_game(wanted.game, wanted.rules)
        touch_rules(chosen)
        start = chosen.parse(wanted.position) if wanted.position.strip() else chosen.start()
        touch_rules(start.game)
        for text in wanted.moves:
            start.push(start.parse_move(text))
        seats = {
            WHITE: self._seat(wanted.white, start.game, wanted.black is None),
            BLACK: self._seat(wanted.black, start.game, wanted.white is None),
        }
        try:
            for color, each in seats.items():
                if each.player is not None:
                    each.player.reset(color, start.copy(), time.time_ns())
        except Fault as fault:
            _close(seats)
            raise HansuError(f"an agent could not get ready: {fault.evidence}") from None
        return start, seats

    def _seat(self, choice: AgentChoice | None, game: Game, meets_person: bool) -> Seat:
        if choice is None:
            return Seat()
        who = contestant(choice, self.settings.agents, self.settings.named)
        plays_as = against_people(who) if meets_person else who
        player: Player = seat(plays_as, game, untrusted=True)
        return Seat(choice.agent if choice.agent.endswith(".py") else who, player)

    async def _make_room(self) -> None:
        """Forget tables that nobody has looked at for long; when full, the one left first."""
        now = time.monotonic()
        left = sorted(
            (t for t in self.tables.values() if not len(t.audience)), key=lambda t: t.left_at
        )
        full = self._too_many()
        for number, table in enumerate(left):
            if now - table.left_at > self.settings.forget_after or (full and number == 0):
                await self._forget(table)
        if self._too_many():
            raise HansuError("all tables are taken: try again later")

    def _too_many(self) -> bool:
        return len(self.tables) + self._being_set_up > self.settings.max_tables

    async def _forget(self, table: Table) -> None:
        self.tables.pop(table.id, None)
        await table.close()

    async def close(self) -> None:
        """The server goes down."""
        await asyncio.gather(*(self._forget(table) for table in list(self.tables.values())))
        self.desk.close()


def _close(seats: dict[bool, Seat]) -> None:
    for each in seats.values():
        if each.player is not None:
            each.player.close()
