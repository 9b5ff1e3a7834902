"""Players that cannot play lose their games, and after some failed starts the rest of them at once.

Counted from the records alone: a tournament that is resumed knows who has been withdrawn.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from hansu.agents.agent import Answer
from hansu.arena.player import Fault, Level
from hansu.arena.referee import failed_to_start
from hansu.arena.tournament.schedule import ScheduledGame
from hansu.games.state import Outcome, State
from hansu.records.record import GameRecord
from hansu.search.limits import SearchHandle

if TYPE_CHECKING:
    from hansu.arena.executor import Executor, Job, Stop

FAILED_STARTS = 3  # after which a player is withdrawn from the event


class AbsentPlayer:
    """A player that cannot be seated: it loses before its first move."""

    isolation: Level = "isolated"
    turn_cpu: float | None = None

    def __init__(self, name: str, why: str) -> None:
        self.name, self.why = name, why

    def reset(self, color: bool, start: State, seed: int) -> None:
        """Say why it is not there."""
        raise Fault("crash", self.why)

    def act(
        self, state: State, seconds: float | None, handle: SearchHandle | None = None
    ) -> Answer:
        """Say why it is not there."""
        raise Fault("crash", self.why)

    def end_game(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class Withdrawals:
    """Who has failed to start how often; by their places in the plan."""

    def __init__(
        self,
        job: "Job",
        earlier: Iterable[GameRecord] = (),
        places: Mapping[str, int] | None = None,
    ) -> None:
        self.job = job
        self._failed: Counter[int] = Counter()
        self._last: dict[int, str] = {}
        where = {name: i for i, name in enumerate(job.plan.agents)} if places is None else places
        for record in earlier:
            self.note(where[record.first], where[record.second], record)

    def has(self, place: int) -> bool:
        """Return whether a player is withdrawn."""
        return self._failed[place] >= FAILED_STARTS

    def note(self, first: int, second: int, record: GameRecord) -> None:
        """Count a finished game between two places."""
        if failed_to_start(record):
            loser = second if record.score_first == 1.0 else first
            self._failed[loser] += 1
            self._last[loser] = record.evidence.removeprefix(f"{self.job.name(loser)}: ")

    def forfeit(self, game: ScheduledGame) -> GameRecord | None:
        """Return the game as one of both loses it by not being there; None if it can be played."""
        absent = [place for place in (game.first, game.second) if self.has(place)]
        if not absent:
            return None
        plan, start = self.job.plan, self.job.openings[game.round]
        color = start.game.first_color
        loses = color if absent[0] == game.first else not color
        return GameRecord(
            game=str(start.game),
            first=self.job.name(game.first),
            second=self.job.name(game.second),
            start=start.text(),
            first_color=color,
            seed=game.seed,
            outcome=Outcome(not loses, "disqualified"),
            evidence=f"{self.job.name(absent[0])}: withdrawn after {FAILED_STARTS} failed starts; "
            f"the last one {self._last[absent[0]]}",
            final=start.text(),
            control=plan.control,
        )


def play_or_forfeit(
    executor: "Executor",
    games: Iterable[ScheduledGame],
    stop: "Stop",
    withdrawals: Withdrawals,
) -> Iterator[tuple[ScheduledGame, GameRecord]]:
    """Have an executor play games; those of a withdrawn player are lost without being played."""
    forfeited: deque[tuple[ScheduledGame, GameRecord]] = deque()

    def playable() -> Iterator[ScheduledGame]:
        for game in games:
            lost = withdrawals.forfeit(game)
            if lost is None:
                yield game
            else:
                forfeited.append((game, lost))

    for game, record in executor.play(playable(), stop):
        withdrawals.note(game.first, game.second, record)
        yield game, record
        while forfeited:
            yield forfeited.popleft()
    while forfeited:
        yield forfeited.popleft()
