"""Play many games between two players."""

import functools
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass

from hansu.arena.match_result import MatchGame, MatchResult
from hansu.arena.openings import VARIETY, Openings
from hansu.arena.player import Player
from hansu.arena.referee import play
from hansu.arena.seat import Contestant, is_deterministic, name_of, seat
from hansu.errors import OptionError
from hansu.games.game import Game, game
from hansu.records.record import TimeControl
from hansu.statistics.sprt import Sprt


@dataclass(frozen=True)
class Job:
    """Everything that a worker needs to play any pair of the match."""

    game: Game
    a: Contestant
    b: Contestant
    games: int
    openings: Openings
    control: TimeControl
    seed: int
    untrusted: bool = False

    def pair(self, number: int, players: tuple[Player, Player]) -> list[MatchGame]:
        """Play the same opening twice, with colours swapped."""
        played = []
        for index in range(2 * number, min(2 * number + 2, self.games)):
            a_first = index % 2 == 0
            first, second = players if a_first else players[::-1]
            seed = self.seed * 1_000_003 + index
            record = play(self.openings[number], first, second, self.control, seed)
            played.append(MatchGame(index, a_first, record))
        return played

    def players(self) -> tuple[Player, Player]:
        """Both players, ready to be asked."""
        first, second = (seat(who, self.game, self.untrusted) for who in (self.a, self.b))
        return first, second


def match(
    which: str | Game,
    a: Contestant,
    b: Contestant,
    games: int = 20,
    *,
    openings: str | None = None,
    control: TimeControl = TimeControl(),  # noqa: B008 - frozen
    seed: int = 0,
    concurrency: int = 1,
    sprt: Sprt | None = None,
    untrusted: bool = False,
    progress: Callable[[MatchResult], None] | None = None,
) -> MatchResult:
    """Play a match, half of the games with colours swapped.

    ``untrusted``: isolate every agent from outside, or refuse it.

    >>> import hansu
    >>> result = hansu.match("tictactoe", "minimax", "random", games=10)
    >>> result.losses
    0
    """
    chosen = game(which)
    if games < 1:
        raise OptionError(f"a match has at least one game, not {games}")
    if concurrency < 1:
        raise OptionError(f"concurrency is at least 1, not {concurrency}")
    if openings is None and is_deterministic(a, chosen) and is_deterministic(b, chosen):
        openings = VARIETY
    job = Job(chosen, a, b, games, Openings(chosen, openings, seed), control, seed, untrusted)
    result = MatchResult(str(chosen), name_of(a), name_of(b), sprt=sprt)
    for pair in _pairs(job, concurrency):
        result.played += pair
        if progress:
            progress(result)
        if result.sprt_decision:
            break
    return result


def _pairs(job: Job, concurrency: int) -> Iterator[list[MatchGame]]:
    """All pairs in order, whoever plays them."""
    numbers = range((job.games + 1) // 2)
    if concurrency == 1 or len(numbers) == 1:
        players = job.players()
        try:
            for number in numbers:
                yield job.pair(number, players)
        finally:
            for player in players:
                player.close()
        return
    for player in job.players():  # mistakes are told here, and what compiles is compiled once
        player.close()
    yield from _parallel_pairs(job, numbers, concurrency)


def _parallel_pairs(job: Job, numbers: range, concurrency: int) -> Iterator[list[MatchGame]]:
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else "spawn")
    with ProcessPoolExecutor(concurrency, context, initializer=_begin, initargs=(job,)) as pool:
        waiting = {pool.submit(_work, number): number for number in numbers}
        done: dict[int, list[MatchGame]] = {}
        try:
            for number in numbers:
                while number not in done:
                    ready, _ = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in ready:
                        done[waiting.pop(future)] = future.result()
                yield done.pop(number)
        finally:
            _cancel(waiting)


def _cancel(futures: dict["Future[list[MatchGame]]", int]) -> None:
    for future in futures:
        future.cancel()


_job: Job
"""What this worker process works on."""


def _begin(job: Job) -> None:
    global _job
    _job = job
    _seated.cache_clear()


@functools.cache
def _seated() -> tuple[Player, Player]:
    return _job.players()


def _work(number: int) -> list[MatchGame]:
    return _job.pair(number, _seated())
