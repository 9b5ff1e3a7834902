"""Learn the weights of othello's pattern evaluation from games that the search plays itself.

    python scripts/othello_patterns.py play FOLDER --games wthor/  # again for more
    python scripts/othello_patterns.py learn FOLDER                # writes value.npz and a log
    python scripts/othello_patterns.py match FOLDER/value.npz      # against the package's weights

``play`` begins each game as experts did and goes on with moves at random. It keeps every position
after them, with what a search thought of it and how the game ended. The search is exact near the
end. The first weights were those of ``hansu learn othello --net strong``, from the games of experts
alone. Files of several rounds may lie in one folder.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import hansu
from hansu.games.game import Game
from hansu.games.othello.depth_search import CUT, MIN_DEPTH, OthelloDepthSearch, shipped_weights
from hansu.games.othello.last_squares import final_score
from hansu.games.othello.lines import flips, to_play
from hansu.games.othello.midgame import UNIT, WORST, Memory, half, search
from hansu.games.othello.patterns import SCALE, STAGE_SIZE, STAGES
from hansu.games.othello.position_table import scattered_pair
from hansu.games.othello.solver import OthelloSolver
from hansu.games.value_table import find_value, move_in
from hansu.kernel import below, bit, kernel, lowest, popcount, random_below, seeded
from hansu.learning.experts.fitting import PatternRun
from hansu.learning.experts.games import read_expert_games
from hansu.learning.experts.positions import Table
from hansu.search.deepening import deepen
from hansu.search.limits import Budget, SearchHandle
from hansu.statistics.stats import Played, Stats

GAME: Game = hansu.game("othello")
OPENING = 2, 36  # plies of experts, at least and below
STRAY = 4  # then fewer plies than this at random
RANDOM = 30  # one move of so many is random later, too
SOLVED = 14  # empty squares: from then on a search goes to the end
MEMORY = 16  # megabytes of each table
NO_RESULT = np.int16(-32768)  # a random move came later
RESULT = 0.7  # its share of the target, where there is one; the rest is the search's value
HELD = 20  # one position of so many is for validation
DECAY = np.float32(2e-4)  # weight decay at each use
DEPTHS = range(3, 10)  # whose deviations are measured
MATCH_OPENING = 6, 13  # plies at random, at least and below


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
def play_game(expert, depth, memory, rng, boards, facts):
    """Play a game and write its positions; return how many.

    ``facts`` are, for the side to move, the search's value and how the game ended.
    """
    mine, theirs = np.uint64(0x810000000), np.uint64(0x1008000000)
    side, kept, last_random = 1, 0, 0
    known = OPENING[0] + random_below(rng, OPENING[1] - OPENING[0])
    opening = known + random_below(rng, STRAY)
    while True:
        moves = to_play(mine, theirs)
        if not moves:
            if not to_play(theirs, mine):
                break
            mine, theirs, side = theirs, mine, -side
            continue
        played = np.int64(popcount(mine | theirs)) - 4
        square = any_move(moves, rng)
        if played < known and expert[played] >= 0:
            square = expert[played]
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
                best = np.uint64(1) << (move_in(data) & np.uint64(63)) if data else np.uint64(0)
                if best & moves:
                    square = lowest(best & moves)
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


def play(folder: Path, openings: Path, minutes: float, depth: int, name: str, seed: int) -> None:
    """Play games and keep a file of positions a minute."""
    experts = np.concatenate([games.moves for games in read_expert_games([openings], [])])
    memory = memory_of(new_search(name))
    rng = seeded(seed)
    boards, facts = np.empty((61, 2), np.uint64), np.empty((61, 2), np.int16)
    end, total, games = time.time() + 60 * minutes, 0, 0
    play_game(experts[0], 2, memory, rng, boards, facts)  # compile
    while time.time() < end:
        block_end, kept = min(end, time.time() + 60), []
        while time.time() < block_end:
            expert = experts[random_below(rng, len(experts))]
            n = play_game(expert, depth, memory, rng, boards, facts)
            kept.append((boards[:n].copy(), facts[:n].copy()))
            games += 1
        all_boards, all_facts = (np.concatenate(part) for part in zip(*kept, strict=True))
        total += len(all_facts)
        name = f"positions-{seed}-{time.time_ns()}.npz"
        np.savez(folder / name, boards=all_boards, facts=all_facts)
        print(f"{games:,} games, {total:,} positions", flush=True)


def read_positions(folder: Path) -> tuple[NDArray[np.uint64], NDArray[np.int16]]:
    """Return the boards and facts of all files."""
    parts = []
    for path in sorted(folder.glob("positions-*.npz")):
        with np.load(path) as file:
            parts.append((file["boards"], file["facts"]))
    boards, facts = (np.concatenate(part) for part in zip(*parts, strict=True))
    return boards, facts


class Fit(PatternRun):
    """Fits pattern weights to what searches found, from known weights on."""

    decay = DECAY


def targets_of(facts: NDArray[np.int16]) -> NDArray[np.float32]:
    """Return what the weights are to tell, in discs."""
    value, result = facts[:, 0] / np.float32(UNIT), facts[:, 1].astype(np.float32)
    mixed = (1 - RESULT) * value + RESULT * result
    return np.where(facts[:, 1] == NO_RESULT, value, mixed).astype(np.float32)


def learn(folder: Path, epochs: int, name: str, seed: int) -> None:
    """Fit the weights to the positions of a folder, and write them."""
    boards, facts = read_positions(folder)
    leads = targets_of(facts)
    ones, wins = np.ones(len(leads), np.int32), (np.sign(leads) + 1) / np.float32(2)
    table = Table(boards[:, 0].copy(), boards[:, 1].copy(), ones, wins, leads)
    order = np.random.default_rng(seed).permutation(len(leads))
    held, trained = np.split(order, [len(order) // HELD])
    training, validation = (Table(*(column[part] for column in table)) for part in (trained, held))
    print(f"{len(trained):,} positions", flush=True)
    run_folder = folder / f"run-{time.time_ns()}"
    run = Fit(training, validation, run_folder, {"positions": len(trained)}, epochs, seed)
    if name != "none":
        weights, unit = read_weights(name)
        run.weights[:] = weights * np.float32(unit)
        run.weights.reshape(STAGES, STAGE_SIZE)[:, SCALE] = 0
    while not run.finished:
        print(run.run_epoch(), flush=True)


def deviations(folder: Path, name: str, count: int, seed: int) -> None:
    """Print how far searches to half a depth are off: ``midgame.deviation`` is fitted to that."""
    memory = memory_of(new_search(name))
    boards, _ = read_positions(folder)
    rng, left = np.random.default_rng(seed), 64 - np.bitwise_count(boards[:, 0] | boards[:, 1])
    print("left  " + "".join(f"{depth:>7}" for depth in DEPTHS) + "   (discs, by depth)")
    for squares in range(16, 51, 4):
        chosen = rng.permutation(np.flatnonzero(left == squares))[:count]
        off = np.array([errors(boards[row], squares, memory) for row in chosen])
        spread = np.sqrt((off**2).mean(0)) / UNIT
        print(f"{squares:>4}  " + "".join(f"{each:7.2f}" for each in spread), flush=True)


def errors(board: NDArray[np.uint64], left: int, memory: Memory) -> list[int]:
    """Return what searches to some depths find more than those to half of each."""
    memory.work[0], memory.work[1] = 0, 1 << 60
    found = [0]
    for depth in range(1, DEPTHS[-1] + 1):  # rising: the table must not know deeper values
        value = search(board[0], board[1], left, depth, -WORST, WORST, 0, memory)
        found.append(int(value))
    return [found[depth] - found[half(depth)] for depth in DEPTHS]


def match(one: str, other: str, pairs: int, nodes: int, seed: int) -> None:
    """Play two sets of weights against each other, each opening twice."""
    rng, played = np.random.default_rng(seed), list[Played]()
    for _ in range(pairs):
        opening = GAME.start()
        for _ in range(int(rng.integers(*MATCH_OPENING))):
            moves = list(opening.legal_moves)
            opening.push(moves[rng.integers(len(moves))])
        for swapped in (False, True):
            players = [new_search(name) for name in (one, other)]
            state = opening.copy()
            while not state.is_game_over():
                at = int(state.turn != hansu.BLACK) ^ swapped
                found = deepen(state, players[at], Budget(nodes=nodes), SearchHandle())
                state.push(found.lines[0].move)
            outcome = state.outcome()
            assert outcome is not None
            won = (outcome.winner == hansu.BLACK) ^ swapped
            score = 0.5 if outcome.winner is None else float(won)
            texts = tuple(map(str, state.move_stack))
            played.append(Played(not swapped, score, opening.text(), texts))
        print(Stats.of(played), flush=True)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    jobs = parser.add_subparsers(dest="job", required=True)
    job = jobs.add_parser("play", help="keep positions of games that the search plays itself")
    job.add_argument("folder", type=Path)
    job.add_argument("--minutes", type=float, default=10.0)
    job.add_argument("--games", type=Path, required=True, help="of experts: a file or a folder")
    job.add_argument("--depth", type=int, default=8)
    job.add_argument("--by", default="shipped", help="shipped or a file")
    job.add_argument("--seed", type=int, default=1)
    job = jobs.add_parser("learn", help="fit the weights to the positions of a folder")
    job.add_argument("folder", type=Path)
    job.add_argument("--epochs", type=int, default=20)
    job.add_argument("--start", default="shipped", help="shipped, none or a file")
    job.add_argument("--seed", type=int, default=1)
    job = jobs.add_parser("deviations", help="measure how far shallow searches are off")
    job.add_argument("folder", type=Path)
    job.add_argument("--by", default="shipped", help="shipped or a file")
    job.add_argument("--count", type=int, default=200, help="of positions")
    job.add_argument("--seed", type=int, default=1)
    job = jobs.add_parser("match", help="play two sets of weights against each other")
    job.add_argument("weights")
    job.add_argument("other", nargs="?", default="shipped")
    job.add_argument("--pairs", type=int, default=100)
    job.add_argument("--nodes", type=int, default=20_000)
    job.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.job == "play":
        given.folder.mkdir(parents=True, exist_ok=True)
        play(given.folder, given.games, given.minutes, given.depth, given.by, given.seed)
    elif given.job == "learn":
        learn(given.folder, given.epochs, given.start, given.seed)
    elif given.job == "deviations":
        deviations(given.folder, given.by, given.count, given.seed)
    else:
        match(given.weights, given.other, given.pairs, given.nodes, given.seed)


if __name__ == "__main__":
    main()
