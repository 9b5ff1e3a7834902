import ctypes

import hansu


class Hostile(hansu.Agent):
    """Goes around Python, and says what it found."""

    def __init__(self, name, color, path):
        super().__init__(name, color)
        self.path = path

    def act(self, state):
        descriptor = ctypes.CDLL(None).open(self.path.encode(), 0)
        found = ctypes.create_string_buffer(100)
        ctypes.CDLL(None).read(descriptor, found, 100)
        raise RuntimeError(f"descriptor {descriptor}, found {found.value!r}")
