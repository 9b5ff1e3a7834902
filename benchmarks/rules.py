"""How fast are the rules? ``python -m benchmarks.rules`` compares them with peers in one run.

One core, medians of several repeats, both sides measured in turns: on a noisy machine the ratios
mean something and the absolute rates little.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable

import chess
from rich.console import Console
from rich.table import Table

import hansu
from benchmarks.measure import Rate, Row, compare, print_rows
from benchmarks.peers import fairy_stockfish_perft, open_spiel_games, open_spiel_plies
from hansu.games.game import GAMES
from hansu.games.state import State
from hansu.search.perft import perft
from hansu.search.playout import playouts

PLATFORM_2018_GAMES = 180.0  # random microchess games/s on one core, as recorded; not installable


def random_games(name: str, games: int) -> Rate:
    """Random games through the generic playout."""
    start = hansu.game(name).start()
    seeds = iter(range(10**6))

    def work() -> float:
        playouts(start, games, next(seeds))
        return games

    return work


def random_plies(name: str, games: int) -> Rate:
    """The same counted in plies, every legal move equally likely as at the peer."""
    start = hansu.game(name).start()
    seeds = iter(range(10**6))
    return lambda: playouts(start, games, next(seeds), policy="uniform").turns


def perft_nodes(depth: int) -> Rate:
    """Microchess nodes from the start."""
    start = hansu.game("microchess").start()
    return lambda: perft(start, depth)


def repeated(action: Callable[[], object], times: int = 5000) -> Rate:
    """A small action done many times."""

    def work() -> float:
        for _ in range(times):
            action()
        return times

    return work


def object_rows(repeats: int) -> list[Row]:
    """The Python object that agents use, against python-chess on the same position."""
    ours: State = hansu.game("microchess").start()
    theirs = chess.Board("8/8/8/knbr4/p7/8/3P4/RBNK4 w - - 0 1")
    move = chess.Move.from_uci("c1b3")

    def copy_and_push() -> None:
        theirs.copy().push(move)

    forward = compare(repeated(lambda: ours.forward(move)), repeated(copy_and_push), repeats)
    listing = compare(
        repeated(lambda: list(ours.legal_moves)),
        repeated(lambda: list(theirs.legal_moves)),
        repeats,
    )
    return [
        Row("microchess State.forward", forward[0], "python-chess copy+push", forward[1], 1),
        Row("microchess list(legal_moves)", listing[0], "python-chess", listing[1], 3),
    ]


def rule_rows(repeats: int) -> list[Row]:
    """The compiled rules against the fastest peer for each game."""
    games, plies = open_spiel_games, open_spiel_plies
    small_go = "go(board_size=9,komi=7.0)"
    large_go = "go(board_size=19,komi=7.0)"
    nodes = compare(perft_nodes(7), fairy_stockfish_perft(7), repeats)
    old = compare(random_games("microchess", 20_000), None, repeats)
    connect4 = compare(random_games("connect4", 200_000), games("connect_four", 20_000), repeats)
    othello = compare(random_games("othello", 20_000), games("othello", 1_000), repeats)
    go9 = compare(random_plies("go", 4_000), plies(small_go, 400), repeats)
    go19 = compare(random_plies("go:size=19", 500), plies(large_go, 40), repeats)
    tictactoe = compare(
        random_games("tictactoe", 1_000_000), games("tic_tac_toe", 100_000), repeats
    )
    return [
        Row("microchess perft nodes", nodes[0], "Fairy-Stockfish", nodes[1], 5),
        Row(
            "microchess random games",
            old[0],
            "the 2018 platform",
            PLATFORM_2018_GAMES,
            300,
            "recorded",
        ),
        Row("connect4 random games", connect4[0], "OpenSpiel C++", connect4[1], 12),
        Row("othello random games", othello[0], "OpenSpiel C++", othello[1], 30),
        Row("go 9x9 random plies", go9[0], "OpenSpiel C++", go9[1], 5),
        Row("go 19x19 random plies", go19[0], "OpenSpiel C++", go19[1], 5),
        Row("tictactoe random games", tictactoe[0], "OpenSpiel C++", tictactoe[1], 5),
    ]


def seconds_of(code: str, cache: str) -> float:
    """What a new process reports as its seconds."""
    timed = f"import time; t = time.perf_counter(); {code}; print(time.perf_counter() - t)"
    done = subprocess.run(
        [sys.executable, "-c", timed],
        env={**os.environ, "HANSU_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def print_starts() -> None:
    """How long the first steps take in a new process."""
    table = Table("first use of", "uncached s", "cached s", title="Starting", title_justify="left")
    with tempfile.TemporaryDirectory() as cache:
        table.add_row("import hansu", "", f"{seconds_of('import hansu', cache):.3f}")
        for name in sorted(GAMES):
            code = f"import hansu; s = hansu.game({name!r}).start(); s.push(list(s.legal_moves)[0])"
            times = [seconds_of(code, cache) for _ in range(2)]
            table.add_row(name, *(f"{seconds:.2f}" for seconds in times))
    Console().print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--no-starts", action="store_true", help="leave out the cold starts")
    options = parser.parse_args()
    reached = print_rows("Rules, one core", rule_rows(options.repeats))
    reached &= print_rows("State objects", object_rows(options.repeats))
    if not options.no_starts:
        print_starts()
    sys.exit(0 if reached else 1)


if __name__ == "__main__":
    main()
