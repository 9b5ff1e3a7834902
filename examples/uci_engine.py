"""Drive a UCI engine: here hansu's own, so that it runs everywhere.

Put any other command in its place: ``uci:/opt/my-engine --quiet;Skill Level=3``.
"""

import sys

import hansu

ENGINE = f"uci:{sys.executable} -m hansu uci --agent one_step_search;move_time=0.1"

if __name__ == "__main__":
    record = hansu.play_game("microchess", "two_step_search", ENGINE, seed=1)
    print(" ".join(record.moves))
    print(record.outcome)
