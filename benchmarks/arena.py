"""How much do the referee and isolation cost? ``python -m benchmarks.arena --game microchess``."""

import argparse
import statistics
import sys
import time

from rich.console import Console
from rich.table import Table

import hansu
from hansu.arena.isolation.player import IsolatedPlayer
from hansu.arena.player import LocalPlayer, Player
from hansu.arena.precompile import precompile
from hansu.arena.referee import play
from hansu.games.game import Game

RANDOM = "hansu.agents.random.RandomAgent"


def games_a_second(game: Game, games: int) -> float:
    """Random against random through the full referee, in this process."""
    first, second = (LocalPlayer(hansu.agent(game, "random")) for _ in range(2))
    play(game.start(), first, second)
    begin = time.process_time()
    for seed in range(games):
        play(game.start(), first, second, seed=seed)
    return games / (time.process_time() - begin)


def move_seconds(player: Player, game: Game, games: int) -> list[float]:
    """What each move of a player takes, as the referee's clock sees it."""
    opponent = LocalPlayer(hansu.agent(game, "random"))
    records = [play(game.start(), player, opponent, seed=seed) for seed in range(games)]
    return [turn.seconds for record in records for turn in record.turns[::2]]


def isolated_figures(game: Game, games: int) -> tuple[float, float, float]:
    """Start and time between games in seconds, and the median cost of isolation a move."""
    precompile(game)
    starts, betweens, overheads = [], [], []
    local = LocalPlayer(hansu.agent(game, "random"))
    move_seconds(local, game, 2)
    for _ in range(3):
        begin = time.perf_counter()
        player = IsolatedPlayer(RANDOM, game, require_isolation=True)
        player.reset(True, game.start(), 0)
        starts.append(time.perf_counter() - begin)
        for seed in range(20):
            begin = time.perf_counter()
            player.end_game()
            player.reset(bool(seed % 2), game.start(), seed)
            betweens.append(time.perf_counter() - begin)
        inside = statistics.median(move_seconds(player, game, games))
        overheads.append(inside - statistics.median(move_seconds(local, game, games)))
        player.close()
    return max(starts), max(betweens), statistics.median(overheads)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="microchess")
    parser.add_argument("--games", type=int, default=200)
    options = parser.parse_args()
    game = hansu.game(options.game)
    rate = games_a_second(game, options.games)
    start, between, overhead = isolated_figures(game, max(1, options.games // 10))
    rows = [
        ("random v random through the referee", f"{rate:,.0f} games/s", "≥ 150/s", rate >= 150),
        ("isolated: start, once a match (worst)", f"{start:.2f} s", "≤ 1.2 s", start <= 1.2),
        ("isolated: between games (worst)", f"{1e3 * between:.1f} ms", "≤ 5 ms", between <= 5e-3),
        (
            "isolated: a move costs more (median)",
            f"{1e3 * overhead:.3f} ms",
            "≤ 0.5 ms",
            overhead <= 5e-4,
        ),
    ]
    table = Table("what", "here", "must", "", title=f"Arena, {game}", title_justify="left")
    for what, here, must, reached in rows:
        table.add_row(what, here, must, "yes" if reached else "[red]NO[/]")
    Console(width=100).print(table)
    sys.exit(0 if all(row[3] for row in rows) else 1)


if __name__ == "__main__":
    main()
