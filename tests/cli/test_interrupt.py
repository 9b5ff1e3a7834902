"""Ctrl+C at any moment ends a command quietly."""

import subprocess
import sys

STOPPED_WHILE_LOADING = """
import sys
from hansu.__main__ import main

class Stop:
    def find_spec(self, name, *_):
        if name == "hansu.cli.main":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Stop())
main()
"""


def test_a_command_stopped_while_it_loads_says_nothing():
    command = [sys.executable, "-c", STOPPED_WHILE_LOADING]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
