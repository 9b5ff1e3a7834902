"""``hansu.tournament``: play the missing games, then count."""

import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from hansu.arena.choose_executor import Place, check_place, choose_executor
from hansu.arena.executor import Executor, Job, Stop, never
from hansu.arena.openings import Openings
from hansu.arena.ratings import Anchor
from hansu.arena.seat import Contestant, Isolation
from hansu.arena.tournament.claim import claimed_file
from hansu.arena.tournament.database import Database
from hansu.arena.tournament.ledger import Ledger
from hansu.arena.tournament.live import forget_live
from hansu.arena.tournament.plan import Format, Plan, make_plan
from hansu.arena.tournament.report import report
from hansu.arena.tournament.result import TournamentResult
from hansu.arena.tournament.schedule import byes, schedule
from hansu.arena.tournament.standings import standings
from hansu.arena.withdrawal import Withdrawals, play_or_forfeit
from hansu.errors import HansuError, OptionError
from hansu.games.game import Game, game
from hansu.options import check_callables
from hansu.records.record import GameRecord, TimeControl
from hansu.records.writing import write_whole

Progress = Callable[[GameRecord | None, int, int], None]
"""Called with a finished game (None before the first), the number finished, the number planned."""


def tournament(
    which: str | Game,
    *agents: Contestant,
    rounds: int = 1,
    out: str | Path | None = None,
    format: Format = "round-robin",
    openings: str | None = None,
    control: TimeControl = TimeControl(),  # noqa: B008 - frozen
    seed: int | None = None,
    concurrency: int | None = None,
    on: Place = "here",
    untrusted: bool = False,
    isolation: Isolation = "required",
    anchor: str | None = None,
    database: str | None = None,
    progress: Progress | None = None,
    stop: Stop = never,
) -> TournamentResult:
    """Play a tournament, or resume the one in the folder ``out``.

    In each round everyone meets everyone with both colours (``gauntlet``: the first agent meets all
    others; ``swiss``: equal scores meet). The same call again plays what is missing. The folder
    gets the database, ``games.jsonl`` and ``report.html``. Once ``stop()`` is true no game is
    started, and the table covers the games so far. Without a seed a new tournament gets a secret
    one, which the results tell, and an old one keeps its own. Agents of files are isolated;
    whatever is wrong with one loses its games and stops nobody. ``anchor`` is the agent whose
    rating is fixed: ``random``, or ``random=1000``. ``concurrency`` is how many games are
    played at the same time: by default one, or ``on`` a cluster (``ray``) one per core.

    >>> import hansu
    >>> result = hansu.tournament("tictactoe", "minimax", "random", "first_move", rounds=2)
    >>> result.standings[0].agent, len(result.games)
    ('minimax', 12)
    """
    check_callables(progress=never if progress is None else progress, stop=stop)
    chosen = game(which)
    check_place(on, concurrency)
    terms = (control, seed, untrusted, isolation)
    plan = make_plan(chosen, agents, rounds, format, openings, *terms)
    fixed = read_anchor(anchor, plan.agents)
    with ExitStack() as stack:
        kept = None if out is None else make_folder(out)
        folder = kept or Path(stack.enter_context(TemporaryDirectory(prefix="hansu-")))
        stack.enter_context(claimed_file(folder / "lock"))
        ledger = open_ledger(folder, database)
        if database is not None:
            stack.enter_context(ledger.claimed())
        if seed is None and (earlier := ledger.find_plan()) is not None:
            plan = replace(plan, seed=earlier.seed)
        starts = Openings(chosen, plan.openings, plan.seed)
        job = Job(chosen, agents, starts, plan, kept, forgiving=True)
        with ExitStack() as playing:
            executor = None
            if len(ledger.results()) < plan.scheduled:
                executor = playing.enter_context(choose_executor(job, on, concurrency))
            ledger.enter(plan)
            keep = playing.enter_context(kept_games(kept, ledger))
            play_missing(executor, job, ledger, keep, progress, stop)
        result = count(ledger, plan, fixed)
        if kept:
            write_whole(kept / "report.html", report(result).encode())
    return result


def play_missing(
    executor: Executor | None,
    job: Job,
    ledger: Ledger,
    keep: Callable[[int, GameRecord], None],
    progress: Progress | None,
    stop: Stop,
) -> None:
    """Play every scheduled game that has no result yet; if there is none, without an executor."""
    plan, results = job.plan, ledger.results()
    withdrawals = Withdrawals(job, ledger.records().values())
    if progress:
        progress(None, len(results), plan.scheduled)
    while executor and not stop():
        missing = [g for g in schedule(plan, results) if g.number not in results]
        if not missing:
            return
        for scheduled, record in play_or_forfeit(executor, missing, stop, withdrawals):
            keep(scheduled.number, record)
            results[scheduled.number] = record.score_first
            if progress:
                progress(record, len(results), plan.scheduled)


@contextmanager
def kept_games(folder: Path | None, ledger: Ledger) -> Iterator[Callable[[int, GameRecord], None]]:
    """Yield a function that keeps a finished game in the database and ``games.jsonl``.

    The file grows game by game. Before and after it is brought in line with the database.
    """
    if folder is None:
        yield ledger.add
        return

    def rewrite() -> None:
        lines = "".join(f"{record.as_json()}\n" for record in ledger.records().values())
        write_whole(file, lines.encode())

    def keep(number: int, record: GameRecord) -> None:
        ledger.add(number, record)
        forget_live(folder, number)
        try:
            with file.open("a", encoding="utf-8") as games:
                games.write(f"{record.as_json()}\n")
        except OSError as error:
            raise HansuError(f"cannot write {file}: {error.strerror}") from None

    file = folder / "games.jsonl"
    forget_live(folder)
    rewrite()
    try:
        yield keep
    finally:
        forget_live(folder)
        rewrite()


def so_far(out: str | Path, database: str | None, anchor: str | None = None) -> TournamentResult:
    """Return the table of an unfinished tournament; raises HansuError if none has begun."""
    ledger = open_ledger(Path(out), database)
    plan = ledger.plan()
    return count(ledger, plan, read_anchor(anchor, plan.agents))


def count(ledger: Ledger, plan: Plan, anchor: Anchor | None = None) -> TournamentResult:
    """Return the table of the games played so far."""
    records = ledger.records()
    results = {number: record.score_first for number, record in records.items()}
    table = standings(
        plan.agents,
        list(records.values()),
        anchor=anchor,
        byes=byes(plan, results) if plan.format == "swiss" else None,
        swiss=plan.format == "swiss",
    )
    return TournamentResult(plan, records, table)


def open_ledger(folder: Path, database: str | None) -> Ledger:
    """Open the folder's own database, or a shared one under the folder's name."""
    if database is None:
        return Ledger(Database(f"sqlite:///{folder / 'tournament.sqlite'}", "tournament"))
    return Ledger(Database(database, folder.resolve().name))


def make_folder(out: str | Path) -> Path:
    """Return the folder; create it if it is missing."""
    try:
        folder = Path(out)
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, TypeError, ValueError) as error:
        raise HansuError(f"cannot make the folder {out}: {error}") from None
    return folder


def read_anchor(text: str | None, agents: tuple[str, ...]) -> Anchor | None:
    """Return the anchor that ``NAME`` or ``NAME=ELO`` means."""
    if text is None:
        return None
    if not isinstance(text, str):
        raise OptionError(f"anchor: {text!r} is not the name of an agent")
    if text in agents:
        return Anchor(text)
    name, _, elo = text.rpartition("=")
    try:
        if name in agents and math.isfinite(float(elo)):
            return Anchor(name, float(elo))
    except ValueError:
        pass
    raise OptionError(f"anchor {text!r}: one of {', '.join(agents)} expected, optionally with =ELO")
