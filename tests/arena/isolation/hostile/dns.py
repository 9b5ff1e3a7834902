import socket

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        socket.getaddrinfo("example.org", 80)
