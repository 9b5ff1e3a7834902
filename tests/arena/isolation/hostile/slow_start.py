import time

import hansu


class Slow(hansu.Agent):
    """Not hostile: it only takes longer to get ready than its clock would allow."""

    def reset(self):
        time.sleep(2.5)

    def act(self, state):
        return next(iter(state.legal_moves))
