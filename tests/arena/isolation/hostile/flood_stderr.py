import sys

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        while True:
            sys.stderr.write("x" * 10_000)
