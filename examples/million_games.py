"""Read many games: which first moves win? Any format that hansu reads will do.

``python million_games.py FOLDER``; without one it plays two hundred games first.
"""

import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import hansu
from hansu.records.formats import read_games


def first_moves(place: Path) -> Counter[tuple[str, float]]:
    """Count the first moves of all games in a file or folder, by the first player's score."""
    return Counter((game.moves[0], game.score_first) for game in read_games(place) if game.moves)


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        if len(sys.argv) < 2:
            hansu.match("connect4", "random", "random", 200, seed=1, save=f"{folder}/games.txt")
        counts = first_moves(Path(sys.argv[1] if len(sys.argv) > 1 else folder))
    for move in sorted({move for move, _ in counts}):
        won, played = counts[move, 1.0], sum(counts[move, score] for score in (0.0, 0.5, 1.0))
        print(f"{move}: {won} of {played} won")
