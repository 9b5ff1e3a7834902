"""Abusive clients of the page's server, one kind each; ``benchmarks.abuse`` lets them loose."""

import asyncio
import contextlib
import json
import random
import resource
from collections.abc import Awaitable, Callable

import httpx
from websockets.asyncio.client import connect

SLEEPER = """
import time

import hansu


class Sleeper(hansu.Agent):
    def act(self, state):
        time.sleep(50)
        return list(state.legal_moves)[0]
"""
RETRY = 0.25  # seconds after which somebody who was refused comes again
THINKER = {"agent": "mcts", "options": {"n_simulations": 100_000_000}}
Abuse = Callable[[str], Awaitable[None]]


def run(kinds: list[str], url: str, seconds: float) -> None:
    """Abuse a server for so long, in all these ways at once."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

    async def abuse() -> None:
        everybody = asyncio.gather(*(KINDS[kind](url) for kind in kinds), return_exceptions=True)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(everybody, seconds)

    asyncio.run(abuse())


def _client(url: str) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
    return httpx.AsyncClient(base_url=url, timeout=300, limits=limits)


async def _table(client: httpx.AsyncClient, **wanted: object) -> dict[str, str] | None:
    with contextlib.suppress(httpx.HTTPError, ValueError):
        answer = await client.post("/api/tables", json=wanted)
        if answer.status_code == 200:
            table: dict[str, str] = answer.json()
            return table
    return None


async def _sit(url: str, table: dict[str, str], key: bool, **options: object) -> object:
    address = f"{url.replace('http', 'ws')}/ws/tables/{table['id']}"
    line = await connect(address, open_timeout=60, **options)  # type: ignore[arg-type]
    await line.send(json.dumps({"type": "hello", "key": table["key"] if key else ""}))
    return line


async def _always(what: Callable[[], Awaitable[object]], clients: int) -> None:
    """Let so many clients do something again and again, whatever the answer."""

    async def again() -> None:
        while True:
            try:
                await what()
            except Exception:
                await asyncio.sleep(RETRY)

    await asyncio.gather(*(again() for _ in range(clients)))


async def unattended(url: str) -> None:
    """Tables of agents that think for a minute, with nobody there."""
    async with _client(url) as client:
        for _ in range(8):
            await _table(client, game="connect4", white=THINKER, black=THINKER, think=60)
        await asyncio.sleep(3600)


async def thinkers(url: str) -> None:
    """The same, watched, so that nothing pauses them."""
    async with _client(url) as client:
        lines = []
        for _ in range(12):
            table = await _table(client, game="connect4", white=THINKER, black=THINKER, think=60)
            if table:
                lines.append(await _sit(url, table, key=True))
        await asyncio.sleep(3600)


async def analysts(url: str) -> None:
    """Tables where analyses and hints are asked for again and again."""

    async def ask() -> None:
        async with _client(url) as client:
            table = await _table(client, game="go", rules={"size": 19})
            assert table
            line = await _sit(url, table, key=True)
            for number in range(100):
                kind = {"type": "hint"} if number % 2 else {"type": "analyze", "agent": THINKER}
                await line.send(json.dumps({"seconds": 60, **kind} if number % 2 == 0 else kind))  # type: ignore[attr-defined]
                await asyncio.sleep(0.05)

    await _always(ask, 6)


async def uploads(url: str) -> None:
    """Files of a million turns."""
    files = [
        "4453\n" * 200_000,
        "f5\n" * 340_000,
        "b2a1c3\n" * 140_000,
        "(;GM[1];B[ee];W[dd])" * 50_000,
    ]
    async with _client(url) as client:

        async def send() -> None:
            content = random.choice(files)[: 2**20].encode()
            await client.post("/api/records", content=content)

        await _always(send, 4)


async def replays(url: str) -> None:
    """A long game to step through."""
    line = long_game(10_000)
    async with _client(url) as client:
        await _always(lambda: client.post("/api/replay", content=line.encode()), 2)


async def sockets(url: str) -> None:
    """As many connections as there are, on which nothing is ever said."""
    host, port = url.removeprefix("http://").split(":")
    held = []

    async def hold() -> None:
        held.append(await asyncio.open_connection(host, int(port)))
        if len(held) > 1100:  # those that the server has ended
            held.pop(0)[1].close()
            await asyncio.sleep(RETRY)

    await _always(hold, 20)


async def half_requests(url: str) -> None:
    """Requests that begin and never end, in the header, the body and the handshake."""
    host, port = url.removeprefix("http://").split(":")
    begun = (
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
        "POST /api/records HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\nxx",
        "POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{",
        "GET /ws/tables/x HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upg",
    )

    async def drip() -> None:
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(random.choice(begun).encode())
        while not reader.at_eof():
            writer.write(b"a")
            await writer.drain()
            await asyncio.sleep(2)

    await _always(drip, 100)


async def watchers(url: str) -> None:
    """Two thousand watchers of one table, and what its owner does there."""
    async with _client(url) as client:
        table = await _table(client, game="go")
        assert table
        held = []

        async def come() -> None:
            line = await _sit(url, table, key=False)
            await line.recv()  # type: ignore[attr-defined]
            held.append(line)
            if len(held) >= 2000:
                await asyncio.sleep(3600)

        async def rush() -> None:
            line = await _sit(url, table, key=True)
            while True:
                await line.send('{"type": "move", "move": "e5"}')  # type: ignore[attr-defined]
                await line.send('{"type": "undo"}')  # type: ignore[attr-defined]
                await asyncio.sleep(0.02)

        await asyncio.gather(_always(come, 10), _always(rush, 1))


async def deaf(url: str) -> None:
    """Visitors who ask and ask and never read an answer."""
    async with _client(url) as client:
        table = await _table(client, game="go", rules={"size": 19})
        assert table

        async def ask() -> None:
            line = await _sit(url, table, key=False, max_queue=1)
            flip = False
            while True:
                flip = not flip
                await line.send(json.dumps({"type": "look", "flip": flip, "area": True}))  # type: ignore[attr-defined]
                await line.ping()  # type: ignore[attr-defined]

        await _always(ask, 20)


async def isolated(url: str) -> None:
    """Tables of agents that each need a process of their own, watched."""
    async with _client(url) as client:
        lines = []

        async def come() -> None:
            own = {"agent": "sleeper.py"}
            table = await _table(client, game="tictactoe", white=own, black=own)
            if table:
                lines.append(await _sit(url, table, key=True))
            if len(lines) >= 12:
                await asyncio.sleep(3600)

        await _always(come, 4)


async def requests(url: str) -> None:
    """Good requests, as many as fit on twenty connections."""
    limits = httpx.Limits(max_connections=20)
    async with httpx.AsyncClient(base_url=url, timeout=300, limits=limits) as client:
        await _always(lambda: client.get("/"), 20)


KINDS: dict[str, Abuse] = {
    each.__name__: each
    for each in (
        *(unattended, thinkers, analysts, uploads, replays, sockets, half_requests, watchers, deaf),
        *(isolated, requests),
    )
}


def long_game(turns: int) -> str:
    """Return a game of go of so many turns, by the rules, as a line of JSON."""
    import hansu
    from hansu.records.record import GameRecord, Turn

    rng = random.Random(1)
    state = hansu.game("go", size=19, max_turns=turns).start()
    moves: list[Turn] = []
    while len(moves) < turns and not state.is_game_over():
        legal = list(state.legal_moves)
        move = rng.choice(legal)
        if state.move_text(move) == "pass" and len(legal) > 1:
            continue
        moves.append(Turn(state.move_text(move)))
        state.push(move)
    return GameRecord(str(state.game), "a", "b", "", False, 0, moves).as_json()
