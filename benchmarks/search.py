"""How fast is the search? ``python -m benchmarks.search`` compares it with peers in one run."""

import argparse
import itertools
import sys

import hansu
from benchmarks.measure import Rate, Row, compare, print_rows
from benchmarks.peers import open_spiel_simulations
from hansu.search.mcts import Mcts, MctsSettings
from hansu.search.negamax import search

PLATFORM_2018_SIMULATIONS = 1_300.0  # a second on one core, recorded; not installable
PLATFORM_2018_DEPTH_6 = 1 / 2.2  # searches a second, recorded CPU seconds


def simulations(name: str, settings: MctsSettings, count: int) -> Rate:
    """MCTS simulations from the start, a new tree each time."""
    start = hansu.game(name).start()
    seeds = itertools.count()

    def work() -> float:
        tree = Mcts(start, settings, next(seeds))
        tree.run(count)
        return count

    return work


def depth_6_searches(count: int) -> Rate:
    """Alpha-beta to depth 6 from the microchess start."""
    start = hansu.game("microchess").start()

    def work() -> float:
        for _ in range(count):
            search(start, 6, prune=True)
        return count

    return work


def rows(repeats: int) -> list[Row]:
    limited = MctsSettings(max_depth=6, amplify=True)
    old = compare(simulations("microchess", limited, 100_000), None, repeats)
    found = [
        Row(
            "mcts microchess, depth 6",
            old[0],
            "the 2018 platform",
            PLATFORM_2018_SIMULATIONS,
            100,
            "recorded",
        )
    ]
    for name, peer, ours, theirs, must in (
        ("connect4", "connect_four", 200_000, 20_000, 4),
        ("othello", "othello", 10_000, 1_000, 4),
        ("go", "go(board_size=9,komi=7.0)", 10_000, 10_000, 10),
    ):
        pair = compare(
            simulations(name, MctsSettings(), ours), open_spiel_simulations(peer, theirs), repeats
        )
        found.append(Row(f"mcts {name}, full roll-outs", pair[0], "OpenSpiel C++", pair[1], must))
    alphabeta = compare(depth_6_searches(5), None, repeats)
    found.append(
        Row(
            "abp_negamax microchess, depth 6",
            alphabeta[0],
            "the 2018 platform",
            PLATFORM_2018_DEPTH_6,
            100,
            "recorded",
        )
    )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    sys.exit(0 if print_rows("Search, one core", rows(options.repeats)) else 1)


if __name__ == "__main__":
    main()
