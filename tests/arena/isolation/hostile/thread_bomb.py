import threading
import time

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        while True:
            threading.Thread(target=time.sleep, args=(10**9,)).start()
