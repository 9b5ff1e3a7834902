"""Run a competition: the intake beside it, the rating, and a final at each deadline.

Everything that matters is in the database and the store before anything follows from it. So this
process may be killed at any moment; the same command goes on.
"""

import shutil
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from hansu.arena.choose_executor import Place, choose_executor
from hansu.arena.competition.intake import Intake
from hansu.arena.competition.rating import FinalJob, RatingJob, Rounds
from hansu.arena.competition.register import Entry, Register, current
from hansu.arena.competition.results import Results
from hansu.arena.competition.settings import Deadline, read_competition
from hansu.arena.competition.template import FINALS, SUBMISSIONS
from hansu.arena.executor import Executor, Stop, never
from hansu.arena.isolation.requirements import missing
from hansu.arena.openings import Openings
from hansu.arena.seeds import event_seed, stage_seed
from hansu.arena.tournament.claim import claimed_file
from hansu.arena.tournament.database import Database
from hansu.arena.tournament.ledger import Ledger
from hansu.arena.tournament.live import forget_live
from hansu.arena.tournament.plan import Plan, digest_of
from hansu.arena.tournament.tournament import play_missing
from hansu.arena.withdrawal import play_or_forfeit
from hansu.errors import HansuError
from hansu.records.record import GameRecord

PAUSE = 0.5  # seconds between two looks while there is nothing to play

Tell = Callable[[str, GameRecord | None], None]
"""Called with the stage and each finished game (None when a stage begins)."""


class CompetitionService:
    """The competition in a folder, claimed by this process for as long as it is entered."""

    def __init__(
        self,
        folder: Path,
        processes: int | None = None,
        database: str | None = None,
        seed: int | None = None,
        tell: Tell | None = None,
        on: Place = "here",
    ) -> None:
        self.folder, self.processes, self._seed = folder, processes, seed
        self._database, self._on = database, on
        self.settings = read_competition(folder)
        self.register = Register(folder, self.settings, database)
        self.rating = Ledger(self.register.database)
        self._tell = tell or (lambda stage, record: None)
        self._beat: Callable[[], None] = lambda: None

    def run(
        self,
        until_idle: bool = False,
        stop: Stop = never,
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        """Take in, check, play and rate until stopped, or until there is nothing left to do.

        ``beat`` is called again and again, at least after each game.
        """
        self._beat = beat
        if lacking := missing():
            raise HansuError(
                f"this machine cannot isolate what others send in ({lacking[0].name}: "
                f"{lacking[0].detail}, {lacking[0].remedy}); hansu doctor says more"
            )
        with ExitStack() as stack:
            stack.enter_context(claimed_file(self.folder / "lock"))
            if self._database is not None:  # a connection of its own, which no child inherits
                claim = Database(self._database, self.register.event)
                stack.enter_context(claim.claimed())
            (self.folder / SUBMISSIONS).mkdir(exist_ok=True)
            forget_live(self.folder)
            self.register.store.tidy()
            plan = self._enter()
            self.register.enter_staff()
            intake = stack.enter_context(Intake(self.folder, self.register))
            executor = choose_executor(self._job(plan), self._on, self.processes)
            rating = stack.enter_context(executor)
            stack.callback(forget_live, self.folder)
            stack.callback(shutil.rmtree, self.folder / FINALS, ignore_errors=True)
            results = Results(self.rating)
            results.update()
            rounds = Rounds(self.register, results, plan, self._job(plan), self._is_open)
            is_quiet = False
            while not stop():
                intake.keep_alive()
                beat()
                due = self._due()
                if self._final(due, stop) if due else self._rate(rating, rounds, stop):
                    is_quiet = False
                elif until_idle and is_quiet and due is None:
                    return
                elif until_idle:
                    is_quiet = intake.is_idle()  # then look once more at what it has accepted
                else:
                    time.sleep(PAUSE)

    def _enter(self) -> Plan:
        """Enter the plan of the rating; game, clock and openings stay what they were."""
        settings, control = self.settings, self.settings.control
        earlier = self.rating.find_plan()
        plan = Plan(
            game=str(settings.board),
            agents=(),
            rounds=1,
            format="round-robin",
            openings=settings.openings,
            openings_digest=digest_of(settings.openings_source),
            seconds=control.seconds,
            move_seconds=control.move_seconds,
            increment=control.increment,
            seed=earlier.seed if earlier and self._seed is None else event_seed(self._seed),
            untrusted=True,
        )
        if earlier is not None and (differences := earlier.differences(plan)):
            raise HansuError(
                f"competition.toml has changed what was played so far: {'; '.join(differences)}; "
                "change it back, or begin another competition"
            )
        self.rating.enter(plan)
        return plan

    def _job(self, plan: Plan) -> RatingJob:
        board, limits = self.settings.board, self.settings.sandbox
        openings = Openings(board, self.settings.openings_source, plan.seed)
        return RatingJob(
            board, (), openings, plan, self.folder, limits=limits, register=self.register
        )

    def _rate(self, executor: Executor, rounds: Rounds, stop: Stop) -> int:
        """Play the rating until there is nothing to play or a deadline has come."""
        played = 0

        def pause() -> bool:
            return stop() or self._due() is not None

        for game, record in play_or_forfeit(executor, rounds, pause, rounds.withdrawals):
            self.rating.add(game.number, record)
            rounds.results.add(game.number, record.as_json())
            forget_live(self.folder, game.number)
            self._tell("rating", record)
            self._beat()
            played += 1
        return played

    # Finals

    def _due(self) -> Deadline | None:
        """Return the first deadline that has come and whose final is not finished."""
        now = time.time()
        for deadline in self.settings.deadlines:
            if deadline.at.timestamp() <= now and not self._is_played(deadline):
                return deadline
        return None

    def _is_played(self, deadline: Deadline) -> bool:
        ledger = self.final_ledger(deadline)
        plan = ledger.find_plan()
        return plan is not None and len(ledger.results()) >= plan.scheduled

    def _is_open(self) -> bool:
        """Whether the rating goes on: what was drawn before the end is played in any case."""
        closes = self.settings.closes
        return closes is None or time.time() < closes.timestamp()

    def final_ledger(self, deadline: Deadline) -> Ledger:
        """Return the results of the final at a deadline."""
        return Ledger(self.register.database, f"{self.register.event} {deadline.name}")

    def _final(self, deadline: Deadline, stop: Stop) -> int:
        """Play the final; wait until all that came in time is checked."""
        ledger = self.final_ledger(deadline)
        plan = ledger.find_plan()
        if plan is None:
            plan = self._final_plan(deadline)
            if plan is None:
                return 0
            ledger.enter(plan)
        entries = {entry.name: entry for entry in self.register.entries().values()}
        players = tuple(entries[name] for name in plan.agents)
        board, limits = self.settings.board, self.settings.sandbox
        openings = Openings(board, self.settings.openings_source, plan.seed)
        live = self.folder / FINALS / str(self.settings.deadlines.index(deadline))
        live.mkdir(parents=True, exist_ok=True)
        job = FinalJob(board, (), openings, plan, live, limits=limits, entries=players)
        before = len(ledger.results())
        self._tell(deadline.name, None)

        def keep(number: int, record: GameRecord) -> None:
            ledger.add(number, record)
            forget_live(live, number)
            self._tell(deadline.name, record)
            self._beat()

        with choose_executor(job, self._on, self.processes) as executor:
            play_missing(executor, job, ledger, keep, None, stop)
        return len(ledger.results()) - before + 1

    def _final_plan(self, deadline: Deadline) -> Plan | None:
        """Return the plan of a final; None while submissions that came in time wait."""
        moment, entries = deadline.at.timestamp(), self.register.entries()
        if any(e.status == "received" and e.received < moment for e in entries.values()):
            return None
        people = self.register.participants()
        chosen = current(entries, people, moment)
        staff = [chosen[s.name] for s in self.settings.staff if s.name in chosen]
        others = [entry for name, entry in chosen.items() if not people[name].is_staff]
        players: list[Entry] = [*staff, *sorted(others, key=lambda entry: entry.participant)]
        rating, final = self.rating.plan(), self.settings.final
        return replace(
            rating,
            agents=tuple(entry.name for entry in players),
            rounds=final.rounds,
            format=final.format,
            seed=stage_seed(rating.seed, deadline.name),
            heads=len(staff) if final.format == "gauntlet" else 1,
        )
