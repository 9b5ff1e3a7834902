import subprocess
import sys

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        subprocess.run([sys.executable, "-c", "pass"])
