"""Connections that take without end: silent, slow, deaf, endless, or simply too many."""

import contextlib
import json
import logging
import os
import resource
import socket
import subprocess
import sys

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from hansu.web import connections, session_socket
from hansu.web import server as server_module
from hansu.web.quiet_log import OUT_OF_DESCRIPTORS, OncePerPeriod
from tests.web.talking import get, hear, join, open_table, until

HOST = "Host: 127.0.0.1\r\n"
UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
HALF = {
    "nothing": "",
    "a line": "GET / HT",
    "a header": f"GET / HTTP/1.1\r\n{HOST}X: ",
    "headers": f"GET / HTTP/1.1\r\n{HOST}",
    "a body": f"POST /api/tables HTTP/1.1\r\n{HOST}Content-Length: 100\r\n\r\n{{",
    "a file": f"POST /api/records HTTP/1.1\r\n{HOST}Content-Length: 1000\r\n\r\n4453",
    "a replay": f"POST /api/replay HTTP/1.1\r\n{HOST}Content-Length: 1000\r\n\r\n{{",
    "a greeting": f"GET /ws/tables/x HTTP/1.1\r\n{HOST}{UPGRADE}Sec-Web",
    "a second request": f"GET /games.css HTTP/1.1\r\n{HOST}\r\nGET / HTTP/1.1\r\nX: ",
}


@pytest.fixture
def impatient(monkeypatch, other_server):
    """A server that waits for less than a second."""
    monkeypatch.setattr(connections, "EACH", 0.1)
    monkeypatch.setattr(session_socket, "HELLO_SECONDS", 0.5)
    for phase in connections.SECONDS:
        monkeypatch.setitem(connections.SECONDS, phase, 0.5)
    return other_server()


def line_to(server):
    return socket.create_connection(("127.0.0.1", server.settings.port), timeout=60)


def rest_of(line):
    """What still comes, until the server hangs up."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while more := line.recv(65536):
            said += more
    return said


@pytest.mark.parametrize("begun", HALF.values(), ids=HALF)
def test_half_a_request_is_not_waited_for(impatient, begun):
    with line_to(impatient) as line:
        line.sendall(begun.encode())
        assert b" 500 " not in rest_of(line)
    assert get(impatient, "/").status_code == 200


def test_a_request_that_trickles_in_is_not_waited_for(impatient):
    with line_to(impatient) as line, contextlib.suppress(ConnectionError):
        line.sendall(f"GET / HTTP/1.1\r\n{HOST}X: ".encode())
        line.settimeout(0.05)
        for _ in range(600):
            line.sendall(b"a")
            with contextlib.suppress(TimeoutError):
                assert line.recv(1000)[:12] in (b"", b"HTTP/1.1 408")
                return
        raise AssertionError("it was waited for")


def test_who_does_not_greet_is_disconnected(impatient):
    table = open_table(impatient)
    with connect(f"{impatient.url.replace('http', 'ws')}/ws/tables/{table['id']}") as line:
        assert hear(line, "closed")["why"] == "hello"


def test_a_message_that_never_ends_is_not_waited_for(impatient):
    table = open_table(impatient)
    with join(impatient, table) as line:
        hear(line, "state")
        line.socket.sendall(b"\x01\x85\0\0\0\0hello")  # a text to be continued
        with pytest.raises(ConnectionClosed):
            hear(line, "nothing")


def test_who_never_reads_is_disconnected(impatient):
    table = open_table(impatient, game="go", rules={"size": 19})
    with join(impatient, table) as line:
        hear(line, "state")
        visits = impatient._server.server_state.connections
        look = json.dumps({"type": "look", "flip": True, "area": True})
        with deaf(impatient, table) as raw:
            with contextlib.suppress(OSError):
                for _ in range(300):
                    raw.sendall(frame(look.encode()))
            until(lambda: len(visits) <= 1)


def frame(text):
    """A message as a browser sends it, masked with nothing."""
    length = bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2)
    return b"\x81" + length + b"\0\0\0\0" + text


@contextlib.contextmanager
def deaf(server, table):
    """A visitor who sends and does not read."""
    with line_to(server) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        path = f"/ws/tables/{table['id']}"
        line.sendall(f"GET {path} HTTP/1.1\r\n{HOST}{UPGRADE}{key}".encode())
        assert b" 101 " in line.recv(2000)
        line.sendall(frame(json.dumps({"type": "hello", "key": table["key"]}).encode()))
        yield line


@pytest.mark.parametrize("flood", [b"\x89\x80\0\0\0\0", frame(b"{}")], ids=["pings", "messages"])
def test_a_flood_is_cut_off(server, flood):
    table = open_table(server)
    with deaf(server, table) as line:
        with contextlib.suppress(ConnectionError):
            for _ in range(100):
                line.sendall(flood * 5000)
        rest_of(line)
    with join(server, table) as line:
        hear(line, "state")


def test_silent_connections_give_way(monkeypatch, other_server):
    monkeypatch.setattr(server_module, "most_connections", lambda: 60)
    server = other_server()
    table = open_table(server)
    with contextlib.ExitStack() as held, join(server, table) as line:
        hear(line, "state")
        for _ in range(200):
            held.enter_context(line_to(server))
        assert get(server, "/").status_code == 200
        assert open_table(server)["id"]
        line.send('{"type": "look"}')
        hear(line, "state")  # who has said what they want stays


def test_visitors_who_do_not_greet_give_way(monkeypatch, other_server):
    monkeypatch.setattr(server_module, "most_connections", lambda: 60)
    server = other_server()
    table = open_table(server)
    address = f"{server.url.replace('http', 'ws')}/ws/tables/{table['id']}"
    with contextlib.ExitStack() as held:
        for _ in range(100):
            held.enter_context(connect(address, open_timeout=60, close_timeout=0.1))
        assert get(server, "/").status_code == 200
        with join(server, table) as line:
            hear(line, "state")


def test_with_few_descriptors_the_server_goes_on_and_logs_little(command_server):
    server = command_server(descriptors=200)
    with contextlib.ExitStack() as held:
        for _ in range(400):
            held.enter_context(line_to(server))
        assert get(server, "/").status_code == 200
        assert open_table(server)["id"]
    assert server.log.stat().st_size < 2000


def test_of_each_kind_of_message_one_line_is_logged():
    once = OncePerPeriod()

    def told(message, error=None):
        facts = (type(error), error, None) if error else None
        record = logging.LogRecord("x", logging.ERROR, __file__, 1, message, (), facts)
        return record if once.filter(record) else None

    full = OSError(24, "Too many open files")
    first, *others = (told("socket.accept() out of system resource", full) for _ in range(1000))
    assert first is not None
    assert first.getMessage() == OUT_OF_DESCRIPTORS
    assert first.exc_info is None
    assert others == [None] * 999
    assert told("something else") is not None
    once._kinds = {kind: (at - 100, more) for kind, (at, more) in once._kinds.items()}
    again = told("socket.accept() out of system resource", full)
    assert again is not None
    assert again.getMessage() == f"{OUT_OF_DESCRIPTORS} (and 999 times more)"


def test_the_limit_of_descriptors_is_raised():
    code = (
        "import resource as r; from hansu.web.descriptors import most_connections as most\n"
        "hard = r.getrlimit(r.RLIMIT_NOFILE)[1]; r.setrlimit(r.RLIMIT_NOFILE, (256, hard))\n"
        "print(most(), r.getrlimit(r.RLIMIT_NOFILE)[0])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    most, limit = map(int, found.stdout.split())
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    assert limit == min(hard, 16_384) or os.getuid() == 0
    assert most < limit
