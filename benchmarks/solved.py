"""How often does a player keep what a position is worth? ``python -m benchmarks.solved``

Published test positions of Connect Four, answered by a player with a fixed number of simulations
and judged by BitBully's solver: a move *keeps the outcome* if a won position stays won and a drawn
one stays drawn, and *is best* if it also wins fastest or loses slowest.
"""

import argparse
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

import hansu

SETS = ("Test_L3_R1", "Test_L2_R1", "Test_L1_R1", "Test_L1_R3")


def judge(solver: Any, moves: str, column: int) -> tuple[bool, bool]:
    """Whether a move keeps the outcome, and whether it is the best one."""
    from bitbully import Board

    board = Board()
    for played in moves:
        board.play(int(played) - 1)
    scores = solver.score_all_moves(board)
    got, best = scores[column - 1], max(scores.values())
    return sign(got) == sign(best), got == best


def sign(number: int) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)


def main() -> None:
    """Answer every position and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--agent", default="self_learning:n_simulations=400,search_time=60")
    parser.add_argument("--data", type=Path, default=Path("../shared/data/connect4"))
    parser.add_argument("--positions", type=int, default=1000, help="of each set")
    options = parser.parse_args()
    from bitbully import BitBully

    solver = BitBully(opening_book="12-ply-dist")
    game = hansu.game("connect4")
    agent: Any = hansu.agent("connect4", options.agent)
    agent.prepare(game.start())
    table = Table("set", "positions", "keeps the outcome", "is best", title=options.agent)
    total = [0, 0, 0]
    for name in SETS:
        lines = (options.data / name).read_text(encoding="utf-8").splitlines()
        found = [0, 0, 0]
        for line in track(lines[: options.positions], name, transient=True):
            moves = line.split()[0]
            agent.reset()
            kept, best = judge(solver, moves, agent.act(game.parse(moves)))
            for at, more in enumerate((1, kept, best)):
                found[at] += more
                total[at] += more
        table.add_row(name, *shares(found))
    table.add_row("all", *shares(total))
    Console().print(table)


def shares(found: list[int]) -> tuple[str, str, str]:
    """A count and two shares of it."""
    return f"{found[0]}", f"{found[1] / found[0]:.1%}", f"{found[2] / found[0]:.1%}"


if __name__ == "__main__":
    main()
