import os

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        os.remove(__file__)
