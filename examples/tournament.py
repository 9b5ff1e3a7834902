"""A tournament from Python: everyone meets everyone, with both colours."""

import hansu

if __name__ == "__main__":
    result = hansu.tournament(
        "tictactoe", "minimax", "winning_moves", "one_step_search", "random", rounds=5, seed=1
    )
    for place in result.standings:
        print(f"{place.agent:16} {place.score:5.1f} of {place.games}")
