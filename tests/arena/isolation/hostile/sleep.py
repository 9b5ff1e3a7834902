import time

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        time.sleep(10**9)
