"""``hansu solve``: what a position is worth under perfect play."""

import contextlib
import json
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.live import Live
from rich.text import Text

from hansu.cli.arguments import GameArgument, JsonOption, read_text, standard_input_lines
from hansu.cli.build_tables import BUILD_MEMORY, build_tables
from hansu.cli.progress import Lines
from hansu.cli.terminal import Console, say
from hansu.cli.training import INTERRUPTED
from hansu.errors import HansuError, PositionError
from hansu.games.game import Game, game
from hansu.games.solver import Solver
from hansu.games.state import State
from hansu.learning.stopping import Stop
from hansu.search import solve as search
from hansu.search.info import SearchInfo
from hansu.search.limits import Limits, SearchHandle
from hansu.search.truth import Truth

STANDARD_INPUT = "-"
SAVE_EVERY = 300.0  # seconds
WRITING = 0.1  # at most about this share of the time is spent on saving
LINE = 2.0  # seconds at most to find how perfect play goes on
Moves = tuple[str, ...]


def solve(
    which: GameArgument,
    position: Annotated[
        str | None,
        typer.Argument(
            help="Position (default: the start); - reads one a line, @FILE a file. "
            "Write -- before a board that begins with a dash."
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds for a position (default: no limit)")
    ] = None,
    best: Annotated[
        bool, typer.Option("--best", help="Find the best moves only, not every move's score.")
    ] = False,
    memory: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=2**20,
            help=f"Megabytes of the transposition table (default: {search.MEMORY}), "
            f"or to build tables ({BUILD_MEMORY}).",
        ),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, max=256, help="Threads.")] = search.THREADS,
    table: Annotated[
        Path | None,
        typer.Option(help="Keep the transposition table in this file, to resume a long search."),
    ] = None,
    save_every: Annotated[
        float, typer.Option(min=0.1, help="Seconds between two saves of the table.")
    ] = SAVE_EVERY,
    pieces: Annotated[
        int | None,
        typer.Option(help="Build the tables of all endings with up to so many pieces (chess)."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a position: its exact value, the best moves, and how long the game lasts.

    Scores are the game's own: in connect4 22 - k for a win with one's k-th stone, in othello the
    lead in discs with the empty squares counted for the winner. Ctrl+C stops the search and prints
    what is proved so far. Microchess needs tables: --pieces 4 builds them once.
    """
    chosen = game(which)
    if pieces is not None:
        if position is not None:
            raise HansuError("--pieces builds tables for all positions: leave the position out")
        build_tables(chosen, pieces, memory or BUILD_MEMORY, threads, as_json)
        return
    if table is not None:
        _check_writable(table)
    solver = search.make_solver(chosen, memory or search.MEMORY, ready=seconds is not None)
    if table is not None and solver.table is None:
        raise HansuError(f"{chosen} is solved without a transposition table: leave --table out")
    if table is not None and table.exists():
        solver.load(table)
    stop, limits = Stop(), Limits(seconds, exact=not best)
    with _kept(solver, table, save_every), stop.on_interrupt():
        if position == STANDARD_INPUT:
            status = _solve_lines(chosen, limits, threads, solver, stop, as_json)
        else:
            state = chosen.start_from(None if position is None else read_text(position))
            status = 0
            _print(state, *_watched(state, limits, threads, solver, stop), as_json)
    raise typer.Exit(INTERRUPTED if stop.asked else status)


def _check_writable(file: Path) -> None:
    """Raise HansuError before hours of search, not after them, where no file can be written."""
    try:
        with tempfile.TemporaryFile(dir=file.parent):
            pass
    except OSError as error:
        raise HansuError(f"cannot write {file}: {error.strerror}") from None


@contextlib.contextmanager
def _kept(solver: Solver, file: Path | None, every: float) -> Iterator[None]:
    """Keep the table in a file: now and then beside the search, and at its end."""
    if file is None:
        yield
        return
    ended = threading.Event()

    def save_now_and_then() -> None:
        pause = every
        while not ended.wait(pause):
            begin = time.monotonic()
            try:
                solver.save(file)
            except HansuError as error:
                say(f"hansu: {error}; the search goes on", fg="red", err=True)
            pause = max(every, (time.monotonic() - begin) / WRITING)

    saver = threading.Thread(target=save_now_and_then, name="table", daemon=True)
    saver.start()
    try:
        yield
    finally:
        ended.set()
        saver.join()
        solver.save(file)


def _solve_lines(
    chosen: Game, limits: Limits, threads: int, solver: Solver, stop: Stop, as_json: bool
) -> int:
    """Answer each line of standard input; a bad one gets an error line and exit status 2."""
    status = 0
    for line in standard_input_lines():
        try:
            if not line.strip():
                raise PositionError("a blank line is no position: leave - out to solve the start")
            state = chosen.parse(line)
            _print(state, *_watched(state, limits, threads, solver, stop), as_json)
        except HansuError as error:
            status = 2
            typer.echo(json.dumps({"error": str(error)}) if as_json else f"error: {error}")
        if stop.asked:
            break
    return status


def _watched(
    state: State, limits: Limits, threads: int, solver: Solver, stop: Stop
) -> tuple[Truth, Moves]:
    """Solve a position, and find how perfect play goes on.

    Tell on standard error how far it is, and stop on Ctrl+C.
    """
    errors = Console(stderr=True, highlight=False, markup=False)
    lines = Lines()
    with Live(console=errors, auto_refresh=False, transient=True) as live:

        def hear(found: Callable[[], SearchInfo]) -> None:
            if stop.asked:
                handle.stop()
            elif errors.is_terminal:
                live.update(Text(f"{_progress(found())} (Ctrl+C to stop)"), refresh=True)
            else:
                lines.tell(lambda: _progress(found()))

        handle = SearchHandle(hear)
        truth = search.solve(state, limits, handle, threads=threads, solver=solver)
        left = LINE if limits.seconds is None else max(0.0, limits.seconds - truth.seconds)
        return truth, search.proved_line(state, truth, solver, handle, min(left, LINE))


def _progress(info: SearchInfo) -> str:
    known = sum(line.score is not None for line in info.lines)
    return (
        f"{info.nodes:,} positions in {info.seconds:.0f} s, "
        f"{known} of {len(info.lines)} moves solved"
    )


def _print(state: State, truth: Truth, line: Moves, as_json: bool) -> None:
    if as_json:
        facts = {**truth.facts(), "variation": list(line)}
        typer.echo(json.dumps({"position": state.text(), **facts}))
        return
    screen = Console(highlight=False, markup=False)
    screen.print(f"{state}\n")
    headline, *rows = str(truth).splitlines()
    screen.print(headline, style="bold")
    screen.print("\n".join(rows))
    if line:
        screen.print(f"\nperfect play: {' '.join(line)}")
