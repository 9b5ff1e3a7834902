"""What a program says to the server, and hears from it."""

import contextlib
import json
import ssl
import time

import httpx
from websockets.sync.client import connect

PLAIN = {"timeout": 120, "verify": ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)}
"""Else httpx reads all certificates for each request, which takes twenty times as long as it."""


def post(server, path, body, **headers):
    return httpx.post(f"{server.url}{path}", json=body, headers=headers, **PLAIN)


def get(server, path, **headers):
    return httpx.get(f"{server.url}{path}", headers=headers, **PLAIN)


def upload(server, content, name="", **headers):
    address = f"{server.url}/api/records"
    return httpx.post(address, params={"name": name}, content=content, headers=headers, **PLAIN)


def open_table(server, **wanted):
    answer = post(server, "/api/tables", {"game": "tictactoe", **wanted})
    assert answer.status_code == 200, answer.text
    return answer.json()


@contextlib.contextmanager
def join(server, table, **hello):
    with connect(f"{server.url.replace('http', 'ws')}/ws/tables/{table['id']}") as line:
        line.send(json.dumps({"type": "hello", "key": table["key"], **hello}))
        yield line


def say(line, kind, **more):
    line.send(json.dumps({"type": kind, **more}))


def hear(line, kind):
    """The next message of a kind."""
    while True:
        said = json.loads(line.recv(timeout=90))
        if said["type"] == kind:
            return said


def until(is_so):
    """Wait for something that will be so, however busy the machine is."""
    for _ in range(900):
        if found := is_so():
            return found
        time.sleep(0.1)
    raise AssertionError("it never was so")
