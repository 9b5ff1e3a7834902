import os

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        os.kill(os.getppid(), 9)
