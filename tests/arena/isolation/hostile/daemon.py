import os
import time

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(10**9)
            os._exit(0)
