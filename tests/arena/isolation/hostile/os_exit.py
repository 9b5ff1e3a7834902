import os

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        os._exit(7)
