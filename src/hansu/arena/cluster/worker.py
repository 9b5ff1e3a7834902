"""A worker on a machine of the cluster: it plays what it is assigned, as a local worker does."""

import functools
import hashlib
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import hansu
from hansu.arena.cluster.assignment import Assignment, Reply, Side, Terms
from hansu.arena.cluster.bundle import BundleCache
from hansu.arena.executor import Job, Seats
from hansu.arena.openings import Openings
from hansu.arena.player import Player
from hansu.arena.precompile import precompile
from hansu.arena.referee import play
from hansu.arena.seat import Contestant
from hansu.arena.tournament.live import begun_record, watched
from hansu.arena.withdrawal import AbsentPlayer
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.kernel.cache_folders import PACKAGE
from hansu.records.provenance import provenance

SOON = 0.3  # seconds after which spectators see a game: a shorter one costs no message


@dataclass(frozen=True)
class NodeJob(Job):
    """The players that this worker has met, under their places."""

    met: dict[int, tuple[str, str]] = field(default_factory=dict)  # name and contestant

    def name(self, place: int) -> str:
        """Return the name of a player."""
        return self.met[place][0]

    def contestant(self, place: int) -> Contestant:
        """Return an agent as it is named on this machine."""
        return self.met[place][1]


class GameWorker:
    """One core of a machine, as an actor of Ray."""

    def __init__(self, game: Game) -> None:
        precompile(game)
        self._cache = BundleCache()
        self._terms: Terms | None = None
        self._seats: Seats | None = None

    def introduce(self) -> tuple[str, str]:
        """Return the name of the machine, and which program runs here."""
        return platform.node(), program()

    def play(self, asked: Assignment, archives: Mapping[str, Any]) -> str:
        """Play a game; return a ``Reply`` as text."""
        seats = self._take_job(asked.terms)
        players: list[Player] = []
        for place, side in ((asked.game.first, asked.first), (asked.game.second, asked.second)):
            try:
                players.append(self._seat(seats, place, side, archives))
            except HansuError as error:
                return Reply(asked.key, player=place, trouble=str(error)).as_json()
        first, second = players
        start, control, seed = asked.start, asked.terms.plan.control, asked.game.seed
        watch = None
        if (board := asked.board) is not None:
            begun = begun_record(start, first.name, second.name, seed, control)
            watch = watched(begun, lambda now: board.show.remote(asked.key, now.as_json()), SOON)
        record = play(start, first, second, control, seed, watch)
        record.provenance = provenance(asked.first.digest, asked.second.digest)
        return Reply(asked.key, record.as_json()).as_json()

    def _take_job(self, terms: Terms) -> Seats:
        if self._seats is not None and self._terms is not None and self._terms.job == terms.job:
            return self._seats
        if self._seats is not None:
            self._seats.close()
        openings = Openings(terms.game, None, 0)
        job = NodeJob(terms.game, (), openings, terms.plan, limits=terms.limits)
        self._terms, self._seats = terms, Seats(job)
        return self._seats

    def _seat(self, seats: Seats, place: int, side: Side, archives: Mapping[str, Any]) -> Player:
        if side.absent:
            return AbsentPlayer(side.name, side.absent)
        assert isinstance(seats.job, NodeJob)
        if place not in seats.job.met:
            seats.job.met[place] = side.name, self._here(side, archives)
        return seats.take(place)

    def _here(self, side: Side, archives: Mapping[str, Any]) -> str:
        """Return an agent as it is named on this machine."""
        import ray  # an extra

        if side.bundle is None:
            return side.contestant
        folder = self._cache.find(side.bundle)
        if folder is None:
            folder = self._cache.keep(side.bundle, ray.get(archives[side.bundle]))
        if not side.place.startswith("./"):  # a dotted path
            sys.path.append(str(folder))
            return side.place + side.contestant
        return f"{folder / side.place}{side.contestant}"


@functools.cache
def program() -> str:
    """Return the version of hansu with a digest of its sources: the same plays the same games."""
    digest = hashlib.sha256()
    for file in sorted(PACKAGE.rglob("*.py")):
        digest.update(f"{file.relative_to(PACKAGE).as_posix()}\n".encode())
        digest.update(file.read_bytes())
    return f"hansu {hansu.__version__} ({digest.hexdigest()[:12]})"
