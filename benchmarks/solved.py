"""How often does a player keep what a position is worth? ``python -m benchmarks.solved``

Published test positions of Connect Four, answered by a player with a fixed number of simulations
and judged by BitBully's solver: a move *keeps the outcome* if a won position stays won and a drawn
one stays drawn, and *is best* if it also wins fastest or loses slowest.

Then it plays perfect play from all 49 positions after two stones, with both colours. Two perfect
players share the two games of an opening, so a half is the most that can be had.
"""

import argparse
import itertools
import random
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

import hansu

SETS = ("Test_L3_R1", "Test_L2_R1", "Test_L1_R1", "Test_L1_R3")


def scores_of(solver: Any, moves: str) -> dict[int, int]:
    """The scores of all columns, 1 to 7."""
    from bitbully import Board

    board = Board()
    for played in moves:
        board.play(int(played) - 1)
    return {column + 1: score for column, score in solver.score_all_moves(board).items()}


def judge(solver: Any, moves: str, column: int) -> tuple[bool, bool]:
    """Whether a move keeps the outcome, and whether it is the best one."""
    scores = scores_of(solver, moves)
    got, best = scores[column], max(scores.values())
    return sign(got) == sign(best), got == best


def against_perfect(solver: Any, agent: Any, opening: str, color: bool, rng: random.Random) -> int:
    """1, 0 or -1 for a game with a color from an opening; perfect play draws among best moves."""
    state = hansu.game("connect4").parse(opening)
    agent.reset()
    while not state.is_game_over():
        if state.turn == color:
            state.push(agent.act(state))
            continue
        scores = scores_of(solver, state.text())
        best = max(scores[column] for column in state.legal_moves)
        state.push(rng.choice([move for move in state.legal_moves if scores[move] == best]))
    outcome = state.outcome()
    assert outcome is not None
    return 0 if outcome.winner is None else 1 if outcome.winner == color else -1


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
    rng = random.Random(1)
    openings = ["".join(each) for each in itertools.product("1234567", repeat=2)]
    results = [
        against_perfect(solver, agent, opening, color, rng)
        for opening in track(openings, "from all openings", transient=True)
        for color in (hansu.WHITE, hansu.BLACK)
    ]
    won, drawn, lost = (results.count(result) for result in (1, 0, -1))
    share = (won + drawn / 2) / len(results)
    print(f"from 49 openings, both colours: {share:.3f} (+{won} ={drawn} -{lost}); perfect: 0.500")


def shares(found: list[int]) -> tuple[str, str, str]:
    """A count and two shares of it."""
    return f"{found[0]}", f"{found[1] / found[0]:.1%}", f"{found[2] / found[0]:.1%}"


if __name__ == "__main__":
    main()
