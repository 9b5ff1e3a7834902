"""Reviews that visitors ask for: an agent walks through a recorded game in the background."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator
from typing import Any

from pydantic import ValidationError

from hansu.agents.registry import named_agent
from hansu.arena.player import LocalPlayer
from hansu.arena.precompile import precompile_rules
from hansu.arena.review import COUNTED, Review, review
from hansu.errors import RecordError
from hansu.games.state import State
from hansu.records.record import RESIGNED, GameRecord
from hansu.records.replay import game_of, state_at, states
from hansu.search.info import SearchInfo
from hansu.search.limits import Limits
from hansu.search.view import SearchView
from hansu.web.agreement import as_counted
from hansu.web.analysis import Analyzer
from hansu.web.catalogue import contestant
from hansu.web.fair_share import Account
from hansu.web.messages import NewReview
from hansu.web.process_places import GivenUp
from hansu.web.refusals import Refusal
from hansu.web.review_shelf import ReviewShelf, review_key
from hansu.web.session_seat import Seat
from hansu.web.thread_pools import ThreadPools

MOST_TURNS = 1000  # of a game that is reviewed
MOST_RUNNING = 16  # reviews of all visitors together; half of them may be one visitor's
MOST_KEPT = 64
AWAY = 60.0  # seconds without a question after which a review ends
LOOK_SECONDS = 2.0  # for the search of one position that is to be inspected
RUNNING = "running"


class ReviewJob:
    """The review of one game, as far as it is."""

    def __init__(
        self,
        wanted: NewReview,
        pools: ThreadPools,
        address: str,
        account: Account,
        found: dict[str, Any] | None = None,
    ) -> None:
        """Read and replay the game, and make the agent ready; raises HansuError.

        ``found`` is what a review that was kept has found: then nothing is searched.
        """
        self.id, self.address, self.account = secrets.token_urlsafe(8), address, account
        self.record = _record(wanted.record)
        state_at(self.record, len(self.record.turns))  # raises where a move is not legal
        self.who, self.seconds = contestant(wanted.agent), wanted.seconds
        self.agent = named_agent(self.who, game_of(self.record))
        self.agent.check(game_of(self.record))
        self.seat = Seat(self.who, LocalPlayer(self.agent))
        self.handle, self.analyzer = pools.handle(), Analyzer(pools, self, account)
        self.state = RUNNING if found is None else "over"
        self.wanted = wanted.model_dump(exclude={"record"})
        self.error: dict[str, Any] | None = None
        self.asked_at = time.monotonic()  # when somebody last wanted to know about it
        self._pools = pools
        self._found: Review | None = None
        self._kept = found
        # Of lines of moves, by the turns before them: their names, and the cells of the first move.
        self._shown: dict[tuple[int, tuple[str, ...]], tuple[list[str], list[str]]] = {}

    def run(self) -> None:
        """Walk through the game, in a thread."""
        try:
            self.seat.work(self._pools, lambda: not self.handle.stopped, self._walk)
        finally:
            self._pools.processes.forget(self.seat)

    def _walk(self) -> Review:
        limits = Limits(self.seconds)
        return review(self.record, self.agent, limits, self.handle, self._tell, self.see)

    def is_running_for(self, address: str) -> bool:
        """Return whether it goes on for visitors from an address."""
        return self.state == RUNNING and self.address == address

    def _tell(self, found: Review) -> None:
        self._found = found

    def see(self, state: State) -> State:
        """Return the state for a search to see: its end is counted as people have agreed."""
        return as_counted(state, (), False) if self.record.outcome.reason in COUNTED else state

    def position(self, turn: int) -> State:
        """Return the position after so many turns, for a search to see; raises HansuError."""
        state = state_at(self.record, turn)
        if state.is_game_over():
            raise Refusal("the_game_is_over")
        return self.see(state)

    def stop(self) -> None:
        """Stop with what is found."""
        self.state = "stopped" if self.state == RUNNING else self.state
        self.handle.stop()

    def facts(self) -> dict[str, Any]:
        """Return everything that the page shows."""
        if self._kept is not None:
            return self._kept
        found: dict[str, Any] = self._found.facts() if self._found else {"done": 0}
        mistakes = found.get("mistakes", [])
        self._point_out(mistakes)
        for turn in mistakes:
            before = turn["turn"] - 1
            (turn["name"],), turn["cells"] = self._shown[before, (turn["move"],)]
            better = self._shown[before, tuple(turn["better"])]
            turn["better_names"], turn["better_cells"] = better
        about = {"agent": self.who, "seconds": self.seconds, "state": self.state}
        return {**about, "error": self.error, "positions": len(self.record.turns) + 1, **found}

    def _point_out(self, mistakes: list[dict[str, Any]]) -> None:
        """Find the cells of moves that are new: positions take much memory and are not kept."""
        wanted = [
            (turn["turn"] - 1, line)
            for turn in mistakes
            for line in ((turn["move"],), tuple(turn["better"]))
        ]
        missing = [key for key in wanted if key not in self._shown]
        if not missing:
            return
        for number, state in enumerate(states(self.record)):
            for key in missing:
                if key[0] == number:
                    self._shown[key] = _shown(state, key[1])


class Reviews:
    """The reviews by their ids."""

    def __init__(self, pools: ThreadPools, shelf: ReviewShelf | None = None) -> None:
        self._pools, self._shelf = pools, shelf or ReviewShelf(None)
        self._jobs: dict[str, ReviewJob] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._process_turn = asyncio.Lock()

    async def begin(self, wanted: NewReview, address: str) -> str:
        """Begin a review; return its id. Raises HansuError."""
        self._check_room(address)
        account = Account(self._pools.visitor(address))
        make = lambda: ReviewJob(wanted, self._pools, address, account)  # noqa: E731
        job = await self._pools.think(make, account)
        self._check_room(address)
        self._jobs[job.id] = job
        self._forget_old()
        for work in (self._run(job), self._watch(job)):
            task = asyncio.create_task(work)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return job.id

    async def recall(self, line: str, address: str) -> str | None:
        """Return the id of a review of a game: the visitor's own that runs, or one that was kept.

        Nothing is searched.
        """
        account = Account(self._pools.visitor(address))
        running = [job for job in self._jobs.values() if job.is_running_for(address)]

        def open_kept() -> ReviewJob | None:
            key = review_key(_record(line))
            for job in running:
                if review_key(job.record) == key:
                    return job
            kept = self._shelf.find(key)
            if kept is None:
                return None
            try:
                wanted = NewReview.model_validate({**kept[0], "record": line})
            except ValidationError:  # somebody has changed the file
                return None
            return ReviewJob(wanted, self._pools, address, account, kept[1])

        job = await self._pools.think(open_kept, account)
        if job is None:
            return None
        self._jobs[job.id] = job
        self._forget_old()
        return job.id

    def find(self, review_id: str) -> ReviewJob:
        """Return a review; raises HansuError."""
        if review_id not in self._jobs:
            raise Refusal("no_such_review")
        self._jobs[review_id].asked_at = time.monotonic()
        return self._jobs[review_id]

    async def look(self, review_id: str, turn: int) -> int:
        """Search the position after so many turns; return the number of the search, to inspect."""
        job = self.find(review_id)
        state = await self._pools.think(lambda: job.position(turn), job.account)
        over: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def tell(number: int, found: SearchInfo, done: bool, state: State) -> None:
            if done and not over.done():
                over.set_result(number)

        def fail(refusal: Refusal) -> None:
            if not over.done():
                over.set_exception(refusal)

        await job.analyzer.begin(state, job.who, max(LOOK_SECONDS, job.seconds), tell, fail)
        return await over

    def view(self, review_id: str, number: int) -> SearchView:
        """Return a search that ``look`` has made; raises HansuError."""
        return self._pools.searches.of(self.find(review_id), number)

    async def close(self) -> None:
        """Stop all reviews when the server goes down."""
        for job in self._jobs.values():
            job.stop()
            await job.analyzer.stop()
        for task in self._tasks:
            task.cancel()

    async def _run(self, job: ReviewJob) -> None:
        try:
            async with self._turn(job):
                await self._pools.search(job.run, job.account, job.handle)
            if job.state == RUNNING:
                job.state = "over"
                await self._pools.aside(lambda: self._keep(job))
        except GivenUp:  # stopped before it began
            pass
        except Exception as error:  # an agent may fail in any way; the server goes on
            refusal = Refusal("agent_failed", agent=job.who, evidence=error)
            job.state, job.error = "failed", {"text": str(refusal), **refusal.facts()}

    def _keep(self, job: ReviewJob) -> None:
        self._shelf.keep(review_key(job.record), job.wanted, job.facts())

    @contextlib.asynccontextmanager
    async def _turn(self, job: ReviewJob) -> AsyncIterator[None]:
        """Let one review at a time hold the process of an engine: tables need the others."""
        if job.seat.has_process:
            async with self._process_turn:
                yield
        else:
            yield

    async def _watch(self, job: ReviewJob) -> None:
        """Stop a review that nobody asks about any more."""
        while job.state == RUNNING:
            await asyncio.sleep(1.0)
            if time.monotonic() - job.asked_at > AWAY:
                job.stop()

    def _check_room(self, address: str) -> None:
        running = [job for job in self._jobs.values() if job.state == RUNNING]
        own = [job for job in running if job.address == address]
        if len(running) >= MOST_RUNNING or len(own) >= MOST_RUNNING // 2:
            raise Refusal("too_many_reviews")

    def _forget_old(self) -> None:
        """Forget what nobody has asked about for longest, when there are too many."""
        ended = [job for job in self._jobs.values() if job.state != RUNNING]
        for job in sorted(ended, key=lambda job: job.asked_at)[
            : max(0, len(self._jobs) - MOST_KEPT)
        ]:
            del self._jobs[job.id]
            self._pools.searches.forget(job)


def _record(line: str) -> GameRecord:
    record = GameRecord.from_json(line)
    if not record.turns:
        raise RecordError("there is nothing to review: the game has no moves")
    if len(record.turns) > MOST_TURNS:
        raise Refusal("too_long_to_show", turns=len(record.turns), most=MOST_TURNS)
    precompile_rules(game_of(record))
    return record


def _shown(state: State, line: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Return the names of moves, and the cells of the first, to be pointed out."""
    if not line or line[0] == RESIGNED:
        return list(line), []
    return state.move_names(line), list(state.move_cells(state.parse_move(line[0])))
