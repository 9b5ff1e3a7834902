"""``hansu.match``: many games between two agents."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from hansu.arena.choose_executor import Place, check_place, choose_executor
from hansu.arena.executor import Executor, InProcess, Job, Stop, never
from hansu.arena.match_result import MatchGame, MatchResult
from hansu.arena.openings import Openings
from hansu.arena.seat import Contestant, Isolation, name_of
from hansu.arena.tournament.plan import make_plan
from hansu.arena.tournament.schedule import games_of
from hansu.arena.withdrawal import Withdrawals, play_or_forfeit
from hansu.errors import OptionError
from hansu.games.game import Game, game
from hansu.options import check_callables, whole_number
from hansu.records.game_file import GameFile
from hansu.records.record import GameRecord, TimeControl
from hansu.statistics.sprt import Sprt


def match(
    which: str | Game,
    a: Contestant,
    b: Contestant,
    games: int = 20,
    *,
    openings: str | None = None,
    control: TimeControl = TimeControl(),  # noqa: B008 - frozen
    seed: int | None = None,
    concurrency: int | None = None,
    on: Place = "here",
    sprt: Sprt | None = None,
    untrusted: bool = False,
    isolation: Isolation = "required",
    save: str | Path | None = None,
    progress: Callable[[MatchResult], None] | None = None,
    stop: Stop = never,
) -> MatchResult:
    """Play a match, half of the games with colours swapped.

    The same seed plays the same games. Without one it is secret until the result tells it.
    ``isolation``: agents of files are isolated or refused (``required``), run as plain processes
    (``process``) or in this process (``trusted``). ``untrusted`` refuses what is no file and cannot
    be isolated. ``concurrency`` is how many games are played at the same time: by default one, or
    ``on`` a cluster (``ray``) one per core. ``save`` is a file for the games, checked before the
    first one and written however the match ends. ``progress`` is called with the result before the
    first game and after each pair. Once ``stop()`` is true no game is started.

    >>> import hansu
    >>> result = hansu.match("tictactoe", "minimax", "random", games=10)
    >>> result.losses
    0
    """
    check_callables(progress=never if progress is None else progress, stop=stop)
    file = None if save is None else GameFile(save)
    job = _job(game(which), (a, b), games, openings, control, seed, untrusted, isolation)
    check_place(on, concurrency)
    is_alone = on == "here" and min(concurrency or 1, games) == 1
    count = None if concurrency is None else min(concurrency, games)
    if sprt is not None and not isinstance(sprt, Sprt):
        raise OptionError(f"sprt: {sprt!r} is not an Sprt")
    if file:
        file.check(_unplayed(job))
    result = MatchResult(job.plan.game, name_of(a), name_of(b), sprt=sprt, seed=job.plan.seed)
    try:
        with InProcess(job) if is_alone else choose_executor(job, on, count) as executor:
            for _ in _play_pairs(executor, job, games, result, stop):
                if progress:
                    progress(result)
    finally:
        if file and result.played:
            file.write(result.games)
    return result


def _job(
    chosen: Game,
    players: tuple[Contestant, Contestant],
    games: int,
    openings: str | None,
    control: TimeControl,
    seed: int | None,
    untrusted: bool,
    isolation: Isolation,
) -> Job:
    """A match is a plan of two players, who may have the same name."""
    if whole_number(games, "games") < 1:
        raise OptionError(f"a match has at least one game, not {games}")
    rounds = (games + 1) // 2
    terms = (control, seed, untrusted, isolation)
    plan = make_plan(chosen, players, rounds, "round-robin", openings, *terms)
    plan = replace(plan, agents=tuple(map(name_of, players)))
    return Job(chosen, players, Openings(chosen, plan.openings, plan.seed), plan)


def _unplayed(job: Job) -> list[GameRecord]:
    """Return unplayed games, one per opening."""
    plan, color = job.plan, job.game.first_color
    a, b = plan.agents
    starts = job.openings.sample(plan.rounds)
    return [GameRecord(plan.game, a, b, start.text(), color, plan.seed) for start in starts]


def _play_pairs(
    executor: Executor, job: Job, games: int, result: MatchResult, stop: Stop
) -> Iterator[None]:
    """Add finished pairs in their order, whatever order they finish in; at the end the rest."""
    finished: dict[int, MatchGame] = {}
    yield
    try:
        wanted = islice(games_of(job.plan, {}), games)
        for scheduled, record in play_or_forfeit(executor, wanted, stop, Withdrawals(job)):
            number = scheduled.number
            finished[number] = MatchGame(number, scheduled.first == 0, record)
            begin = len(result.played)
            while begin < games and finished.keys() >= (pair := {begin, min(begin + 1, games - 1)}):
                result.played += [finished.pop(number) for number in sorted(pair)]
                begin = len(result.played)
                yield
                if result.sprt_decision:
                    finished.clear()  # what else was played depends on the number of workers
                    return
    finally:
        result.played += [finished[number] for number in sorted(finished)]
