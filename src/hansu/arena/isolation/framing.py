"""What goes through the pipes: a length of four bytes, then that much JSON. Nothing is unpickled.

to the agent                                       from the agent
{"id", "op": "start", ...}                         {"id"} ready
{"id", "op": "load", "color"}                      {"id"} the agent has been made
{"id", "op": "reset", "color", "start", ...}       {"id"} ready
{"id", "op": "act", "moves", "white", "black",     {"id", "move": 4, "found": [0.6, 4, 900]}
 "increment", "move_seconds"}                      or {"id", "resign": true}
{"id", "op": "close"}                              {"id"} done
                                                   {"id", "fault": [reason, evidence]} instead

Moves are numbers, as compiled code has them; ``moves`` are those the agent does not know yet.
``found`` is the value of the move, the depth and the nodes of the search, each null if not known.
"""

import json
import os
from typing import Any

MAX_BYTES = 1 << 16  # of one message; a pipe holds as much, so that one write always fits
HEADER = 4
REASONS = ("crash", "illegal_move", "disqualified")  # what a child may say of its own agent
LARGEST_MOVE = 2**31
SHOWN = 400  # characters of evidence kept

Message = dict[str, Any]


class FramingError(Exception):
    """What came is not a message."""


def pack(message: Message) -> bytes:
    """A message as bytes."""
    body = json.dumps(message).encode()
    return len(body).to_bytes(HEADER, "big") + body


class Inbox:
    """Collects bytes until they are a message. Whatever is sent, it holds no more than one."""

    def __init__(self, limit: int = MAX_BYTES) -> None:
        self._limit = limit
        self._data = bytearray()

    def add(self, data: bytes) -> Message | None:
        """Take bytes in; the message if it is complete. Nothing may follow it."""
        self._data += data
        if len(self._data) < HEADER:
            return None
        size = int.from_bytes(self._data[:HEADER], "big")
        if size > self._limit:
            raise FramingError(f"sent a message of {size} bytes; {self._limit} are allowed")
        if len(self._data) < HEADER + size:
            return None
        if len(self._data) > HEADER + size:
            raise FramingError("sent more than one message for one question")
        body = bytes(self._data[HEADER:])
        self._data.clear()
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            raise FramingError(f"sent garbage: {printable(repr(body[:60]))}") from None
        if not isinstance(message, dict):
            raise FramingError(f"sent garbage: {printable(repr(body[:60]))}")
        return message


def receive(descriptor: int) -> Message | None:
    """Wait for a message from a trusted writer; None when the pipe is closed."""
    inbox = Inbox(limit=1 << 30)
    while data := os.read(descriptor, 1 << 16):
        message = inbox.add(data)
        if message is not None:
            return message
    return None


def printable(text: str) -> str:
    """A hostile text made fit for a terminal and a table: no control characters, not endless."""
    return "".join(c if c.isprintable() else "·" for c in text[:SHOWN])
