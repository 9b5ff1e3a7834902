"""One game on the server: the true state, who sits where, the clock, and everybody who looks on.

People come and go; the game stays. Everything here runs on the event loop; only the agents' own
thinking does not.
"""

import asyncio
import contextlib
import functools
import secrets
import time
from dataclasses import dataclass
from typing import Any

from hansu.agents.budget import fair_share
from hansu.agents.search_agent import SearchAgent
from hansu.arena.player import Fault, LocalPlayer, Player
from hansu.arena.referee import describe_illegal, is_legal
from hansu.errors import HansuError
from hansu.games.game import BLACK, WHITE
from hansu.games.state import RESIGN, Outcome, State
from hansu.records.facts import COLORS, outcome_facts
from hansu.records.record import GameRecord, TimeControl
from hansu.search.info import SearchInfo
from hansu.search.view import SearchView
from hansu.web.agreement import Agreement, proposal
from hansu.web.audience import Audience, Sight, Visitor, message
from hansu.web.desk import Desk
from hansu.web.looking import Followed, Looker
from hansu.web.refusals import Refusal
from hansu.web.sheet import Sheet
from hansu.web.views import position_facts, search_facts

HUMAN = "human"
HINTS = {"microchess": "mcts"}  # who gives hints
HINTS_ELSEWHERE = "mcts:max_depth=none"  # where random games tell more than the evaluation
HINT_SECONDS = 1.0
AT_ONCE = 0.05  # seconds: an agent that answers so soon is shown together with the move before


@dataclass
class Seat:
    """A side of the board; without a player it is a person's."""

    name: str = HUMAN
    player: Player | None = None
    is_behind: bool = False  # the game is not where the player left it: it must be told anew


@dataclass(frozen=True)
class Terms:
    """What a game is played under."""

    control: TimeControl
    think: float  # seconds for each move of an agent
    longest: float  # seconds after which an agent's answer is not waited for
    agreement: bool = True  # people agree on dead stones where the game has such


class Table:
    """A game and its audience."""

    def __init__(self, start: State, seats: dict[bool, Seat], terms: Terms, desk: Desk) -> None:
        self.id, self.key = secrets.token_urlsafe(8), secrets.token_urlsafe(16)
        self.audience = Audience()
        self.seats, self.terms, self.delay, self.paused = seats, terms, 0.0, False
        self.left_at = time.monotonic()  # when the last visitor left
        self._desk, self._looker = desk, Looker(desk, self)
        names = {color: seat.name for color, seat in seats.items()}
        self._sheet = Sheet(start, names, terms.control)
        self._agreement: Agreement | None = None  # which stones are dead, after two passes
        self._resumed = False  # it was not agreed once already
        self._positions: dict[Sight, dict[str, Any]] = {}  # as they were last shown
        self._thinking: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()  # do not wait before the agent's move is shown
        self._unwanted = False  # the move that is being thought about is no longer asked for
        self._soon: asyncio.TimerHandle | None = None  # when the table is shown at the latest
        self._leaving: asyncio.Task[None] | None = None  # the players, after the game
        self._lock = asyncio.Lock()

    # What visitors ask for -----------------------------------------------------------------------

    async def begin(self) -> None:
        """Let the first player move."""
        async with self._lock:
            self._go_on()

    async def move(self, text: str) -> None:
        """A person's move; raises HansuError."""
        async with self._lock:
            await self._looker.stop()
            self._check_running()
            if self._seat().player is not None:
                raise Refusal("not_your_turn")
            move = self._state.parse_move(text)
            self._sheet.play(move, self._sheet.clock.stop(), None)
            self._go_on()

    async def undo(self) -> None:
        """Take back to the person's move before this one; raises HansuError."""
        async with self._lock:
            sides = [self._sheet.first == (i % 2 == 0) for i in range(len(self._sheet.turns))]
            mine = [i for i, side in enumerate(sides) if self.seats[side].player is None]
            if not mine:
                raise Refusal("nothing_to_take_back")
            await self._interrupt()
            self._take_back(mine[-1])
            self._go_on()

    async def resign(self) -> None:
        """The person gives up; of two persons the one to move."""
        async with self._lock:
            self._check_running()
            people = [color for color, seat in self.seats.items() if seat.player is None]
            if not people:
                raise Refusal("nobody_can_resign")
            side = self._state.turn if self._state.turn in people else people[0]
            await self._interrupt()
            if side == self._state.turn:
                self._sheet.resign()
            self._finish(Outcome(not side, "resignation"))

    async def mark(self, point: str) -> None:
        """A person holds a string for dead, or no longer; raises HansuError."""
        async with self._lock:
            self._unsettled().mark(point)
            self.publish()

    async def agree(self) -> None:
        """The game is over, counted without the stones that are marked; raises HansuError."""
        async with self._lock:
            settled = self._unsettled()
            if not settled.is_accepted:
                raise Refusal("not_agreed")
            self._finish(settled.outcome(), settled.evidence)

    async def play_on(self) -> None:
        """Not agreed: both passes are taken back, and who passed first is to move."""
        async with self._lock:
            self._unsettled()
            self._resumed = True
            self._take_back(len(self._sheet.turns) - 2)
            self._go_on()

    async def count(self) -> None:
        """Still not agreed: whatever is left on the board is alive, as the rules have it."""
        async with self._lock:
            self._unsettled()
            if not self._resumed:
                raise Refusal("play_on_first")
            ruled, self._agreement = self._state.outcome(), None
            assert ruled is not None
            self._finish(ruled)

    async def pace(self, paused: bool, delay: float) -> None:
        """How fast two agents play on."""
        async with self._lock:
            was, self.paused, self.delay = self.paused, paused, delay
            self._hurry.set()
            if paused:
                await self._interrupt()
                self.publish()
            elif was and self._sheet.outcome is None:
                self._go_on()

    async def hint(self) -> None:
        """Show the person a good move; raises HansuError."""
        await self.analyze(HINTS.get(self._state.game.name, HINTS_ELSEWHERE), HINT_SECONDS, "hint")

    async def analyze(self, who: str, seconds: float, kind: str = "analysis") -> None:
        """Let an agent look at the position; everybody hears what it finds."""
        async with self._lock:
            self._check_running()
            if self._thinking is not None:
                raise Refusal("agent_to_move")
            await self._looker.begin(
                self._state.copy(),
                who,
                seconds,
                lambda number, info, done: self._tell_search(kind, number, info, done),
                lambda text: self.audience.tell("error", {"text": text, "rule": ""}),
            )

    async def stop(self) -> None:
        """End an analysis, with what it has found."""
        async with self._lock:
            await self._looker.stop()

    def view(self, number: int) -> SearchView:
        """A search at this table, to go into; raises HansuError."""
        return self._desk.searches.of(self, number)

    def welcome(self, visitor: Visitor) -> None:
        """Show a visitor how things are."""
        visitor.tell("state", message("state", self.facts(visitor.sight)))

    def publish(self) -> None:
        """Show everybody how things are."""
        if self._soon is not None:
            self._soon.cancel()
        self._positions.clear()
        self.audience.show("state", self.facts)

    async def close(self) -> None:
        """Nobody comes back: free everything."""
        async with self._lock:
            await self._interrupt()
            self._desk.searches.forget(self)
            players = [seat.player for seat in self.seats.values() if seat.player is not None]
            for player in players:
                await self._desk.prepare(player.close)

    # What everybody can see ----------------------------------------------------------------------

    def facts(self, sight: Sight) -> dict[str, Any]:
        """The whole table."""
        state = self._state
        tally = self._agreement.tally() if self._agreement else state.tally()
        return {
            "id": self.id,
            "game": str(state.game),
            "name": state.game.name,
            "white": self.seats[WHITE].name,
            "black": self.seats[BLACK].name,
            "first": COLORS[self._sheet.first],
            "played": [turn.move for turn in self._sheet.turns],
            "values": [turn.value for turn in self._sheet.turns],
            "clock": self._sheet.clock.facts(state.turn),
            "thinking": self._thinking is not None,
            "paused": self.paused,
            "delay": self.delay,
            "outcome": outcome_facts(self._sheet.outcome, tally, len(self._sheet.turns)),
            "evidence": self._sheet.evidence,
            "agreement": self._agreement_facts(),
            **self._position(sight),
        }

    def _position(self, sight: Sight) -> dict[str, Any]:
        """The board and its moves, drawn once for all who see it alike."""
        if sight not in self._positions:
            over = self._sheet.outcome is not None
            self._positions[sight] = position_facts(self._state, sight, over, self._agreement)
        return self._positions[sight]

    def _agreement_facts(self) -> dict[str, Any] | None:
        if self._agreement is None or self._sheet.outcome is not None:
            return None
        return {**self._agreement.facts(), "resumed": self._resumed}

    def record(self) -> GameRecord:
        """The game so far."""
        return self._sheet.record()

    # How a game goes on --------------------------------------------------------------------------

    @property
    def _state(self) -> State:
        return self._sheet.state

    def _seat(self) -> Seat:
        return self.seats[self._state.turn]

    def _check_running(self) -> None:
        if self._sheet.outcome is not None:
            raise Refusal("the_game_is_over")
        if self._state.is_game_over():
            raise Refusal("both_passed")

    def _unsettled(self) -> Agreement:
        if self._agreement is None or self._sheet.outcome is not None:
            raise Refusal("nothing_to_agree_on")
        return self._agreement

    def _go_on(self) -> None:
        """Whose turn is it? Start that clock, or an agent's thinking."""
        outcome = self._state.outcome()
        if outcome is not None and self._may_agree(outcome):
            self._unwanted = False
            self._thinking = asyncio.create_task(self._propose())
            return self.publish()
        if outcome is not None:
            return self._finish(outcome)
        self._sheet.begin_turn()
        player = self._seat().player
        if player is None:
            self._sheet.clock.start(self._state.turn)
            self._sheet.clock.guard(self._state.turn, self._flag_falls)
        elif not self.paused:
            self._unwanted = False
            self._hurry.clear()
            self._thinking = asyncio.create_task(self._agent_turn(player))
            self._soon = asyncio.get_running_loop().call_later(AT_ONCE, self.publish)
            return
        self.publish()

    def _may_agree(self, outcome: Outcome) -> bool:
        people = any(seat.player is None for seat in self.seats.values())
        passed = outcome.reason == "two_passes" and len(self._sheet.turns) > 1
        return self.terms.agreement and people and passed

    async def _propose(self) -> None:
        """Look which stones are dead, then let the people have their say."""
        state: Any = self._state.copy()
        players = {color: seat.player for color, seat in self.seats.items()}
        dead = await self._desk.think(lambda: proposal(state, players.values()))
        self._thinking = None
        if not self._unwanted:
            agent = next((color for color, player in players.items() if player), None)
            self._agreement = Agreement(state, dead, agent)
            self.publish()

    def _take_back(self, turns: int) -> None:
        self._sheet.take_back(turns)
        self._agreement = None
        for seat in self.seats.values():
            seat.is_behind = True

    def _finish(self, outcome: Outcome, evidence: str = "") -> None:
        self._sheet.finish(outcome, evidence)
        self._leaving = asyncio.create_task(self._send_players_home())
        self.publish()

    async def _send_players_home(self) -> None:
        """Free what the players hold; if a move is taken back, they come again."""
        for seat in self.seats.values():
            if seat.player is not None:
                seat.is_behind = True
                await self._desk.prepare(seat.player.close)

    def _flag_falls(self) -> None:
        self._finish(Outcome(not self._state.turn, "timeout"))

    # Agents --------------------------------------------------------------------------------------

    async def _agent_turn(self, player: Player) -> None:
        """One move of an agent, from asking to playing it."""
        begin, state, seat = time.monotonic(), self._state.copy(), self._seat()
        thinker = player.agent if isinstance(player, LocalPlayer) else None
        followed = self._followed(state) if len(self.audience) else None
        loop = asyncio.get_running_loop()

        def ask() -> Any:
            if seat.is_behind:
                player.reset(state.turn, state.copy(), time.time_ns())
                seat.is_behind = False
            loop.call_soon_threadsafe(self._agent_begins)
            self._sheet.clock.show_on(state)
            if isinstance(thinker, SearchAgent):
                thinker.stopping, thinker.report = False, None
                if self._unwanted:
                    thinker.stop()
                thinker.seconds = min(self.terms.think, fair_share(state))
                if followed is not None:
                    followed.begin(thinker)
            return player.act(state, self._sheet.clock.budget(state.turn) or self.terms.longest)

        try:
            answer = await self._desk.think(ask)
        except Fault as fault:
            answer = fault
        except HansuError as error:  # it could not be started again
            answer = Fault("crash", str(error))
        used = self._sheet.clock.stop()
        found = thinker.info if isinstance(thinker, SearchAgent) else None
        if thinker is not None and found is not None and followed is not None:
            await self._desk.prepare(functools.partial(followed.end, thinker, found))
        if (early := begin + self.delay - time.monotonic()) > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._hurry.wait(), early)
        self._thinking = None
        if self._unwanted:
            self._sheet.set_clock_back()
            return
        if found is not None and followed is not None:
            self._tell_search("search", followed.number, found, True)
        self._judge(answer, used, player)

    def _followed(self, state: State) -> Followed:
        """The search of the agent to move, for everybody to look into."""
        return Followed(
            self._desk.searches,
            self,
            state.copy(),
            self._seat().name,
            lambda number, info, done: self._tell_search("search", number, info, done),
        )

    def _agent_begins(self) -> None:
        """It has got a place to think, perhaps after waiting for one: now its time counts."""
        if self._thinking is not None and not self._unwanted:
            self._sheet.clock.start(self._state.turn)
            if self.terms.control.seconds is not None:
                self.publish()

    def _judge(self, answer: Any, used: float, player: Player) -> None:
        """Play what an agent answered, or say how it lost."""
        side, name = self._state.turn, self._seat().name
        if self._sheet.clock.is_late:
            answer = Fault("timeout", f"took {used:.3f} s")
        elif isinstance(answer, Fault) or answer is RESIGN:
            pass
        elif not is_legal(self._state, answer):
            answer = Fault("illegal_move", describe_illegal(self._state, answer))
        if isinstance(answer, Fault):
            self._finish(Outcome(not side, answer.reason), f"{name}: {answer.evidence}")
        elif answer is RESIGN:
            self._sheet.resign(used)
            self._finish(Outcome(not side, "resignation"))
        else:
            self._sheet.play(answer, used, getattr(player, "value", None))
            self._go_on()

    async def _interrupt(self) -> None:
        """Whatever is being thought about is not wanted any more; wait until it has ended."""
        await self._looker.stop()
        if self._thinking is not None:
            self._unwanted = True
            self._hurry.set()
            seat = self._seat()
            if seat.player is not None:
                seat.player.interrupt()
            await self._thinking
            seat.is_behind = True
        if self._leaving is not None:
            await self._leaving
        self._sheet.clock.stop()

    def _tell_search(self, kind: str, number: int, info: SearchInfo, done: bool) -> None:
        if info.lines:
            facts = {
                "info": search_facts(info),
                "turn": len(self._sheet.turns),
                "done": done,
                "of": kind,
            }
            self.audience.tell("search", {**facts, "id": number})
