import os

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        raise RuntimeError(f"{sorted(os.environ)} {sorted(os.environ.values())}")
