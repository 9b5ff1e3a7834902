"""Learn the weights of othello's pattern evaluation from games that the search plays itself.

    python scripts/othello_patterns.py play FOLDER --minutes 10   # again for more games
    python scripts/othello_patterns.py learn FOLDER               # writes value.npz and its log there
    python scripts/othello_patterns.py match FOLDER/value.npz     # against the one in the package

``play`` begins each game with moves at random and keeps every position after them, with what a
search thought of it and how the game ended. The search is exact near the end. ``hansu learn othello
--net strong`` learns the first weights, from the games of experts. Files of several rounds may lie
in one folder.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hansu
from hansu.games.game import Game
from hansu.games.othello.depth_search import CUT, MIN_DEPTH, OthelloDepthSearch, shipped_weights
from hansu.games.othello.last_squares import final_score
from hansu.games.othello.lines import flips, to_play
from hansu.games.othello.midgame import UNIT, WORST, Memory, scattered_pair, search
from hansu.games.othello.patterns import SIZE
from hansu.games.othello.solver import OthelloSolver
from hansu.games.value_table import find_value, move_in
from hansu.kernel import below, bit, kernel, lowest, popcount, random_below, seeded

GAME: Game = hansu.game("othello")
OPENING = 6, 30  # plies at random, at least and at most
RANDOM = 30  # one move of so many is random later, too
SOLVED = 14  # empty squares: from then on a search goes to the end
MEMORY = 16  # megabytes of each table
NO_RESULT = np.int16(-32768)  # a random move came later
RESULT = 0.3  # its share of the target, where there is one; the rest is the search's value
HELD = 20  # one position of so many is for validation


@kernel(allocates=False)
def think(mine, theirs, depth, memory):
    """Return the value of a position; the best move is in the table then."""
    left = 64 - np.int64(popcount(mine | theirs))
    memory.work[0], memory.work[1] = 0, 1 << 60
    if left <= SOLVED:
        depth = left
    value = 0
    for deep in range(2 + depth % 2, depth + 1, 2):
        cut = CUT if MIN_DEPTH <= deep < left else 0
        value = search(mine, theirs, left, deep, -WORST, WORST, cut, memory)
    return value


@kernel(allocates=False)
def any_move(moves, rng):
    """Return one of the squares at random."""
    for _ in range(random_below(rng, np.int64(popcount(moves)))):
        moves = below(moves)
    return lowest(moves)


@kernel
def play_game(depth, memory, rng, boards, facts):
    """Play a game and write its positions; return how many.

    ``facts`` are, for the side to move, the search's value and how the game ended.
    """
    mine, theirs = np.uint64(0x810000000), np.uint64(0x1008000000)
    side, kept, last_random = 1, 0, 0
    opening = OPENING[0] + random_below(rng, OPENING[1] - OPENING[0])
    while True:
        moves = to_play(mine, theirs)
        if not moves:
            if not to_play(theirs, mine):
                break
            mine, theirs, side = theirs, mine, -side
            continue
        played = np.int64(popcount(mine | theirs)) - 4
        square = any_move(moves, rng)
        if played >= opening:
            value = think(mine, theirs, depth, memory)
            boards[kept, 0], boards[kept, 1] = mine, theirs
            facts[kept, 0], facts[kept, 1] = value, side
            kept += 1
            if played < 60 - SOLVED and random_below(rng, RANDOM) == 0:
                last_random = kept
            elif played < 59:
                first, second = scattered_pair(mine, theirs)
                data = find_value(memory.values, memory.value_bits, first, second)
                known = np.uint64(1) << (move_in(data) & np.uint64(63)) if data else np.uint64(0)
                if known & moves:
                    square = lowest(known & moves)
        turns = flips(square, mine, theirs)
        mine, theirs, side = theirs ^ turns, mine | turns | bit(square), -side
    score = final_score(mine, theirs) * side
    for k in range(kept):
        facts[k, 1] = facts[k, 1] * score if k >= last_random else NO_RESULT
    return kept


def memory_of(own: OthelloDepthSearch) -> Memory:
    """Return the working memory of a search."""
    return own._memory(np.zeros(2, np.int64))


def read_weights(name: str) -> tuple[NDArray[np.int16], float]:
    """Return the weights of a file, or ``shipped``, and their unit."""
    if name == "shipped":
        return shipped_weights()
    with np.load(name) as file:
        return file["weights"], float(file["unit"])


def new_search(name: str) -> OthelloDepthSearch:
    """Return a search with the weights of a file."""
    return OthelloDepthSearch(MEMORY, OthelloSolver(MEMORY), read_weights(name))


def play(folder: Path, minutes: float, depth: int, name: str, seed: int) -> None:
    """Play games and keep a file of positions a minute."""
    memory = memory_of(new_search(name))
    rng = seeded(seed)
    boards, facts = np.empty((61, 2), np.uint64), np.empty((61, 2), np.int16)
    end, total, games = time.time() + 60 * minutes, 0, 0
    play_game(2, memory, rng, boards, facts)  # compile
    while time.time() < end:
        block_end, kept = min(end, time.time() + 60), []
        while time.time() < block_end:
            n = play_game(depth, memory, rng, boards, facts)
            kept.append((boards[:n].copy(), facts[:n].copy()))
            games += 1
        all_boards, all_facts = (np.concatenate(part) for part in zip(*kept, strict=True))
        total += len(all_facts)
        name = f"positions-{seed}-{time.time_ns()}.npz"
        np.savez(folder / name, boards=all_boards, facts=all_facts)
        print(f"{games:,} games, {total:,} positions", flush=True)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    jobs = parser.add_subparsers(dest="job", required=True)
    job = jobs.add_parser("play", help="keep positions of games that the search plays itself")
    job.add_argument("folder", type=Path)
    job.add_argument("--minutes", type=float, default=10.0)
    job.add_argument("--depth", type=int, default=8)
    job.add_argument("--by", default="shipped", help="shipped or a file")
    job.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.job == "play":
        given.folder.mkdir(parents=True, exist_ok=True)
        play(given.folder, given.minutes, given.depth, given.by, given.seed)


if __name__ == "__main__":
    main()
