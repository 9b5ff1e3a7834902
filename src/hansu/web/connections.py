"""Connections at the level of the protocols: how many there are, and how long each may take.

uvicorn has neither. A connection that has not said what it wants gives way to a newcomer; one that
sends or reads too slowly is ended; one that floods us with bytes is cut off.
"""

import asyncio
import contextlib
from collections.abc import Iterable
from typing import Any, ClassVar, Literal

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from hansu.web.allowance import Allowance
from hansu.web.quiet_log import log

Phase = Literal["request", "body", "answer", "reading", "visit", "message", "closing"]
SECONDS: dict[Phase, float] = {
    "request": 10.0,  # until all headers are there
    "body": 30.0,
    "reading": 20.0,  # the visitor does not read what we have sent
    "message": 10.0,  # begun and not ended
    "closing": 10.0,
}
"""How long a connection may stay in a phase; in the others as long as it likes."""

MOST_STRANGERS = 2048  # connections that have not yet said what they want, a third at most
MOST_MESSAGES = 128  # of one visitor that wait to be read
ENOUGH = 2**16  # bytes that somebody who reads slowly reads in the time
EACH = 1.0  # seconds between two looks at all connections
TIMEOUT = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Connections:
    """All connections of a server."""

    def __init__(self, most: int) -> None:
        self._most, self._most_strangers = most, min(MOST_STRANGERS, most // 3)
        self._phases: dict[Connection, tuple[Phase, float]] = {}  # and since when
        self._strangers: dict[Connection, None] = {}  # in the order in which they came
        self._next_look: asyncio.TimerHandle | None = None

    def add(self, connection: "Connection") -> None:
        """Count a new connection; if there are too many, a stranger goes, the first that came."""
        self._phases[connection] = connection.phase, connection.loop.time()
        self._strangers[connection] = None
        while len(self._strangers) > self._most_strangers or len(self._phases) > self._most:
            if len(self._phases) > self._most:
                log.warning("there are more than %d connections: some are closed", self._most)
            self._end(self._first_to_go())
        if self._next_look is None:
            self._next_look = connection.loop.call_later(EACH, self._look)

    def know(self, connection: "Connection") -> None:
        """A connection has said what it wants: it stays."""
        self._strangers.pop(connection, None)

    def discard(self, connection: "Connection") -> None:
        """A connection has ended."""
        self._phases.pop(connection, None)
        self._strangers.pop(connection, None)

    def _first_to_go(self) -> "Connection":
        slow = (c for c in self._phases if c.phase in ("request", "body", "reading", "closing"))
        newest = next(reversed(self._phases))
        return next(iter(self._strangers), None) or next(slow, newest)

    def _end(self, connection: "Connection") -> None:
        self.discard(connection)
        connection.transport.abort()

    def _look(self) -> None:
        """End what takes too long."""
        self._next_look = None
        for connection, (before, since) in list(self._phases.items()):
            now, phase = connection.loop.time(), connection.phase
            if phase != before or (phase == "reading" and connection.has_read_some()):
                self._phases[connection] = phase, now
            elif now - since > SECONDS.get(phase, float("inf")):
                if phase in ("request", "body"):
                    connection.transport.write(TIMEOUT)
                    connection.transport.close()
                else:
                    self._end(connection)
        for connection in self._phases:
            self._next_look = connection.loop.call_later(EACH, self._look)
            break


class Reader:
    """How much of what was sent to a connection has been read."""

    transport: asyncio.Transport
    _unread = 0  # bytes, at most since something was last read

    def has_read_some(self) -> bool:
        """Return whether the other side has read on since this was last so."""
        unread = self.transport.get_write_buffer_size()
        has_read = self._unread - unread >= ENOUGH
        self._unread = unread if has_read else max(unread, self._unread)
        return has_read


class HttpConnection(Reader, H11Protocol):
    """A connection for requests."""

    connections_of_server: ClassVar[Connections]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it."""
        super().connection_made(transport)
        self.connections_of_server.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no longer."""
        self.connections_of_server.discard(self)
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Note that it has said what it wants."""
        super().handle_events()
        if self.cycle is not None:
            self.connections_of_server.know(self)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand over to the other protocol, which counts anew."""
        self.connections_of_server.discard(self)
        super().handle_websocket_upgrade(event)

    @property
    def phase(self) -> Phase:
        """What is being waited for."""
        if self.transport.is_closing():
            return "closing"
        if self.flow.write_paused:
            return "reading"
        if self.cycle is None or self.cycle.response_complete:
            return "request"
        return "body" if self.cycle.more_body else "answer"


class VisitConnection(Reader, WebSocketsSansIOProtocol):
    """A connection of a visitor to a table."""

    connections_of_server: ClassVar[Connections]
    most_bytes: ClassVar[int]  # of one message

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._bytes = Allowance(4 * self.most_bytes, self.most_bytes / 8)

    def connection_made(self, transport: Any) -> None:
        """Count it."""
        super().connection_made(transport)
        self.connections_of_server.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no longer, and forget what it still wanted."""
        self.connections_of_server.discard(self)
        while not self.queue.empty():
            self.queue.get_nowait()
        with contextlib.suppress(KeyError):  # cut off in the middle of the handshake
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, unless it is a flood."""
        is_flood = self._bytes.take(len(data)) > 0
        if not is_flood:
            super().data_received(data)
        if is_flood or self.queue.qsize() > MOST_MESSAGES:
            log.warning("a visitor sent too much at once and was cut off")
            self.transport.abort()

    def handle_connect(self, event: Any) -> None:
        """Let the session say when it knows the visitor."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["state"]["known"] = lambda: self.connections_of_server.know(self)

    @property
    def phase(self) -> Phase:
        """What is being waited for."""
        if self.transport.is_closing() or self.close_sent:
            return "closing"
        if not self.writable.is_set():
            return "reading"
        return "message" if self.frames else "visit"


Connection = HttpConnection | VisitConnection


def protocols(most: int, most_bytes: int) -> Iterable[type[asyncio.Protocol]]:
    """Return the protocols of a server with room for so many connections."""
    own = {"connections_of_server": Connections(most), "most_bytes": most_bytes}
    return type("Http", (HttpConnection,), own), type("Visit", (VisitConnection,), own)
