"""All sessions of a server: setting one up, finding it again, and forgetting old ones."""

import asyncio
import contextlib
import functools
import time
from collections import Counter
from typing import Any

from hansu.agents.registry import against_people
from hansu.arena.player import Fault, Player
from hansu.arena.precompile import precompile_rules
from hansu.arena.seat import seat
from hansu.arena.seeds import event_seed, player_seeds
from hansu.errors import HansuError
from hansu.games.game import BLACK, WHITE, Game
from hansu.games.state import State
from hansu.kernel.tiers import interpret_first
from hansu.records.record import UNTIMED, GameRecord, TimeControl
from hansu.records.replay import game_of, start_of
from hansu.web.audience import Crowd, message
from hansu.web.catalogue import chosen_game, contestant
from hansu.web.fair_share import Account
from hansu.web.folders import run_model
from hansu.web.library import Library
from hansu.web.live_game import Terms
from hansu.web.messages import AgentChoice, NewSession
from hansu.web.process_places import GivenUp
from hansu.web.refusals import Refusal
from hansu.web.server_settings import ServerSettings
from hansu.web.session import Session
from hansu.web.session_seat import HUMAN, Seat
from hansu.web.study import Study
from hansu.web.thread_pools import ThreadPools

RUN = "run/"  # before the name of a training run whose model plays
LARGE_SHARE = 4  # one of so many sessions is a large share for one address
KEEP_EVERY = 3.0  # seconds after which a game that has changed is written to the library
AT_ONCE = 0.5  # seconds that a new table waits for an agent that is perhaps being compiled
PATIENCE = 20.0  # seconds that a new table waits until one of its agents can have a process


class Sessions:
    """The sessions by their ids."""

    def __init__(
        self, settings: ServerSettings, pools: ThreadPools, library: Library | None = None
    ) -> None:
        self.settings, self.pools = settings, pools
        self._library = library or Library(None)
        self.by_id: dict[str, Session] = {}
        self.crowd = Crowd(settings.max_watchers)
        self._being_set_up = 0

    def find(self, session_id: str) -> Session:
        """Return a session; raises HansuError."""
        if session_id not in self.by_id:
            raise Refusal("no_such_game")
        return self.by_id[session_id]

    async def open(self, wanted: NewSession, address: str = "") -> Session:
        """Open a session for a visitor from an address; raises HansuError."""
        self._being_set_up += 1
        try:
            await self._make_room(address)
            seed, account = event_seed(None), Account(self.pools.visitor(address))
            start, seats, played, study = await self.pools.think(
                lambda: self._set_up(wanted, seed, account), account
            )
        finally:
            self._being_set_up -= 1
        terms = Terms(
            TimeControl(wanted.clock.seconds, None, wanted.clock.increment),
            wanted.think,
            self.settings.longest_think,
            self.settings.unattended_after,
            wanted.agreement,
            seed,
            wanted.help,
        )
        session = Session(
            start, seats, terms, self.pools, self.crowd, account, address, wanted, study
        )
        session.replay(played)
        self.by_id[session.id] = session
        await session.begin(wanted.delay)
        return session

    async def keep_games(self) -> None:
        """Write every game that has changed to the library, again and again."""
        while True:
            await asyncio.sleep(KEEP_EVERY)
            for session in list(self.by_id.values()):
                await self._keep(session)

    async def _keep(self, session: Session) -> None:
        now = session.version
        if now == session.kept or not self._library.is_kept:
            return
        session.kept, record = now, session.record()
        keep = functools.partial(self._library.keep, session.id, record, session.address)
        with contextlib.suppress(HansuError):  # a full disk is no reason not to play
            await self.pools.aside(keep)

    def _set_up(
        self, wanted: NewSession, seed: int, account: Account
    ) -> tuple[State, dict[bool, Seat], list[Any], Study | None]:
        """Parse and load; what is not compiled yet is interpreted, so that nobody waits."""
        with interpret_first():
            start, study = _start(wanted)
            now, played = start.copy(), []
            for text in wanted.moves:
                played.append(now.parse_move(text))
                now.push(played[-1])
            precompile_rules(start.game)
        seats = {
            WHITE: self._seat(wanted.white, start.game, wanted.black is None),
            BLACK: self._seat(wanted.black, start.game, wanted.white is None),
        }
        first = start.game.first_color
        seats[first].seed, seats[not first].seed = player_seeds(seed)
        try:
            for color, each in seats.items():
                self._get_ready(each, color, now, account)
        except HansuError:
            for each in seats.values():
                each.leave()
                self.pools.processes.forget(each)
            raise
        return start, seats, played, study

    def _get_ready(self, each: Seat, color: bool, start: State, account: Account) -> None:
        """Reset the agent of a seat, or begin to; raises HansuError."""
        if each.player is None:
            return
        patience = time.monotonic() + PATIENCE
        try:
            reset = functools.partial(each.player.reset, color, start.copy(), each.seed)
            if each.has_process:
                each.work(self.pools, lambda: time.monotonic() < patience, reset)
            else:  # one that needs no compiler cannot fail: nobody waits for it
                wait = 0.0 if each.plays_at_once else AT_ONCE
                each.prepare(self.pools, account, reset, wait)
        except GivenUp:
            raise Refusal("too_many_agents") from None
        except (Fault, OSError) as fault:
            evidence = fault.evidence if isinstance(fault, Fault) else fault.strerror
            raise Refusal("agent_not_ready", agent=each.name, evidence=evidence) from None

    def _seat(self, choice: AgentChoice | None, game: Game, meets_person: bool) -> Seat:
        if choice is None:
            return Seat()
        if choice.agent.startswith(RUN):
            who = run_model(self.settings.runs, choice.agent.removeprefix(RUN))
            return Seat(choice.agent, seat(who, game, untrusted=True))
        who = contestant(choice, self.settings.agents, self.settings.named)
        plays_as = against_people(who) if meets_person else who
        player: Player = seat(plays_as, game, untrusted=True)
        return Seat(choice.agent if choice.agent.endswith(".py") else who, player)

    async def _make_room(self, address: str) -> None:
        """Close sessions without visitors for long; when full, the one that is missed least."""
        now = time.monotonic()
        for session in list(self.by_id.values()):
            if not len(session.audience) and now - session.left_at > self.settings.forget_after:
                await self._forget(session)
        if self._too_many() and (found := self._least_missed(address)) is not None:
            await self._forget(found)
        if self._too_many():
            raise Refusal("server_full")

    def _least_missed(self, address: str) -> Session | None:
        """Return a session to close for a new one of a visitor, if there is such.

        First those that nobody has ever visited, then those that everybody has left. After that
        an address with a large share of all gives one up for somebody with fewer; else one in which
        nobody has done anything for long.
        """
        left = [session for session in self.by_id.values() if not len(session.audience)]
        if left:
            late = time.monotonic() - self.settings.unattended_after  # nobody will come to it
            return min(left, key=lambda s: (s.was_visited or s.left_at > late, s.left_at))
        held = Counter(session.address for session in self.by_id.values())
        most, count = max(held.items(), key=lambda item: item[1], default=("", 0))
        idle = sorted(self.by_id.values(), key=lambda session: session.acted_at)
        if count > max(held[address] + 1, len(self.by_id) / LARGE_SHARE):
            return next(session for session in idle if session.address == most)
        is_old = bool(idle) and time.monotonic() - idle[0].acted_at > self.settings.idle_after
        return idle[0] if is_old else None

    def _too_many(self) -> bool:
        return len(self.by_id) + self._being_set_up > self.settings.max_sessions

    async def _forget(self, session: Session) -> None:
        self.by_id.pop(session.id, None)
        for visitor in session.audience:
            visitor.tell("closed", message("closed", {"why": "gone"}))
        await session.close()
        await self._keep(session)

    async def close(self) -> None:
        """Close all sessions when the server goes down."""
        await asyncio.gather(*(self._forget(session) for session in list(self.by_id.values())))


def _start(wanted: NewSession) -> tuple[State, Study | None]:
    """Return the state to start from, and the study of a board where people alone move."""
    is_game = wanted.white or wanted.black or wanted.clock.seconds or wanted.help != "none"
    is_study = not is_game
    if wanted.record:
        if not is_study:
            raise Refusal("no_study")
        record = GameRecord.from_json(wanted.record)
        precompile_rules(game_of(record))
        start = start_of(record)
        study = Study(record, start)
        study.node = study.position(wanted.at)
        return start, study
    chosen = chosen_game(wanted.game, wanted.rules)
    precompile_rules(chosen)
    start = chosen.parse(wanted.position) if wanted.position.strip() else chosen.start()
    precompile_rules(start.game)
    if not is_study:
        return start, None
    names = str(start.game), HUMAN, HUMAN, start.text()
    record = GameRecord(*names, start.game.first_color, 0, control=UNTIMED)
    record.isolation = "person", "person"
    return start, Study(record, start)
