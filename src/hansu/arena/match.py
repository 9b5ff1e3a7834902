"""``hansu.match``: many games between two agents."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from hansu.arena.executor import (
    MOST_PROCESSES,
    Executor,
    InProcess,
    Job,
    LocalProcesses,
    Stop,
    never,
)
from hansu.arena.match_result import MatchGame, MatchResult
from hansu.arena.openings import Openings
from hansu.arena.seat import Contestant, name_of
from hansu.arena.tournament.plan import make_plan
from hansu.arena.tournament.schedule import games_of
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
    seed: int = 0,
    concurrency: int = 1,
    sprt: Sprt | None = None,
    untrusted: bool = False,
    save: str | Path | None = None,
    progress: Callable[[MatchResult], None] | None = None,
    stop: Stop = never,
) -> MatchResult:
    """Play a match, half of the games with colours swapped.

    ``untrusted`` refuses agents that cannot be isolated. ``save`` is a file for the games, checked
    before the first one and written however the match ends. ``progress`` is called with the result
    before the first game and after each pair. Once ``stop()`` is true no game is started.

    >>> import hansu
    >>> result = hansu.match("tictactoe", "minimax", "random", games=10)
    >>> result.losses
    0
    """
    check_callables(progress=never if progress is None else progress, stop=stop)
    file = None if save is None else GameFile(save)
    if whole_number(games, "games") < 1:
        raise OptionError(f"a match has at least one game, not {games}")
    chosen, rounds = game(which), (games + 1) // 2
    plan = make_plan(chosen, (a, b), rounds, "round-robin", openings, control, seed, untrusted)
    plan = replace(plan, agents=(name_of(a), name_of(b)))  # they may have the same name
    job = Job(chosen, (a, b), Openings(chosen, plan.openings, plan.seed), plan)
    count = min(whole_number(concurrency, "concurrency", 1, MOST_PROCESSES), games)
    if sprt is not None and not isinstance(sprt, Sprt):
        raise OptionError(f"sprt: {sprt!r} is not an Sprt")
    if file:
        file.check(_unplayed(job))
    result = MatchResult(plan.game, name_of(a), name_of(b), sprt=sprt)
    try:
        with InProcess(job) if count == 1 else LocalProcesses(job, count) as executor:
            for _ in _play_pairs(executor, job, games, result, stop):
                if progress:
                    progress(result)
    finally:
        if file and result.played:
            file.write(result.games)
    return result


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
        for scheduled, record in executor.play(islice(games_of(job.plan, {}), games), stop):
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
