"""Executors play the games of a plan: in this process, on this machine or on a cluster.

Entering an executor checks the players, so that a mistake is reported before the first game. It
plays games, each exactly once, in any order; leaving it ends all that it has started. Only the
process that entered it writes results, so a worker may be killed at any moment.
"""

import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, Self

from hansu.arena.isolation.limits import SandboxLimits
from hansu.arena.openings import Openings
from hansu.arena.player import Player
from hansu.arena.referee import play
from hansu.arena.seat import Contestant, check_player, is_submission, seat
from hansu.arena.tournament.live import begun_record, show_live, watched
from hansu.arena.tournament.plan import Plan
from hansu.arena.tournament.schedule import ScheduledGame
from hansu.arena.withdrawal import AbsentPlayer
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.records.provenance import Provenance
from hansu.records.record import GameRecord

DEATHS = 3  # of workers in the same game, after which it is no accident
SEATED = 8  # players that a process keeps, so that engines need not start for each game
MOST_PROCESSES = 1024
PATIENCE = 3.0  # seconds for a worker to close its players before it is killed

Stop = Callable[[], bool]
"""Called before each game: True finishes the games in progress and starts no other."""


def never() -> bool:
    """Play all games."""
    return False


@dataclass(frozen=True)
class Job:
    """Everything needed to play any game of a plan."""

    game: Game
    contestants: tuple[Contestant, ...]
    openings: Openings
    plan: Plan
    live: Path | None = None  # the folder that shows games while they are played
    forgiving: bool = False  # whether a file that is no agent only loses its own games
    limits: SandboxLimits = field(default_factory=SandboxLimits)

    def name(self, place: int) -> str:
        """Return the name that the plan gave to a player."""
        return self.plan.agents[place]

    def contestant(self, place: int) -> Contestant:
        """Return what takes a place."""
        return self.contestants[place]

    def provenance(self, game: ScheduledGame) -> Provenance | None:
        """Return where a game that was just played here comes from; None where nobody asks."""
        return None

    def seat(self, place: int) -> Player:
        """Return a player under its name."""
        who, plan = self.contestant(place), self.plan
        player = seat(who, self.game, plan.untrusted, plan.isolation, self.limits)
        player.name = self.name(place)
        return player


class SubmissionWarning(UserWarning):
    """An agent of a file cannot play; the others do."""


class Executor(Protocol):
    """Plays scheduled games, here or elsewhere."""

    def __enter__(self) -> Self:
        """Check all players; raises HansuError."""

    def play(
        self, games: Iterable[ScheduledGame], stop: Stop = never
    ) -> Iterator[tuple[ScheduledGame, GameRecord]]:
        """Play games, each exactly once, and yield them as they finish.

        An iterator that has no game for now may have one later: it is asked again when a game
        has finished, and the games end when there is none and none is in progress.
        """

    def __exit__(self, *_: object) -> None:
        """Drop the games in progress and end what was started."""


class Seats:
    """The players of this process, made when first needed; the least recently used make room."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._seated: OrderedDict[int, Player] = OrderedDict()

    def check(self) -> None:
        """Make every player once; raises HansuError for a mistake in the set-up."""
        start, color = self.job.openings[0].copy(), self.job.game.first_color
        control = self.job.plan.control
        control.show_on(start, control.full())
        for place, contestant in enumerate(self.job.contestants):
            side = color if place == 0 else not color
            try:
                check_player(self.take(place), contestant, start, side)
            except Exception as error:
                seated = place in self._seated
                if not (self.job.forgiving and is_submission(contestant, error, seated)):
                    raise
                what = f"{self.job.name(place)} loses its games: {error}"
                warnings.warn(what, SubmissionWarning, stacklevel=2)

    def play(self, game: ScheduledGame) -> GameRecord:
        """Play one game."""
        job = self.job
        first, second = self._take_or_absent(game.first), self._take_or_absent(game.second)
        start, control, watch = job.openings[game.round], job.plan.control, None
        if (folder := job.live) is not None:
            begun = begun_record(start, first.name, second.name, game.seed, control)
            watch = watched(begun, lambda now: show_live(folder, game.number, now))
        record = play(start, first, second, control, game.seed, watch)
        record.provenance = job.provenance(game)
        return record

    def take(self, place: int) -> Player:
        """Return a player, seated if need be; raises HansuError where that fails."""
        if place not in self._seated:
            if len(self._seated) == SEATED:
                self._close(next(iter(self._seated)))
            self._seated[place] = self.job.seat(place)
        self._seated.move_to_end(place)
        return self._seated[place]

    def _take_or_absent(self, place: int) -> Player:
        """A player; one that cannot be seated any more, say because its file is gone, loses."""
        try:
            return self.take(place)
        except HansuError as error:
            return AbsentPlayer(self.job.name(place), str(error))

    def _close(self, place: int) -> None:
        with suppress(Exception, SystemExit):  # errors of an agent no longer matter
            self._seated.pop(place).close()

    def close(self) -> None:
        """End all players."""
        for place in list(self._seated):
            self._close(place)


class InProcess:
    """Play one game after the other in this process."""

    def __init__(self, job: Job) -> None:
        self._seats = Seats(job)

    def __enter__(self) -> Self:
        try:
            self._seats.check()
        except BaseException:
            self._seats.close()
            raise
        return self

    def play(
        self, games: Iterable[ScheduledGame], stop: Stop = never
    ) -> Iterator[tuple[ScheduledGame, GameRecord]]:
        """Play games in their order."""
        for game in games:
            if stop():
                return
            yield game, self._seats.play(game)

    def __exit__(self, *_: object) -> None:
        self._seats.close()


def pair_of(game: ScheduledGame) -> tuple[int, int, int]:
    """Return what two games with the same opening and colours swapped have in common."""
    return game.round, min(game.first, game.second), max(game.first, game.second)


def accusation(job: Job, game: ScheduledGame) -> str:
    """Return what to say of a game that no worker survives."""
    first, second = job.name(game.first), job.name(game.second)
    return (
        f"game {game.number + 1} ({first} – {second}) has ended its process {DEATHS} times: "
        "one of the two kills its process; name it by file to run it isolated"
    )
