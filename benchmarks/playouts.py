"""How fast are heavy playouts? ``python -m benchmarks.playouts`` sets them beside light ones.

One core, medians of several repeats, both measured in turns.
"""

import argparse
import itertools

from rich.console import Console
from rich.table import Table

import hansu
from benchmarks.measure import Rate, compare
from hansu.search.mcts import Mcts, MctsSettings
from hansu.search.playout import playouts

GAMES = {  # and about how many light playouts a tenth of a second does
    "tictactoe": 800_000,
    "connect4": 500_000,
    "othello": 30_000,
    "microchess": 14_000,
    "go:size=9": 3_000,
    "go:size=13": 1_500,
    "go:size=19": 600,
}


def playout_rate(name: str, policy: str, count: int) -> Rate:
    """Playouts from the start."""
    start = hansu.game(name).start()
    seeds = itertools.count()

    def work() -> float:
        playouts(start, count, next(seeds), policy)
        return count

    return work


def simulation_rate(name: str, policy: str, count: int) -> Rate:
    """MCTS simulations from the start with playouts to the end, a new tree each time."""
    start = hansu.game(name).start()
    seeds = itertools.count()

    def work() -> float:
        Mcts(start, MctsSettings(playout=policy), next(seeds)).run(count)
        return count

    return work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", help="one game, such as go:size=9")
    chosen = parser.parse_args()
    table = Table("game", title="Playouts, one core", title_justify="left")
    for unit in ("playouts", "simulations"):
        for column in (f"light {unit}/s", f"heavy {unit}/s", "ratio"):
            table.add_column(column, justify="right")
    for name, count in GAMES.items():
        if chosen.only not in (None, name):
            continue
        cells = [name]
        for measured in (playout_rate, simulation_rate):
            work = [measured(name, policy, count) for policy in ("light", "heavy")]
            light, heavy = compare(work[0], work[1], chosen.repeats)
            cells += [f"{light:,.0f}", f"{heavy:,.0f}", f"{(heavy or 0) / light:.2f}"]
        table.add_row(*cells)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
