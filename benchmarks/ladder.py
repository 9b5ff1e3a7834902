"""Is each rung of the ladder stronger than the one below? ``python -m benchmarks.ladder`` tells.

400 games each, from random openings that are played with both colours.
"""

import argparse
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

import hansu
from hansu.arena.match_result import MatchResult

LADDER = ("random", "one_step_search", "two_step_search", "abp_negamax:depth=4")
RUNGS = [
    (game, LADDER[i + 1], LADDER[i])
    for game in ("microchess", "connect4", "othello")
    for i in range(len(LADDER) - 1)
]
RUNGS.append(("go:size=5", "mcts:n_simulations=1000,max_depth=none", "random"))


def rung(game: str, higher: str, lower: str, concurrency: int = 1) -> MatchResult:
    """The match of two neighbours on the ladder."""
    return hansu.match(game, higher, lower, games=400, openings="random:4", concurrency=concurrency)


def memory(concurrency: int = 1) -> MatchResult:
    """``mcts_memory`` after 2,000 games of experience, against itself without memory."""
    with tempfile.TemporaryDirectory() as folder:
        remembering = f"mcts_memory:memory={Path(folder) / 'memory.sqlite'}"
        hansu.match("connect4", remembering, remembering, games=2000, concurrency=concurrency)
        forgetting = "mcts_memory:scope=game"
        return hansu.match("connect4", remembering, forgetting, games=400, concurrency=concurrency)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--concurrency", type=int, default=1)
    options = parser.parse_args()
    table = Table("game", "player", "against", "score", "Elo (95 %)", "distinct", "verdict")
    results = [rung(*names, concurrency=options.concurrency) for names in RUNGS]
    for result in [*results, memory(options.concurrency)]:
        table.add_row(
            result.game,
            result.a.split(":memory=")[0],
            result.b,
            f"{result.score:.3f}",
            f"{result.elo:+.0f} ± {result.elo_error:.0f}",
            f"{result.distinct_games} of {len(result.played)}",
            result.verdict.split(":memory=")[0] if ":memory=" in result.verdict else result.verdict,
        )
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
