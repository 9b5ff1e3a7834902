"""What is it worth to remember a network's answers? ``python -m benchmarks.evaluation_cache``

A few moves of each game are searched by its shipped player twice, with and without: the trees are
the same, the seconds of CPU are not.
"""

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import hansu
from hansu.learning.model import Model, find_model
from hansu.search.puct_search import PuctSearch

SEARCHES = {"microchess": 4000, "connect4": 3000, "othello": 1500, "go": 800}  # visits a move
MOVES = 8


@dataclass
class Counted:
    """A network that counts what it is asked."""

    model: Model
    asked: int = 0

    def __call__(self, leaves: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Ask it."""
        self.asked += len(leaves)
        return self.model(leaves)


def play(name: str, remember: bool) -> tuple[int, float]:
    """Positions that the network was asked about, and seconds of CPU."""
    state = hansu.game(name).start()
    network = Counted(find_model("shipped", state.game))
    search = PuctSearch(state.copy(), network)
    if not remember:
        search._answers = network  # type: ignore[assignment]
    search.run(10)  # compiled before anything is measured
    network.asked, begin = 0, time.process_time()
    for _ in range(MOVES):
        search.run(SEARCHES[name])
        state.push(search.info().lines[0].move)
        search.follow(state.copy())
    return network.asked, time.process_time() - begin


def main() -> None:
    table = Table("game", "asked without", "asked", "known already", "seconds of CPU", "share")
    for name in SEARCHES:
        all_asked, plain = play(name, remember=False)
        asked, seconds = play(name, remember=True)
        known, spent = f"{1 - asked / all_asked:.0%}", f"{seconds:.1f} of {plain:.1f}"
        table.add_row(name, f"{all_asked:,}", f"{asked:,}", known, spent, f"{seconds / plain:.2f}")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
