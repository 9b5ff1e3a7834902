import ctypes
import os

import hansu


class Hostile(hansu.Agent):
    """Goes around Python."""

    def __init__(self, name, color, path):
        super().__init__(name, color)
        self.path = path

    def act(self, state):
        flags = os.O_WRONLY | os.O_CREAT
        descriptor = ctypes.CDLL(None).open(self.path.encode(), flags, 0o666)
        ctypes.CDLL(None).write(descriptor, b"was here", 8)
        raise RuntimeError(f"descriptor {descriptor}")
