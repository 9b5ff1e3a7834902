"""A game in progress: whose turn it is, what agents answer, when it is over.

Everything here runs on the event loop; only the agents' own thinking does not.
"""

import asyncio
import contextlib
import functools
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any

from hansu.agents.agent import Answer
from hansu.arena.judge import attempt, judge
from hansu.arena.player import Fault, Player
from hansu.games.state import Outcome, State
from hansu.records.record import TimeControl
from hansu.search.info import SearchInfo
from hansu.search.limits import SearchHandle
from hansu.web.agreement import Agreement, as_counted, proposal
from hansu.web.analysis import ObservedSearch
from hansu.web.fair_share import Account
from hansu.web.game_log import GameLog
from hansu.web.session_seat import Seat
from hansu.web.thread_pools import ThreadPools

AT_ONCE = 0.05  # seconds: an agent that answers so soon is shown together with the move before


@dataclass(frozen=True)
class Terms:
    """What a game is played under."""

    control: TimeControl
    think: float  # seconds for each move of an agent
    longest: float  # seconds after which an agent's answer is not waited for
    away: float = 10.0  # seconds without visitors after which agents pause
    agreement: bool = True  # people agree on dead stones where the game has such
    seed: int = 0  # of the game, secret until it is over
    help: str = "none"  # of which moves a teacher warns


class Thought:
    """What is being thought about off the event loop: a move, or which stones are dead."""

    def __init__(
        self, think: Callable[["Thought"], Coroutine[Any, Any, None]], handle: SearchHandle
    ) -> None:
        self.handle, self.is_wanted = handle, True
        self.hurry = asyncio.Event()  # show the answer without any delay
        self._task = asyncio.create_task(think(self))

    async def call_off(self) -> None:
        """Stop it, wait until it has ended, and drop the answer."""
        self.is_wanted = False
        self.hurry.set()
        self.handle.stop()
        await self._task


class LiveGame:
    """Let the sides move in turn, and judge what agents answer.

    ``show`` is called after each change with the seconds it may wait. ``observe`` returns a search
    for the audience to follow, or None.
    """

    def __init__(
        self,
        log: GameLog,
        seats: dict[bool, Seat],
        terms: Terms,
        pools: ThreadPools,
        account: Account,
        show: Callable[[float], None],
        observe: Callable[[State, str], ObservedSearch | None],
    ) -> None:
        self.log, self.seats, self.terms = log, seats, terms
        self.paused, self.delay = False, 0.0  # of games between agents
        self.unattended = False  # nobody is there: agents do not move
        self.thought: Thought | None = None
        self._pools, self._account = pools, account
        self._show, self._observe = show, observe
        self._leaving: asyncio.Task[None] | None = None  # the players, after the game
        self._preparing = False  # the agent to move is being compiled, and people are told so
        self._cost = self.shown_for = 0.0  # seconds of the event loop for the last turn

    @property
    def seat(self) -> Seat:
        """The seat of the side to move."""
        return self.seats[self.log.state.turn]

    @property
    def people(self) -> list[bool]:
        """The colours that people have."""
        return [color for color, seat in self.seats.items() if seat.player is None]

    def go_on(self) -> None:
        """Start the clock of the side to move, or its agent's thinking; or end the game."""
        if self.unattended:
            return
        outcome, player = self.log.state.outcome(), self.seat.player
        if outcome is not None and self._may_agree(outcome):
            self.thought = Thought(self._propose, SearchHandle())
        elif outcome is not None:
            return self.finish(outcome)
        else:
            self.log.begin_turn()
            if player is not None and not self.paused:
                return self._ask(player)
            if player is None:
                self.log.clock.start(self.log.state.turn)
                self.log.clock.guard(self.log.state.turn, self._flag_falls)
        self._show(0.0)

    def play(self, answer: Answer | Fault) -> None:
        """Play the answer of the side to move, whose clock has stopped, or end the game."""
        verdict = judge(self.log.state, answer, self.seat.name, self.log.clock)
        if isinstance(answer, Answer) and verdict.text is not None:
            self.log.play(answer, verdict.text)
        if verdict.outcome is not None:
            self.finish(verdict.outcome, verdict.evidence)
        else:
            self.go_on()

    def take_back(self, turns: int) -> None:
        """Return to the game after ``turns`` turns."""
        self.log.take_back(turns)
        for seat in self.seats.values():
            seat.is_behind = True

    def finish(self, outcome: Outcome, evidence: str = "") -> None:
        """End the game."""
        self.log.finish(outcome, evidence)
        self._leaving = asyncio.create_task(self.close())
        self._show(0.0)

    async def interrupt(self) -> None:
        """Call off what is being thought about; wait until it has ended."""
        if self.thought is not None:
            seat = self.seat
            await self.thought.call_off()
            seat.is_behind = True
        if self._leaving is not None:
            await self._leaving
        self.log.clock.stop()

    async def rest(self) -> None:
        """Free what the players hold while nobody is there; a person's clock goes on."""
        if self.thought is not None:
            await self.interrupt()
        await self.close()

    def resume(self) -> None:
        """Go on after a rest, if an agent is to move; a person has been to move all the time."""
        if self.thought is None and (self.seat.player is not None or self.log.state.is_game_over()):
            self.go_on()

    async def close(self) -> None:
        """Free what the players hold; if there is another move, they come again."""
        for seat in self.seats.values():
            if seat.player is not None:
                await self._pools.aside(seat.leave)
                self._pools.processes.forget(seat)

    def _flag_falls(self) -> None:
        self.finish(Outcome(not self.log.state.turn, "timeout"))

    # Dead stones ---------------------------------------------------------------------------------

    def _may_agree(self, outcome: Outcome) -> bool:
        passed = outcome.reason == "two_passes" and len(self.log.turns) > 1
        return self.terms.agreement and bool(self.people) and passed

    def as_counted(self, state: State) -> State:
        """Return the state for a search to see: its end is counted as people will agree."""
        if not (self.terms.agreement and self.people):
            return state
        players = [seat.player for seat in self.seats.values()]
        return as_counted(state, players, self.log.resumed)

    async def _propose(self, thought: Thought) -> None:
        """Find the dead stones, then let the people decide."""
        state: Any = self.log.state.copy()
        players = {color: seat.player for color, seat in self.seats.items()}
        find = functools.partial(proposal, state, players.values())
        dead = await self._pools.think(find, self._account)
        self.thought = None
        if thought.is_wanted:
            agent = next((color for color, player in players.items() if player), None)
            self.log.agreement = Agreement(state, dead, agent)
            self._show(0.0)

    # Agents --------------------------------------------------------------------------------------

    def _ask(self, player: Player) -> None:
        """Have an agent think about its move."""
        state = self.log.state.copy()
        observed = self._observe(state.copy(), self.seat.name)
        handle = observed.handle if observed is not None else self._pools.handle()
        turn = functools.partial(self._agent_turn, player=player, state=state, observed=observed)
        self.thought, self._preparing = Thought(turn, handle), self.seat.is_preparing
        self._show(0.0 if self.delay else AT_ONCE)

    async def _agent_turn(
        self, thought: Thought, player: Player, state: State, observed: ObservedSearch | None
    ) -> None:
        """Ask an agent for one move and play it."""
        begin = time.monotonic()
        act = functools.partial(self._act, thought, player, state, asyncio.get_running_loop())
        ask = functools.partial(attempt, act)
        async with self._turn():
            answer = await self._pools.search(ask, self._account, thought.handle)
        self.log.clock.stop()
        found = answer.info if isinstance(answer, Answer) else None
        if found is not None and observed is not None:
            keep = functools.partial(self._keep, observed, found, self.seats[state.turn])
            await self._pools.think(keep, self._account)
        if (early := begin + self.delay - time.monotonic()) > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(thought.hurry.wait(), early)
        self.thought = None
        if not thought.is_wanted:
            self.log.set_clock_back()
            return
        if found is not None and observed is not None:
            observed.tell(found, True)
        began = time.perf_counter()
        self.play(answer)
        self._cost = time.perf_counter() - began

    @staticmethod
    def _keep(observed: ObservedSearch, found: SearchInfo, seat: Seat) -> None:
        with seat.tier():
            observed.end(found)

    def _turn(self) -> contextlib.AbstractAsyncContextManager[None]:
        if self.people:
            return contextlib.nullcontext()
        return self._pools.turn_between_agents(self._cost + self.shown_for)

    def _act(
        self, thought: Thought, player: Player, state: State, loop: asyncio.AbstractEventLoop
    ) -> Answer:
        """Ask a player, in a thread."""
        seat, clock = self.seats[state.turn], self.log.clock

        def act() -> Answer:
            if seat.is_behind:
                player.reset(state.turn, state.copy(), seat.seed)
                seat.is_behind = False
            seen = state if seat.has_process else self.as_counted(state)  # not on its clock
            loop.call_soon_threadsafe(self._agent_begins, thought)
            clock.show_on(seen)
            seen.timing = replace(seen.timing, move_seconds=self.terms.think)
            budget = clock.budget(seen.turn)
            longest = self.terms.longest if budget is None else budget
            return player.act(seen, longest, thought.handle)

        return seat.work(self._pools, lambda: thought.is_wanted, act)

    def _agent_begins(self, thought: Thought) -> None:
        """Start the agent's clock once it has a thread, perhaps after waiting for one."""
        if self.thought is thought and thought.is_wanted:
            self.log.clock.start(self.log.state.turn)
            if self.terms.control.seconds is not None or self._preparing:
                self._preparing = False
                self._show(0.0)
