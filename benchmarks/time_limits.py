"""Are limits of time kept? ``python -m benchmarks.time_limits`` asks perfect, engine and solve.

On positions of random games, from the first to the last, after all is compiled. A busy machine
makes everybody late, so each position is tried several times and the least excess counts: what a
search itself adds to its limit, every time. 20 ms are allowed.
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.table import Table

import hansu
from hansu.agents.search_agent import SearchAgent
from hansu.arena.precompile import precompile_rules
from hansu.errors import HansuError
from hansu.games.game import GAMES, Game
from hansu.games.state import State
from hansu.search.limits import Limits
from hansu.search.solve import make_solver, prepare_solver, solve

PLAYERS = ("perfect", "engine", "solve")
NAMES = (*GAMES, "hex:size=5", "go:size=5", "go:size=19", "connect4:width=8,height=7")
SECONDS = (0.05, 0.2, 1.0)
ALLOWED = 0.02
Search = Callable[[State, Limits], object]


def positions(game: Game, count: int, seed: int) -> Iterator[State]:
    """Positions of random games, each from another part of its game."""
    rng = random.Random(seed)
    for number in range(count):
        state = game.start()
        while not state.is_game_over():
            state.push(rng.choice(list(state.legal_moves)))
        for _ in range(max(1, len(state.move_stack) * (count - number) // count)):
            state.pop()
        yield state


def searcher(player: str, game: Game) -> Search:
    """What a player does within a limit, prepared; raises HansuError if it cannot play a game."""
    precompile_rules(game)
    if player == "solve":
        solver = make_solver(game, ready=True)
        prepare_solver(solver, game.start())
        return lambda state, limits: solve(state, Limits(limits.seconds, exact=True), solver=solver)
    agent = hansu.agent(game, player, seed=1)
    assert isinstance(agent, SearchAgent)
    agent.check(game)
    agent.prepare(game.start())
    agent.reset()
    return agent.search


def excess(search: Search, state: State, seconds: float, tries: int) -> float:
    """The least seconds that a search took more than it was given; below 0 where it took less."""
    found = []
    for _ in range(tries):
        begin = time.perf_counter()
        search(state, Limits(seconds=seconds))
        found.append(time.perf_counter() - begin - seconds)
        if found[-1] <= ALLOWED / 4:
            break
    return min(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="one game, such as go:size=9")
    parser.add_argument("--players", nargs="*", default=PLAYERS)
    parser.add_argument("--seconds", type=float, nargs="*", default=SECONDS)
    parser.add_argument("--positions", type=int, default=10)
    parser.add_argument("--tries", type=int, default=3)
    options = parser.parse_args()
    table = Table("game", "player", "limit, s", "median excess, ms", "most, ms", title="Limits")
    kept = True
    for name in NAMES if options.only is None else (options.only,):
        game = hansu.game(name)
        for player in options.players:
            try:
                search = searcher(player, game)
            except HansuError:
                continue  # there is no exact solver for this board
            for seconds in options.seconds:
                late = [
                    max(0.0, excess(search, state, seconds, options.tries))
                    for state in positions(game, options.positions, seed=1)
                ]
                kept = kept and max(late) <= ALLOWED
                figures = [f"{1e3 * x:.1f}" for x in (statistics.median(late), max(late))]
                print(name, player, seconds, *figures, flush=True)
                table.add_row(name, player, f"{seconds:g}", *figures)
    Console(width=100).print(table)
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
