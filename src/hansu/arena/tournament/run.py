"""``hansu.tournament``: play what is still missing, then count."""

import math
import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from hansu.arena.openings import Openings
from hansu.arena.ratings import Anchor
from hansu.arena.seat import Contestant
from hansu.arena.tournament.crew import Crew, Job
from hansu.arena.tournament.ledger import Ledger
from hansu.arena.tournament.live import forget_live
from hansu.arena.tournament.plan import Format, Plan, make_plan
from hansu.arena.tournament.report import report
from hansu.arena.tournament.result import TournamentResult
from hansu.arena.tournament.schedule import byes, schedule
from hansu.arena.tournament.standings import standings
from hansu.errors import HansuError, OptionError
from hansu.games.game import Game, game
from hansu.records.record import GameRecord, TimeControl

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
    seed: int = 0,
    concurrency: int = 1,
    untrusted: bool = False,
    anchor: str | None = None,
    database: str | None = None,
    progress: Progress | None = None,
) -> TournamentResult:
    """Play a tournament, or go on with the one in the folder ``out``.

    In each round everyone meets everyone with both colours (``gauntlet``: the first agent meets all
    others; ``swiss``: those with equal scores meet). Called again with the same arguments it plays
    what is missing. The folder gets the database, ``games.jsonl`` and ``report.html``.
    ``anchor`` is the agent whose rating is fixed: ``random``, or ``random=1000``.

    >>> import hansu
    >>> result = hansu.tournament("tictactoe", "minimax", "random", "first_move", rounds=2)
    >>> result.standings[0].agent, len(result.games)
    ('minimax', 12)
    """
    chosen = game(which)
    if concurrency < 1:
        raise OptionError(f"concurrency is at least 1, not {concurrency}")
    plan = make_plan(chosen, agents, rounds, format, openings, control, seed, untrusted)
    fixed = read_anchor(anchor, plan.agents)
    keeps_files = out is not None
    with ExitStack() as stack:
        if out is None:
            out = stack.enter_context(TemporaryDirectory(prefix="hansu-"))
        folder = make_folder(out)
        live = folder if keeps_files else None
        job = Job(chosen, agents, Openings(chosen, plan.openings, seed), plan, live)
        for place in range(len(agents)):
            job.seat(place).close()  # mistakes are told here, before anything is played
        ledger = open_ledger(folder, database)
        ledger.enter(plan)
        forget_live(live)
        play_missing(job, ledger, concurrency, progress)
        forget_live(live)
        result = count(ledger, plan, fixed)
        if keeps_files:
            write_whole(folder / "games.jsonl", "".join(f"{r.as_json()}\n" for r in result.games))
            write_whole(folder / "report.html", report(result))
    return result


def play_missing(job: Job, ledger: Ledger, concurrency: int, progress: Progress | None) -> None:
    """Play every scheduled game that has no result yet."""
    plan, results = job.plan, ledger.results()
    if progress:
        progress(None, len(results), plan.scheduled)
    if len(results) == plan.scheduled:
        return
    with Crew(job, concurrency) as crew:
        while missing := [g for g in schedule(plan, results) if g.number not in results]:
            for scheduled, record in crew.play(missing):
                ledger.add(scheduled.number, record)
                forget_live(job.live, scheduled.number)
                results[scheduled.number] = record.score_first
                if progress:
                    progress(record, len(results), plan.scheduled)


def count(ledger: Ledger, plan: Plan, anchor: Anchor | None = None) -> TournamentResult:
    """The table of what has been played so far."""
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
    """A database of its own in the folder; in a shared one it goes by the folder's name."""
    if database is None:
        return Ledger(f"sqlite:///{folder / 'tournament.sqlite'}", "tournament")
    return Ledger(database, folder.resolve().name)


def make_folder(out: str | Path) -> Path:
    """The folder, made if need be."""
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HansuError(f"cannot make the folder {folder}: {error.strerror}") from None
    return folder


def write_whole(file: Path, text: str) -> None:
    """Write a file so that whoever looks sees the old one or the new one."""
    fresh = file.with_name(file.name + ".new")
    try:
        fresh.write_text(text, encoding="utf-8")
        os.replace(fresh, file)
    except OSError as error:
        raise HansuError(f"cannot write {file}: {error.strerror}") from None


def read_anchor(text: str | None, agents: tuple[str, ...]) -> Anchor | None:
    """The anchor that ``NAME`` or ``NAME=ELO`` means."""
    if text is None:
        return None
    if text in agents:
        return Anchor(text)
    name, _, elo = text.rpartition("=")
    try:
        if name in agents and math.isfinite(float(elo)):
            return Anchor(name, float(elo))
    except ValueError:
        pass
    raise OptionError(f"anchor {text!r}: one of {', '.join(agents)} expected, with =ELO if need be")
