"""How fast are positions solved? ``python -m benchmarks.solver`` compares with BitBully in one run.

Published positions of Connect Four, each solved exactly on one core, without a book and with an
empty transposition table at the start of a set. Both sides take turns, set by set.

``--game othello``: the FFO positions, each with an empty table, until its score and a best move are
proved. Positions with fewer than five empty squares are searched too, but not counted.
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

import hansu
from hansu.games.connect4 import Connect4
from hansu.games.connect4.solver import Connect4Solver
from hansu.search.solve import THREADS, make_solver, solve

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


def othello(data: Path, most: int, threads: int) -> bool:
    """Solve FFO positions with so many empty squares; return whether all answers are right."""
    game, good, total = hansu.game("othello"), True, Cost(0.0, 0, [])
    table = Table("FFO", "empty", "score", "move", "seconds", "CPU", "nodes", "nodes/s", "")
    solver = make_solver(game, MEMORY, ready=True)
    solve(game.start(), hansu.Limits(nodes=1), solver=solver)  # compiles
    for row in (data / "ffo_shared.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        number, line = row.split("\t")
        state = game.parse(line)
        empty = 64 - sum(disc != "-" for disc in state.text()[:64])
        if empty > most:
            continue
        wanted = dict(
            part.strip().lower().split(":") for part in line.split(";")[1:] if ":" in part
        )
        solver.table.fill(0)  # type: ignore[union-attr]
        begin = time.process_time()
        truth = solve(state, threads=threads, solver=solver, all_best=False)
        cpu = time.process_time() - begin
        move, best = truth.moves[0], max(map(int, wanted.values()))
        is_right = truth.score == best == int(wanted[move.text])
        good &= is_right
        total = Cost(total.seconds + truth.seconds, total.nodes + truth.nodes, [])
        costs = (f"{truth.seconds:.2f}", f"{cpu:.2f}", f"{truth.nodes:,}")
        speed = f"{truth.nodes / max(cpu, 1e-9):,.0f}"
        shown = "right" if is_right else "[red]WRONG[/]"
        table.add_row(number, f"{empty}", f"{truth.score}", move.text, *costs, speed, shown)
    table.add_row("all", "", "", "", f"{total.seconds:.2f}", "", f"{total.nodes:,}", "", "")
    Console(width=120).print(table)
    return good


def main() -> None:
    """Solve every set and print both costs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", choices=("connect4", "othello"), default="connect4")
    parser.add_argument("--data", type=Path, help="folder of the positions")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--hard", type=int, default=SETS["Test_L1_R3"], help="positions of L1_R3")
    parser.add_argument("--empty", type=int, default=24, help="empty squares at most")
    parser.add_argument("--threads", type=int, default=THREADS)
    options = parser.parse_args()
    options.data = options.data or Path("../shared/data") / options.game
    if options.game == "othello":
        sys.exit(0 if othello(options.data, options.empty, options.threads) else 1)
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
