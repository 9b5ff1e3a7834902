"""A session: one game on the server and what its visitors may ask of it.

People come and go; the game stays.
"""

import asyncio
import functools
import secrets
import time
from typing import Any

from hansu.agents.agent import Answer
from hansu.errors import HansuError
from hansu.games.state import RESIGN, Outcome, State
from hansu.records.record import RESIGNED, GameRecord
from hansu.records.variations import Node
from hansu.search.view import SearchView
from hansu.web.agreement import Agreement
from hansu.web.analysis import Analyses, ObservedSearch
from hansu.web.audience import Audience, Crowd, Visitor
from hansu.web.fair_share import Account
from hansu.web.game_log import GameLog
from hansu.web.live_game import LiveGame, Terms
from hansu.web.messages import NewSession
from hansu.web.ownership_map import OwnershipMap
from hansu.web.publisher import Publisher
from hansu.web.refusals import Refusal
from hansu.web.session_seat import Seat
from hansu.web.study import Study
from hansu.web.teacher import LEAST, Teacher
from hansu.web.thread_pools import ThreadPools

HINTS = "engine:threads=1,memory=16"  # the agent that gives hints, with proofs where it has any
HINT_SECONDS = 1.0
ANALYSIS_AWAY = 3.0  # seconds without visitors after which analyses end: a page is loaded again


class Session:
    """A game, its audience, and one request at a time."""

    def __init__(
        self,
        start: State,
        seats: dict[bool, Seat],
        terms: Terms,
        pools: ThreadPools,
        crowd: Crowd,
        account: Account,
        address: str = "",
        opened: NewSession | None = None,
        study: Study | None = None,
    ) -> None:
        self.id, self.key = secrets.token_urlsafe(8), secrets.token_urlsafe(16)
        self.address = address  # where it was opened from
        self.opened = opened  # as it was asked for
        self.account = account
        self.audience = Audience(crowd)
        self.was_visited = False
        # The version that the library has; a record that is only looked at is not kept again.
        self.kept: object = None if study is None else study.revision
        self.left_at = time.monotonic()  # when the last visitor left
        self.acted_at = time.monotonic()  # when somebody last did something here
        self._log = GameLog(start, {c: seat.name for c, seat in seats.items()}, terms.control)
        self._game = LiveGame(
            self._log, seats, terms, pools, self.account, self._show, self._observed
        )
        self._study = study
        self._publisher = Publisher(self.audience, self.id, self._game, study)
        self._pools, self._analyses = pools, Analyses(pools, self, self.account)
        self._owners = OwnershipMap(pools, account, self._publisher.tell_owners)
        self._teacher = Teacher(terms.help) if terms.help in LEAST else None
        self._lock = asyncio.Lock()
        self._pausing: asyncio.Task[None] | None = None
        self._closed = False

    def replay(self, moves: list[Any]) -> None:
        """Go on from a game that was played elsewhere, with its moves."""
        for move in moves:
            self._log.begin_turn()
            self._log.play(Answer(move), self._log.state.move_text(move))

    @property
    def version(self) -> object:
        """Something that changes when the game does."""
        if self._study is not None:
            return self._study.revision
        return len(self._log.turns), self._log.outcome

    async def begin(self, delay: float = 0.0) -> None:
        """Let the first player move; ``delay`` is that of ``pace``."""
        async with self._lock:
            self._game.delay = delay
            if self._study is not None and self._study.node.parent is not None:
                await self._stand_at(self._study.node)
            else:
                self._game.go_on()
        self._pausing = asyncio.create_task(self._pause_unattended())

    async def join(self, visitor: Visitor) -> None:
        """Show a new visitor how things are; the first one wakes the agents."""
        self.audience.add(visitor)
        self.was_visited = True
        self._publisher.welcome(visitor)
        self._publisher.recall(visitor)
        if self._pausing is not None:
            self._pausing.cancel()
            await asyncio.gather(self._pausing, return_exceptions=True)
            self._pausing = None
        if self._game.unattended:
            async with self._lock:
                self._game.unattended = False
                if self._log.outcome is None and self._log.agreement is None:
                    self._game.resume()

    def part(self, visitor: Visitor) -> None:
        """Let a visitor go; without any the agents soon pause."""
        self.audience.remove(visitor)
        self.left_at = time.monotonic()
        if not len(self.audience) and self._pausing is None and not self._closed:
            self._pausing = asyncio.create_task(self._pause_unattended())

    async def _pause_unattended(self) -> None:
        """After a while without visitors: drop what agents think about, and free what they hold."""
        soon = min(ANALYSIS_AWAY, self._game.terms.away)
        await asyncio.sleep(soon)
        async with self._lock:
            await self._analyses.stop()
        await asyncio.sleep(self._game.terms.away - soon)
        self._pausing = None  # from here on it is not called off
        async with self._lock:
            if not len(self.audience):
                self._game.unattended = True
                await self._analyses.stop()
                self._pools.searches.forget(self)  # trees are large
                await self._game.rest()
                self._dismiss_teacher()

    async def move(self, text: str, sure: bool = False) -> None:
        """Make a person's move, unless a teacher warns of it; raises HansuError."""
        async with self._lock:
            await self._analyses.stop()
            if self._study is not None:
                self._study.check_room()
            self._check_running()
            if self._game.seat.player is not None:
                raise Refusal("not_your_turn")
            move = self._log.state.parse_move(text)
            if self._teacher is not None and not sure and await self._warned(text):
                return
            self._check_running()  # the flag may have fallen meanwhile
            self._log.clock.stop()
            self._game.play(Answer(move))

    async def _warned(self, text: str) -> bool:
        """Return whether the teacher warns of a move, and say what is wrong with it."""
        assert self._teacher is not None
        handle, state = self._pools.handle(), self._log.state.copy()
        see = functools.partial(self._game.as_counted, state)
        judge = self._teacher.judge
        try:
            found = await self._pools.search(
                lambda: judge(see(), state.move_text(state.parse_move(text)), handle),
                *(self.account, handle),
            )
        except HansuError:  # no teacher is no reason not to play
            return False
        if found is not None:
            self._publisher.warn(found)
        return found is not None

    async def undo(self) -> None:
        """Take back the person's last move and what followed; raises HansuError."""
        async with self._lock:
            if self._study is not None:
                self._study.step_back()
                return await self._stand_at(self._study.node)
            people = self._game.people
            turns = range(len(self._log.turns))
            mine = [i for i in turns if (self._log.first == (i % 2 == 0)) in people]
            if not mine:
                raise Refusal("nothing_to_take_back")
            await self._interrupt()
            self._log.taken_back += 1
            self._game.take_back(mine[-1])
            self._game.go_on()

    async def go(self, number: int) -> None:
        """Show another position of an analysis; raises HansuError."""
        async with self._lock:
            await self._stand_at(self._studied().find(number))

    async def comment(self, number: int, text: str) -> None:
        """Say something about a position of an analysis; raises HansuError."""
        async with self._lock:
            self._studied().comment(number, text)
            self._publisher.show()

    async def prune(self, number: int, how: str) -> None:
        """``promote`` or ``remove`` a line of an analysis; raises HansuError."""
        async with self._lock:
            study = self._studied()
            getattr(study, how)(number)
            await self._stand_at(study.node)

    def _studied(self) -> Study:
        if self._study is None:
            raise Refusal("no_study")
        return self._study

    async def _stand_at(self, node: Node) -> None:
        """Take the game to a position of the analysis."""
        await self._interrupt()
        path, log = [each.turn.move for each in node.path()], self._log
        same = next(
            (
                at
                for at, pair in enumerate(zip(path, log.turns, strict=False))
                if pair[0] != pair[1].move
            ),
            min(len(path), len(log.turns)),
        )
        self._game.take_back(same)
        for text in path[same:]:
            log.begin_turn()
            move = RESIGN if text == RESIGNED else log.state.parse_move(text)
            log.play(Answer(move), text)
        ending = self._studied().ending(node, log.state)
        if ending is not None:
            self._game.finish(*ending)
        else:
            self._game.go_on()

    async def resign(self) -> None:
        """Resign for the person; of two persons, for the one to move."""
        async with self._lock:
            self._check_running()
            people, turn = self._game.people, self._log.state.turn
            if not people:
                raise Refusal("nobody_can_resign")
            side = turn if turn in people else people[0]
            await self._interrupt()
            if side == turn:
                self._game.play(Answer(RESIGN))
            else:
                self._game.finish(Outcome(not side, "resignation"))

    async def mark(self, point: str) -> None:
        """Mark a string dead, or alive again; raises HansuError."""
        async with self._lock:
            self._unsettled().mark(point)
            self._publisher.show()

    async def agree(self) -> None:
        """End the game, counted without the stones that are marked; raises HansuError."""
        async with self._lock:
            settled = self._unsettled()
            if not settled.is_accepted:
                raise Refusal("not_agreed")
            self._game.finish(settled.outcome(), settled.evidence)

    async def play_on(self) -> None:
        """Without agreement: take back both passes and play on."""
        async with self._lock:
            self._unsettled()
            self._log.resumed = True
            self._game.take_back(len(self._log.turns) - 2)
            self._game.go_on()

    async def count(self) -> None:
        """Without agreement: count every stone as alive, as the rules do."""
        async with self._lock:
            self._unsettled()
            if not self._log.resumed:
                raise Refusal("play_on_first")
            ruled, self._log.agreement = self._log.state.outcome(), None
            assert ruled is not None
            self._game.finish(ruled)

    async def pace(self, paused: bool, delay: float) -> None:
        """Set how fast two agents play on."""
        async with self._lock:
            was, self._game.paused, self._game.delay = self._game.paused, paused, delay
            if self._game.thought is not None:
                self._game.thought.hurry.set()
            if paused:
                await self._interrupt()
                self._publisher.show()
            elif was and self._log.outcome is None:
                self._game.go_on()

    async def hint(self) -> None:
        """Show the person a good move; raises HansuError."""
        await self.analyze(HINTS, HINT_SECONDS, "hint")

    async def analyze(
        self, who: str, seconds: float, kind: str = "analysis", beside: bool = False
    ) -> None:
        """Analyse the position with an agent; everybody sees what it finds."""
        async with self._lock:
            self._check_running()
            if self._game.thought is not None:
                raise Refusal("agent_to_move")
            tell = functools.partial(self._publisher.tell_search, kind, who=who)
            see = functools.partial(self._game.as_counted, self._log.state.copy())
            state, fail = await self._pools.think(see, self.account), self._publisher.tell_error
            if not beside:
                self._publisher.forget_searches()
            await self._analyses.begin(state, who, seconds, tell, fail, beside)

    async def owners(self) -> None:
        """Count who is likely to own which point; everybody sees it. Raises HansuError."""
        async with self._lock:
            if len(self._game.people) != 2:
                raise Refusal("no_study")  # in a game it would be help
            self._owners.begin(self._log.state.copy(), self._publisher.place())

    async def stop(self) -> None:
        """End an analysis, with what it has found."""
        async with self._lock:
            await self._analyses.stop()

    async def close(self) -> None:
        """Close the session and free everything."""
        self._closed = True
        if self._pausing is not None:
            self._pausing.cancel()
        async with self._lock:
            self._game.unattended = True
            await self._interrupt()
            await self._owners.stop()
            self._pools.searches.forget(self)
            await self._game.close()
            self._dismiss_teacher()

    def _dismiss_teacher(self) -> None:
        if self._teacher is not None:
            self._teacher.release()

    def view(self, number: int) -> SearchView:
        """Return a search of this session, to go into; raises HansuError."""
        return self._pools.searches.of(self, number)

    def welcome(self, visitor: Visitor) -> None:
        """Show a visitor how things are."""
        self._publisher.welcome(visitor)

    def record(self) -> GameRecord:
        """Return the game so far; its seed once it is over."""
        if self._study is not None:
            return self._study.record()
        record, seats = self._log.record(), self._game.seats
        players = [seats[color].player for color in (record.first_color, not record.first_color)]
        first, second = ("person" if each is None else each.isolation for each in players)
        record.isolation = first, second
        record.seed = 0 if self._log.outcome is None else self._game.terms.seed
        return record

    async def _interrupt(self) -> None:
        await self._analyses.stop()
        await self._game.interrupt()

    def _check_running(self) -> None:
        if self._log.outcome is not None:
            raise Refusal("the_game_is_over")
        if self._log.state.is_game_over():
            raise Refusal("both_passed")

    def _unsettled(self) -> Agreement:
        if self._log.agreement is None or self._log.outcome is not None:
            raise Refusal("nothing_to_agree_on")
        return self._log.agreement

    def _show(self, within: float) -> None:
        if self._study is not None:
            self._study.follow(self._log)
        self._publisher.show(within)

    def _observed(self, state: State, who: str) -> ObservedSearch | None:
        """Return the search of an agent that moves, if somebody is watching."""
        if not len(self.audience):
            return None
        tell = functools.partial(self._publisher.tell_search, "search")
        return ObservedSearch(self._pools, self, state, who, tell)
