"""Writes to the arena past the runner."""

import os
import time

import hansu


def send(data):
    for descriptor in range(3, 4096):
        try:
            os.write(descriptor, data)
        except OSError:
            continue


class Hostile(hansu.Agent):
    def __init__(self, name, color, way):
        super().__init__(name, color)
        self.way = way

    def act(self, state):
        move = next(iter(state.legal_moves))
        body = b'{"id": 1, "move": "b2"}'
        if self.way == "half":
            send(b"\0\0\0\x10{")
            time.sleep(10**9)
        elif self.way == "half_then_answer":
            send(b"\0\0\0\x10{")
        elif self.way == "half_then_exit":
            send(b"\0\0\0\x10{")
            os._exit(0)
        elif self.way == "huge":
            send(b"\x7f\xff\xff\xff" + bytes(1 << 20))
        elif self.way == "garbage":
            send(b"\0\0\0\x04\xff{[\0")
        elif self.way == "nested":
            send((60_000).to_bytes(4, "big") + b"[" * 60_000)
        elif self.way == "stale":
            send(len(body).to_bytes(4, "big") + body)
        elif self.way == "twice":
            send(2 * (len(body).to_bytes(4, "big") + body))
        elif self.way == "closed":
            os.closerange(3, 4096)
            time.sleep(10**9)
        return move
