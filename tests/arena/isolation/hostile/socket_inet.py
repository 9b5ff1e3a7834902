import socket

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        socket.create_connection(("127.0.0.1", 80))
