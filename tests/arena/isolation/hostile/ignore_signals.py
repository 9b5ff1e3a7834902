import signal

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        while True:
            pass
