import os

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        raise RuntimeError(f"{'hunter2' in str(os.environ)} {' '.join(sorted(os.environ))}")
