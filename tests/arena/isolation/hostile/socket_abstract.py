import socket

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        socket.socket(socket.AF_UNIX).connect("\0abstract")
