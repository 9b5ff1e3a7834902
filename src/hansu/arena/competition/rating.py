"""The rating: rounds of encounters, each drawn from the results of those before.

A round is drawn from all rounds but the last one, which may still be in progress: so no core waits
for the slowest game, and yet the draw does not depend on which game ended first. A round is on the
disk before its first game begins. After a kill the same rounds go on, and later ones are drawn as
they would have been.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Self

from hansu.arena.competition.adaptive import Fit, Score
from hansu.arena.competition.register import Encounter, Entry, Register, current
from hansu.arena.competition.results import Results
from hansu.arena.executor import Job
from hansu.arena.seat import Contestant
from hansu.arena.seeds import game_seed
from hansu.arena.tournament.plan import Plan
from hansu.arena.tournament.schedule import ScheduledGame
from hansu.arena.withdrawal import Withdrawals
from hansu.records.provenance import Provenance, provenance
from hansu.records.record import FAULTS

SMALLEST = 4  # encounters of a round


@dataclass(frozen=True)
class RatingJob(Job):
    """Games between entries, whose places are their numbers: new ones need no new job."""

    register: Register | None = None

    def name(self, place: int) -> str:
        """Return the name of an entry."""
        return self._entry(place).name

    def contestant(self, place: int) -> Contestant:
        """Return the agent of an entry."""
        return self._entry(place).agent

    def provenance(self, game: ScheduledGame) -> Provenance:
        """Return where a game that was just played here comes from."""
        return provenance(self._entry(game.first).digest, self._entry(game.second).digest)

    def _entry(self, place: int) -> Entry:
        assert self.register is not None
        return self.register.entry(place)


@dataclass(frozen=True)
class FinalJob(Job):
    """The games of a final: all agents have been checked when they came."""

    entries: tuple[Entry, ...] = ()

    def contestant(self, place: int) -> Contestant:
        """Return the agent of a place in the plan."""
        return self.entries[place].agent

    def provenance(self, game: ScheduledGame) -> Provenance:
        """Return where a game that was just played here comes from."""
        return provenance(self.entries[game.first].digest, self.entries[game.second].digest)


class Rounds(Iterator[ScheduledGame]):
    """The games to be played; after the last one there may be more later."""

    def __init__(
        self,
        register: Register,
        results: Results,
        plan: Plan,
        job: RatingJob,
        may_draw: Callable[[], bool],
    ) -> None:
        self.register, self.results, self.plan, self._may_draw = register, results, plan, may_draw
        self.encounters = register.encounters()
        self.entries = register.entries()
        places = {entry.name: number for number, entry in self.entries.items()}
        faults = results.ledger.records(FAULTS).values()
        self.withdrawals = Withdrawals(job, faults, places)
        self._waiting = deque(
            game
            for encounter in self.encounters
            for game in games_of(encounter, plan.seed)
            if game.number not in results.lines
        )
        self._settled: object = None  # what was known when there was nothing left to find out

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> ScheduledGame:
        """Return a game; StopIteration means that there is none for now."""
        if not self._waiting:
            self._draw()
        if not self._waiting:
            raise StopIteration
        return self._waiting.popleft()

    def _draw(self) -> None:
        """Draw a round unless two are unfinished already, or the competition is closed."""
        if not self._may_draw():
            return
        last = self.encounters[-1].round if self.encounters else -1
        before = [each for each in self.encounters if each.round < last]
        if any(2 * each.number + i not in self.results.lines for each in before for i in (0, 1)):
            return
        self.entries = self.register.entries()
        active = self._active()
        known = (tuple(active), len(self.results.lines), last)
        if len(active) < 2 or known == self._settled:
            return
        met = {number for each in self.encounters for number in (each.a, each.b)}
        players = sorted(met | set(active))
        fit = Fit(players, [self._score(each, last) for each in self.encounters])
        precision = self.register.settings.rating.precision
        pairs = fit.draw(active, precision, max(SMALLEST, len(active) // 2))
        if not pairs:
            self._settled = known
            return
        names = {self.entries[number].name: number for number in players}
        rated = self.results.ratings(list(names))
        ratings = {number: rated[name] for name, number in names.items() if name in rated}
        self.register.draw(last + 1, pairs, ratings)
        self.encounters = self.register.encounters()
        for each in self.encounters:
            if each.round == last + 1:
                self._waiting.extend(games_of(each, self.plan.seed))

    def _active(self) -> list[int]:
        chosen = current(self.entries, self.register.participants()).values()
        return sorted(each.number for each in chosen if not self.withdrawals.has(each.number))

    def _score(self, each: Encounter, last: int) -> Score:
        """What counts of an encounter: nothing of the last round, finished or not."""
        if each.round == last:
            return Score(each.a, each.b, 0.0, 0)
        lines = self.results.lines
        first, second = lines[2 * each.number], lines[2 * each.number + 1]
        return Score(each.a, each.b, first.score_first + 1.0 - second.score_first, 2)


def games_of(encounter: Encounter, seed: int) -> list[ScheduledGame]:
    """Return the two games of an encounter: one opening, both colours."""
    number, round, a, b = encounter
    return [
        ScheduledGame(2 * number + i, round, first, second, game_seed(seed, 2 * number + i))
        for i, (first, second) in enumerate(((a, b), (b, a)))
    ]
