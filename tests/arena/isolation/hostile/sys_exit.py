import sys

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        sys.exit(0)
