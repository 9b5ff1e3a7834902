import threading

import hansu


def burn():
    while True:
        pass


class Burner(hansu.Agent):
    def reset(self):
        threading.Thread(target=burn, daemon=True).start()

    def act(self, state):
        return next(iter(state.legal_moves))
