import os

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        with open("bomb", "wb") as file:
            while True:
                file.write(os.urandom(1 << 20))
