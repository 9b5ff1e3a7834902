"""How people fare while others abuse the server: ``python -m benchmarks.abuse``.

First each kind of abuse alone: what a person waits for an answer and for a new table meanwhile, and
what the server holds and logs. Then 500 spectators, 50 people at their games and ten abusive
clients, all at once. The abusers are a process of their own; everybody shares this machine's cores,
so the figures are pessimistic. Linux only.
"""

import asyncio
import contextlib
import json
import multiprocessing
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from benchmarks import abusers
from benchmarks.web import Seat, Server, client_of, open_table, sit, spectators, started

USUAL_DESCRIPTORS = 1024  # of a process, unless the organiser has raised it
MANY_DESCRIPTORS = 4096  # as a system allows at least when it is asked
PAUSE = 1.0  # seconds between a person's moves
START = 10.0  # seconds that abusers have before people come
LOST = 60.0  # seconds: who waits for longer goes away


@dataclass
class Fared:
    """What people saw, in milliseconds, and what the server came to."""

    answers: list[float] = field(default_factory=list)
    openings: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    memory: float = 0.0  # megabytes at most, with all its processes
    logged: float = 0.0  # kilobytes


@contextlib.contextmanager
def server(folder: Path, descriptors: int) -> Iterator[tuple[Server, Path]]:
    """Start a server with the usual limits; yield it and its log."""
    agents = folder / "agents"
    agents.mkdir(exist_ok=True)
    (agents / "sleeper.py").write_text(abusers.SLEEPER)
    log = folder / "log"

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

    with log.open("wb") as errors:
        running = started(["--agents", str(agents)], stderr=errors, preexec_fn=limit)
    try:
        yield running, log
    finally:
        running.process.terminate()
        try:
            running.process.wait(20)
        except subprocess.TimeoutExpired:
            running.process.kill()
            running.process.wait()


async def play(running: Server, fared: Fared, until: float) -> None:
    """Play connect4 against an agent that answers at once, game after game."""
    wanted = {"game": "connect4", "black": {"agent": "random"}}
    async with client_of(running) as client:
        while time.monotonic() < until:
            begin = time.perf_counter()
            try:
                table = await asyncio.wait_for(open_table(client, **wanted), LOST)
                fared.openings.append(1000 * (time.perf_counter() - begin))
                seat = await asyncio.wait_for(sit(running, table, table["key"]), LOST)
            except Exception:  # refused, cut off or not answered
                fared.openings.append(1000 * LOST)
                await asyncio.sleep(PAUSE)
                continue
            watching = asyncio.create_task(seat.watch())
            for turn in (2, 4, 6):
                fared.answers.append(1000 * await answered(seat, turn, watching))
                await asyncio.sleep(PAUSE)
            watching.cancel()
            closing = asyncio.wait_for(seat.line.close(), 5)
            await asyncio.gather(closing, return_exceptions=True)


async def answered(seat: Seat, turn: int, watching: asyncio.Task[None]) -> float:
    """Move; return the seconds until the agent has answered."""
    begin = time.perf_counter()
    with contextlib.suppress(Exception):
        await seat.line.send(json.dumps({"type": "move", "move": str(turn)}))
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LOST):
            while turn not in seat.seen and not watching.done():
                seat.news.clear()
                news = asyncio.create_task(seat.news.wait())
                await asyncio.wait([news, watching], return_when=asyncio.FIRST_COMPLETED)
                news.cancel()
    return seat.seen.get(turn, begin + LOST) - begin


async def measure(running: Server, fared: Fared, until: float) -> None:
    """Note how much memory the server takes."""
    while time.monotonic() < until:
        fared.memory = max(fared.memory, tree_memory(running.process.pid))
        await asyncio.sleep(0.5)


def tree_memory(root: int) -> float:
    """Megabytes that a process and all below it hold."""
    parents, sizes = {}, {}
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError, ValueError, KeyError):
            facts = dict(line.split(":", 1) for line in status.read_text().splitlines())
            parents[int(status.parent.name)] = int(facts["PPid"])
            sizes[int(status.parent.name)] = int(facts.get("VmRSS", "0 kB").split()[0]) / 1024
    total = 0.0
    for pid, size in sizes.items():
        above: int | None = pid
        while above is not None and above != root:
            above = parents.get(above)
        total += size if above == root else 0.0
    return total


async def watch(running: Server, fared: Fared, watchers: int) -> None:
    """Let spectators watch one more game."""
    async with client_of(running) as client:
        seen, _ = await spectators(running, client, watchers, asyncio.Barrier(1))
        fared.seen += seen


def fare(kinds: list[str], people: int, watchers: int, seconds: float, descriptors: int) -> Fared:
    """Start a server, let the abusers loose, then people; return how people fared."""
    fared = Fared()
    with (
        tempfile.TemporaryDirectory() as folder,
        server(Path(folder), descriptors) as (running, log),
    ):
        asyncio.run(meet(running, fared, kinds, people, watchers, seconds))
        fared.logged = log.stat().st_size / 1000
    return fared


async def meet(
    running: Server, fared: Fared, kinds: list[str], people: int, watchers: int, seconds: float
) -> None:
    """Abusers and people at the same time."""
    async with client_of(running) as client:  # compiled before anything is measured
        for game in ("connect4", "go", "tictactoe"):
            await open_table(client, game=game, white={"agent": "mcts"}, black={"agent": "random"})
        await open_table(client, game="tictactoe", black={"agent": "sleeper.py"})
    crew = multiprocessing.get_context("spawn").Process(
        target=abusers.run, args=(kinds, running.url, seconds + 60)
    )
    crew.start()
    await asyncio.sleep(START)  # their processes start, and take what they can
    until = time.monotonic() + seconds
    tasks = [play(running, fared, until) for _ in range(people)]
    tasks += [watch(running, fared, watchers)] if watchers else []
    try:
        await asyncio.gather(measure(running, fared, until), *tasks)
    finally:
        crew.kill()
        crew.join()


def told(delays: list[float]) -> str:
    """Return the median and the worst."""
    if not delays:
        return "-"
    return f"{statistics.median(delays):,.0f} ms, at most {max(delays):,.0f}"


def main(
    only: Annotated[list[str] | None, typer.Option(help="Kinds of abuse; all of them.")] = None,
    together: Annotated[bool, typer.Option(help="All at once, with the crowd.")] = True,
    alone: Annotated[bool, typer.Option(help="Each kind alone.")] = True,
    seconds: Annotated[float, typer.Option(min=5, help="Length of each measurement.")] = 25,
    descriptors: Annotated[int, typer.Option(min=64, help="For each alone.")] = USUAL_DESCRIPTORS,
) -> None:
    """Print what was measured as a table."""
    kinds = only or list(abusers.KINDS)
    table = Table("abuse", "answer", "new table", "memory", "log", title="People meanwhile")

    def add(name: str, fared: Fared) -> None:
        facts = told(fared.answers), told(fared.openings)
        table.add_row(name, *facts, f"{fared.memory:.0f} MB", f"{fared.logged:.0f} kB")
        typer.echo(f"{name}: {facts[0]}", err=True)

    for kind in ["", *kinds] if alone else []:
        add(kind or "none", fare([kind] if kind else [], 3, 0, seconds, descriptors))
    if together:
        fared = fare(kinds, 50, 500, seconds, MANY_DESCRIPTORS)
        add(f"{len(kinds)} abusers, 500 spectators, 50 people", fared)
        table.add_row("must", "< 150 ms", "", "< 1500 MB", "")
        table.add_row("  spectators see a move", told(fared.seen), "", "", "")
    Console(width=120).print(table)


if __name__ == "__main__":
    typer.run(main)
