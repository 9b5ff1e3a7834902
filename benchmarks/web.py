"""How the page's server bears a crowd, on this machine: ``python -m benchmarks.web``.

Spectators of one game, people who play at the same time, the page's weight and first paint, and how
soon every game lets one move (``web_page.py``). The crowd runs in this process on the same cores as
the server, so the figures are pessimistic. The work of the server is told in milliseconds of a
core, which do not depend on what else the machine does.
"""

import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import httpx
import typer
from rich.console import Console
from rich.table import Table
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.web_page import browser, first_moves, frames, loads

MOVES = ("e5", "d5", "c5", "e4", "d4", "c4", "e3", "d3")  # of a game of go, both sides

LATEST = {"cold": "≤ 10 s", "warm": "≤ 2 s"}

Measured = tuple[list[float], float]  # delays, and the server's work a move; both in milliseconds


@dataclass
class Server:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    url: str

    def memory(self) -> float:
        """Megabytes that it holds now; Linux only."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else float("nan")

    def work(self) -> float:
        """Milliseconds of a core that it has used by now, however busy the machine is; Linux."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Seat:
    """One connection, and when it saw each turn."""

    line: ClientConnection
    seen: dict[int, float] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def watch(self) -> None:
        """Note when each turn arrives."""
        async for text in self.line:
            turns = re.search(r'"played":\[(.*?)\]', str(text))
            if turns and '"type":"state"' in str(text):
                count = turns[1].count('"') // 2
                self.seen.setdefault(count, time.perf_counter())
                self.news.set()


def started(options: Sequence[str] = (), **how: Any) -> Server:
    """Start a server with these options."""
    command = [sys.executable, "-m", "hansu", "serve", "--port", "0", "--no-browser", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **how)
    assert process.stdout is not None
    found = re.search(r"http://\S+:\d+", process.stdout.readline())
    assert found is not None
    return Server(process, found[0])


async def sit(server: Server, table: dict[str, str], key: str = "") -> Seat:
    line = await connect(f"{server.url.replace('http', 'ws')}/ws/tables/{table['id']}")
    await line.send(json.dumps({"type": "hello", "key": key}))
    return Seat(line)


async def open_table(client: httpx.AsyncClient, **wanted: Any) -> dict[str, str]:
    answer = await client.post("/api/tables", json=wanted)
    answer.raise_for_status()
    table: dict[str, str] = answer.json()
    return table


async def spectators(
    server: Server, client: httpx.AsyncClient, count: int, ready: asyncio.Barrier
) -> Measured:
    """Milliseconds from a person's move until each spectator has the new board, and work a move."""
    table = await open_table(client, game="go")
    player = await sit(server, table, table["key"])
    crowd = [await sit(server, table) for _ in range(count)]
    tasks = [asyncio.create_task(seat.watch()) for seat in (player, *crowd)]
    await asyncio.sleep(1)
    await ready.wait()
    delays, work = [], server.work()
    for turn, move in enumerate(MOVES, 1):
        begin = time.perf_counter()
        await player.line.send(json.dumps({"type": "move", "move": move}))
        while not all(turn in seat.seen for seat in crowd):
            await asyncio.sleep(0.005)
        delays += [1000 * (seat.seen[turn] - begin) for seat in crowd]
    work = (server.work() - work) / len(MOVES)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*(seat.line.close() for seat in (player, *crowd)))
    return delays, work


async def players(
    server: Server, client: httpx.AsyncClient, count: int, ready: asyncio.Barrier
) -> Measured:
    """Milliseconds from a person's move to the agent's answer, all at once, and work for both."""
    wanted = {"game": "connect4", "black": {"agent": "random"}}
    tables = [await open_table(client, **wanted) for _ in range(count)]
    seats = [await sit(server, table, table["key"]) for table in tables]
    tasks = [asyncio.create_task(seat.watch()) for seat in seats]
    await asyncio.sleep(1)
    await ready.wait()
    delays, work = [], server.work()
    for turn in (2, 4):
        begin = time.perf_counter()
        for seat in seats:
            await seat.line.send('{"type": "move", "move": "4"}')
        while not all(turn in seat.seen for seat in seats):
            await asyncio.sleep(0.005)
        delays += [1000 * (seat.seen[turn] - begin) for seat in seats]
    work = (server.work() - work) / (2 * count)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*(seat.line.close() for seat in seats))
    return delays, work


async def crowd(server: Server, watchers: int, games: int) -> dict[str, float]:
    """Spectators and players alone for what each costs, then all of them at the same time."""
    async with client_of(server) as client:
        await open_table(client, game="go")  # compiled before anything is measured
        await open_table(client, game="connect4", black={"agent": "random"})
        _, watched = await spectators(server, client, watchers, asyncio.Barrier(1))
        _, answering = await players(server, client, games, asyncio.Barrier(1))
        (seen, _), (answered, _) = await together(server, client, watchers, games)
        return {
            "seen": statistics.median(seen),
            "last_seen": max(seen),
            "answered": statistics.median(answered),
            "last_answered": max(answered),
            "work_watched": watched,
            "work_answered": answering,
        }


def client_of(server: Server) -> httpx.AsyncClient:
    fresh = httpx.Limits(max_keepalive_connections=0)  # the server hangs up on idle ones
    return httpx.AsyncClient(base_url=server.url, timeout=300, limits=fresh)


async def together(
    server: Server, client: httpx.AsyncClient, watchers: int, games: int
) -> tuple[Measured, Measured]:
    """Both begin to move when everybody is seated."""
    ready = asyncio.Barrier(2)
    return await asyncio.gather(
        spectators(server, client, watchers, ready), players(server, client, games, ready)
    )


async def soak(server: Server, minutes: float, watchers: int, games: int) -> list[float]:
    """The same again and again: what the server's memory comes to, once a minute."""
    told: list[float] = []
    begin = time.monotonic()
    async with client_of(server) as client:
        while (spent := (time.monotonic() - begin) / 60) < minutes:
            if spent >= len(told):
                told.append(server.memory())
                typer.echo(f"{spent:5.1f} min  {told[-1]:.0f} MB", err=True)
            await together(server, client, watchers, games)
    return [*told, server.memory()]


def main(
    watchers: Annotated[int, typer.Option(min=1, max=1000)] = 500,
    games: Annotated[int, typer.Option(min=1, max=100)] = 50,
    minutes: Annotated[float, typer.Option(min=0, help="Go on so long, watching memory.")] = 0,
    waits: Annotated[bool, typer.Option(help="Also time the first move of every game.")] = True,
) -> None:
    """Print what was measured as a table."""
    server = started()
    try:
        load = asyncio.run(crowd(server, watchers, games))
        with browser() as opened:
            page = (loads(opened, server.url), frames(opened, server.url)) if opened else None
            first = list(first_moves(opened)) if opened and waits else []
        memory = asyncio.run(soak(server, minutes, watchers, games)) if minutes else []
    finally:
        server.process.terminate()
        server.process.wait()
    table = Table("what", "here", "must", title="The page under load", title_justify="left")
    seen = f"{load['seen']:.0f} ms, the last after {load['last_seen']:.0f}"
    answered = f"{load['answered']:.0f} ms, the last after {load['last_answered']:.0f}"
    table.add_row(f"{watchers} spectators see a move (median)", seen, "< 100 ms")
    table.add_row(f"{games} players have their answer (median)", answered, "< 100 ms")
    table.add_row("work a watched move", f"{load['work_watched']:.1f} ms of a core", "")
    table.add_row("work an answered move", f"{load['work_answered']:.1f} ms of a core", "")
    if page:
        _add_page(table, *page)
    for game, cache, started_in, moved, replied in first:
        told = f"{moved:.1f} s (answer {replied:.1f} s later; command {started_in:.1f} s before)"
        table.add_row(f"{game}, {cache} cache: first move", told, LATEST[cache])
    if memory:
        settled = memory[len(memory) // 3 :]
        told = f"{settled[0]:.0f} MB, {settled[-1]:.0f} at the end, {max(settled):.0f} at most"
        table.add_row(f"memory after a third of {minutes:g} minutes", told, "flat")
    busy = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    table.add_row("load of the machine (1, 5, 15 minutes)", busy, "quiet")
    Console(width=110).print(table)


def _add_page(
    table: Table, pages: dict[str, tuple[float, float, float]], longest: tuple[float, float]
) -> None:
    for name, (decoded, painted, shifted) in pages.items():
        table.add_row(f"{name}: weight as decoded", f"{decoded:.0f} kB", "≤ 350 kB")
        table.add_row(f"{name}: first paint (median)", f"{painted:.2f} s", "≤ 0.5 s")
        table.add_row(f"{name}: layout shift", f"{shifted:.4f}", "none")
    work, clock = longest
    told = f"{work:.0f} ms of a core, {clock:.0f} ms by the clock"
    table.add_row("longest task of a move on 19x19", told, "≤ 50 ms")


if __name__ == "__main__":
    typer.run(main)
