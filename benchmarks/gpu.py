"""How fast are the rules on a GPU? ``python -m benchmarks.gpu`` on a machine with a card.

Random games, the position in the registers of a thread. Before it is timed, each game is checked:
the card's results must be those of the CPU with the same random numbers, game for game. Pgx's steps
a second are recorded figures of the same card (H200), not run here.
"""

import argparse
import itertools
import time

import numpy as np
from rich.console import Console
from rich.table import Table

import hansu
from hansu.games.state import State
from hansu.search.playout import playout_form, playouts
from hansu.search.playouts_gpu import make_share, thread_seed

GAMES = {  # and Pgx's steps a second, recorded; of gardner chess for microchess
    "tictactoe": None,
    "connect4": 101e6,
    "othello": 15.7e6,
    "microchess": 3.8e6,
    "go:size=9": 4.5e6,
    "go:size=19": None,
    "hex": None,
}
CHECKED = 1024  # games


def cpu_results(state: State, policy: str, games: int, seed: int) -> list[int]:
    """Return what the card must count: one thread after another, on the CPU."""
    form = playout_form(state, policy)
    share = make_share(form.rules, form.pick)
    counts = np.zeros(4, np.int64)
    path = state.path_with_room()
    moves = np.zeros(form.rules.MAX_MOVES, np.int64)
    for thread in range(games):
        rng = np.array([thread_seed(np.uint64(seed), thread)], np.uint64)
        share(form.words, np.empty_like(form.words), path, moves, rng, 1, counts)
    return [int(count) for count in counts]


def plies_a_second(state: State, policy: str, seconds: float) -> tuple[float, float]:
    """Return plies and games a second; play more games until it takes long enough."""
    games = 1 << 18
    for seed in itertools.count():
        began = time.perf_counter()
        turns = playouts(state, games, seed, policy, device="cuda").turns
        taken = time.perf_counter() - began
        if taken > seconds:
            return turns / taken, games / taken
        games *= 2
    raise AssertionError


def steps_a_second(name: str, seconds: float, count: int) -> float:
    """Return the steps a second of ``hansu.vector`` with observations and masks written."""
    games = hansu.vector(name, count, device="cuda")
    for _ in range(3):
        games.step(games.sample())
    done, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        for _ in range(10):
            games.step(games.sample())
        int(games.done[0])  # waits for the card
        done += 10 * count
    return done / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--only", nargs="*", default=list(GAMES))
    parser.add_argument("--policies", nargs="*", default=["light", "heavy", "uniform"])
    parser.add_argument("--counts", type=int, nargs="*", default=[8192, 131072])
    chosen = parser.parse_args()
    table = Table(title="Random games on the card", title_justify="left")
    for column in ("game", "policy", "plies/s", "games/s", "Pgx, recorded", "ratio", "compiled"):
        table.add_column(column, justify="left" if column in ("game", "policy") else "right")
    for name, policy in itertools.product(chosen.only, chosen.policies):
        state = hansu.game(name).start()
        began = time.perf_counter()
        found = list(playouts(state, CHECKED, 7, policy, device="cuda"))
        compiled = time.perf_counter() - began
        expected = cpu_results(state, policy, CHECKED, 7)
        assert found == expected, f"{name} {policy}: {found} on the card, {expected} on the CPU"
        plies, games = plies_a_second(state, policy, chosen.seconds)
        peer = GAMES.get(name)
        row = [f"{plies:,.0f}", f"{games:,.0f}", f"{peer:,.0f}" if peer else ""]
        ratio = f"{plies / peer:,.0f} ×" if peer else ""
        table.add_row(name, policy, *row, ratio, f"{compiled:.1f} s")
        print(name, policy, *row, flush=True)
    Console(width=120).print(table)
    table = Table(title="hansu.vector: sample and step, all written", title_justify="left")
    for column in ("game", "games at once", "steps/s", "Pgx, recorded", "ratio"):
        table.add_column(column, justify="left" if column == "game" else "right")
    for name, count in itertools.product(chosen.only, chosen.counts):
        steps, peer = steps_a_second(name, chosen.seconds, count), GAMES.get(name)
        ratio = f"{steps / peer:,.0f} ×" if peer else ""
        table.add_row(name, f"{count:,}", f"{steps:,.0f}", f"{peer:,.0f}" if peer else "", ratio)
        print(name, count, f"{steps:,.0f}", ratio, flush=True)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
