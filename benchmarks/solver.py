"""How fast are positions solved? ``python -m benchmarks.solver`` compares with BitBully in one run.

Published positions of Connect Four, each solved exactly on one core, without a book and with an
empty transposition table at the start of a set. Both sides take turns, set by set.
"""

import argparse
import statistics
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from hansu.games.connect4 import Connect4
from hansu.games.connect4.solver import Connect4Solver

SETS = {"Test_L3_R1": 1000, "Test_L2_R1": 1000, "Test_L1_R1": 1000, "Test_L1_R3": 20}
MEMORY = 64  # megabytes
SLOWER = 1.5  # times, at most


class Cost(NamedTuple):
    """What solving a set has cost."""

    seconds: float
    nodes: int
    scores: list[int]


def ours(games: list[str]) -> Cost:
    """Solve positions with hansu."""
    game = Connect4()
    solver = Connect4Solver(game, MEMORY, use_book=False)
    solver.table.fill(0)  # takes the memory from the system now, as BitBully does
    states = [game.parse(moves) for moves in games]
    begin = time.process_time()
    found = [solver.score(state) for state in states]
    seconds = time.process_time() - begin
    return Cost(seconds, sum(nodes for _, nodes in found), [score for score, _ in found])


def bitbully(games: list[str]) -> Cost:
    """Solve positions with BitBully."""
    from bitbully import BitBully, Board

    solver, boards = BitBully(opening_book=None), []
    for moves in games:
        board = Board()
        for move in moves:
            board.play(int(move) - 1)
        boards.append(board)
    solver.reset_node_counter()
    begin = time.process_time()
    scores = [solver.mtdf(board) for board in boards]
    return Cost(time.process_time() - begin, solver.get_node_counter(), scores)


def main() -> None:
    """Solve every set and print both costs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data/connect4"))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--hard", type=int, default=SETS["Test_L1_R3"], help="positions of L1_R3")
    options = parser.parse_args()
    has_peer = find_spec("bitbully") is not None
    table = Table("set", "positions", "hansu", "nodes", "BitBully", "nodes", "ratio", "must", "")
    good = True
    ours(["4444441515"])  # compiles
    for name, count in (SETS | {"Test_L1_R3": options.hard}).items():
        rows = (options.data / name).read_text(encoding="utf-8").split("\n")[:count]
        games, wanted = zip(*(row.split() for row in rows if row), strict=True)
        runs: dict[str, list[Cost]] = {"ours": [], "theirs": []}
        for _ in range(options.repeats):
            runs["ours"].append(ours(list(games)))
            if has_peer:
                runs["theirs"].append(bitbully(list(games)))
        for costs in runs.values():
            assert all(cost.scores == [int(score) for score in wanted] for cost in costs), name
        mine = statistics.median(cost.seconds for cost in runs["ours"])
        shown = [_milliseconds(mine, len(games)), f"{runs['ours'][0].nodes / len(games):,.0f}"]
        if has_peer:
            peer = statistics.median(cost.seconds for cost in runs["theirs"])
            reached = mine <= SLOWER * peer
            good &= reached
            nodes = f"{runs['theirs'][0].nodes / len(games):,.0f}"
            ratio = [f"{mine / peer:.2f} ×", f"≤ {SLOWER:g} ×", "yes" if reached else "[red]NO[/]"]
            shown += [_milliseconds(peer, len(games)), nodes, *ratio]
        table.add_row(name, f"{len(games):,}", *shown)
    Console(width=120).print(table)
    sys.exit(0 if good else 1)


def _milliseconds(seconds: float, positions: int) -> str:
    return f"{1000 * seconds / positions:,.4f} ms"


if __name__ == "__main__":
    main()
