"""Many games between two players, and what they say about who is stronger."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from hansu.arena.executor import (
    MOST_PROCESSES,
    Executor,
    InProcess,
    Job,
    LocalProcesses,
    Stop,
    never,
)
from hansu.arena.match_table import match_table
from hansu.arena.openings import VARIETY, Openings
from hansu.arena.seat import Contestant, name_of
from hansu.arena.statistics import Estimate, Sprt, estimate
from hansu.arena.tournament.plan import make_plan
from hansu.arena.tournament.schedule import games_of
from hansu.errors import OptionError
from hansu.games.game import Game, game
from hansu.options import whole_number
from hansu.records.game_file import GameFile
from hansu.records.record import GameRecord, TimeControl


@dataclass(frozen=True)
class MatchGame:
    """A game of a match, and whether A had the first move."""

    number: int
    a_first: bool
    record: GameRecord

    @property
    def score(self) -> float:
        """1, a half or 0 for A."""
        return self.record.score_first if self.a_first else 1.0 - self.record.score_first


@dataclass
class MatchResult:
    """The games of a match and everything counted from them, from A's point of view."""

    game: str
    a: str
    b: str
    played: list[MatchGame] = field(default_factory=list)
    sprt: Sprt | None = None

    @property
    def games(self) -> list[GameRecord]:
        """The records, in the order of the games."""
        return [g.record for g in self.played]

    @property
    def wins(self) -> int:
        """Games that A won."""
        return sum(g.score == 1.0 for g in self.played)

    @property
    def draws(self) -> int:
        """Games nobody won."""
        return sum(g.score == 0.5 for g in self.played)

    @property
    def losses(self) -> int:
        """Games that B won."""
        return sum(g.score == 0.0 for g in self.played)

    @property
    def score(self) -> float:
        """A's mean score."""
        return _mean([g.score for g in self.played])

    @property
    def as_first(self) -> float:
        """A's mean score in the games in which A began."""
        return _mean([g.score for g in self.played if g.a_first])

    @property
    def as_second(self) -> float:
        """A's mean score in the games in which B began."""
        return _mean([g.score for g in self.played if not g.a_first])

    @property
    def distinct_games(self) -> int:
        """How many different games there were: repeated ones tell nothing new."""
        return len({(g.record.start, *g.record.moves, g.a_first) for g in self.played})

    @property
    def pairs(self) -> list[float]:
        """A's mean score in each pair of games with the same opening."""
        by_pair: dict[int, list[float]] = {}
        for g in self.played:
            by_pair.setdefault(g.number // 2, []).append(g.score)
        return [_mean(scores) for scores in by_pair.values()]

    @property
    def pentanomial(self) -> list[int]:
        """How many whole pairs gave A 0, a half, 1, one and a half, 2 points."""
        counts = [0] * 5
        for number, score in enumerate(self.pairs):
            if 2 * number + 1 < len(self.played):
                counts[round(4 * score)] += 1
        return counts

    @property
    def estimate(self) -> Estimate:
        """Elo, its error and the likelihood of superiority."""
        return estimate(self.pairs, self.distinct_games / len(self.played))

    @property
    def elo(self) -> float:
        """By how much A is stronger."""
        return self.estimate.elo

    @property
    def elo_error(self) -> float:
        """The 95 % error of ``elo``."""
        return self.estimate.elo_error

    @property
    def superiority(self) -> float:
        """The likelihood that A is the stronger player."""
        return self.estimate.superiority

    @property
    def disqualified(self) -> list[dict[str, Any]]:
        """Games lost by breaking the rules of the arena, with the evidence."""
        return [
            {"game": g.number + 1, "reason": g.record.outcome.reason, "evidence": g.record.evidence}
            for g in self.played
            if g.record.evidence
        ]

    @property
    def verdict(self) -> str:
        """What can be concluded, in plain words."""
        total, distinct = len(self.played), self.distinct_games
        if distinct < min(total, 4):
            return f"{total} games, {distinct} distinct: no evidence (try openings={VARIETY!r})"
        if self.sprt and (decision := self.sprt.decision(self.pairs)):
            elo = self.sprt.elo1 if decision == "elo1" else self.sprt.elo0
            sign = "at least" if decision == "elo1" else "no more than"
            return f"SPRT: {self.a} is stronger by {sign} {elo:g} Elo"
        sure = max(self.superiority, 1.0 - self.superiority)
        stronger = self.a if self.superiority > 0.5 else self.b
        shown = f"{100 * min(sure, 0.999):.3g} % sure"
        if sure >= 0.95:
            return f"{stronger} is stronger, {shown}"
        return f"no clear difference yet ({stronger} ahead, {shown})"

    def facts(self) -> dict[str, Any]:
        """The numbers, as programs read them."""
        return {
            "games": len(self.played),
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": self.score,
            "elo": round(self.elo, 1),
            "elo_error": round(self.elo_error, 1),
            "los": round(self.superiority, 4),
            "distinct_games": self.distinct_games,
            "as_first": self.as_first,
            "as_second": self.as_second,
            "pentanomial": self.pentanomial,
            "verdict": self.verdict,
            "disqualified": self.disqualified,
        }

    def rows(self) -> list[tuple[str, str]]:
        """The report, line by line."""
        return [
            ("score", f"{self.score:.3f} (+{self.wins} ={self.draws} -{self.losses})"),
            ("as first / as second", f"{self.as_first:.3f} / {self.as_second:.3f}"),
            ("Elo difference", f"{self.elo:+.0f} ± {self.elo_error:.0f} (95 %)"),
            ("likelihood of superiority", f"{self.superiority:.1%}"),
            ("pairs 0 ½ 1 1½ 2", " ".join(map(str, self.pentanomial))),
            ("distinct games", f"{self.distinct_games} of {len(self.played)}"),
            ("disqualifications", str(len(self.disqualified))),
            ("verdict", self.verdict),
        ]

    def __str__(self) -> str:
        width = max(len(name) for name, _ in self.rows())
        body = [f"  {name:<{width}}  {value}" for name, value in self.rows()]
        return "\n".join([f"{self.a} against {self.b}, {self.game}", *body])

    def _repr_html_(self) -> str:
        return match_table(self)


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

    ``untrusted``: isolate every agent from outside, or refuse it. ``save``: a file for the games,
    checked before the first one and written however the match ends. ``progress`` hears of the
    result before the first game and after each pair. Once ``stop()`` is true no game is begun.

    >>> import hansu
    >>> result = hansu.match("tictactoe", "minimax", "random", games=10)
    >>> result.losses
    0
    """
    file = None if save is None else GameFile(save)
    job = _job(game(which), (a, b), games, openings, control, seed, untrusted)
    count = min(whole_number(concurrency, "concurrency", 1, MOST_PROCESSES), games)
    if sprt is not None and not isinstance(sprt, Sprt):
        raise OptionError(f"sprt: {sprt!r} is not an Sprt")
    if file:
        file.check(_unplayed(job))
    result = MatchResult(job.plan.game, name_of(a), name_of(b), sprt=sprt)
    try:
        with InProcess(job) if count == 1 else LocalProcesses(job, count) as executor:
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
    seed: int,
    untrusted: bool,
) -> Job:
    """A match is a plan of two players, who may have the same name."""
    if whole_number(games, "games") < 1:
        raise OptionError(f"a match has at least one game, not {games}")
    rounds = (games + 1) // 2
    plan = make_plan(chosen, players, rounds, "round-robin", openings, control, seed, untrusted)
    plan = replace(plan, agents=tuple(map(name_of, players)))
    return Job(chosen, players, Openings(chosen, plan.openings, plan.seed), plan)


def _unplayed(job: Job) -> list[GameRecord]:
    """Games before their first move, one for each opening."""
    plan, color = job.plan, job.game.first_color
    a, b = plan.agents
    starts = job.openings.sample(plan.rounds)
    return [GameRecord(plan.game, a, b, start.text(), color, plan.seed) for start in starts]


def _play_pairs(
    executor: Executor, job: Job, games: int, result: MatchResult, stop: Stop
) -> Iterator[None]:
    """Add pair after pair in their order, whoever plays them; in the end all that is finished."""
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
                if result.sprt and result.sprt.decision(result.pairs):
                    finished.clear()  # what else was played depends on the number of workers
                    return
    finally:
        result.played += [finished[number] for number in sorted(finished)]


def _mean(scores: list[float]) -> float:
    return sum(scores) / len(scores) if scores else 0.0
