"""``hansu bench``: how fast are random games on this machine?"""

import itertools
import json
import time
from typing import Annotated

import typer

from hansu.cli.arguments import GameArgument, JsonOption, PositionOption, SeedOption, start_state
from hansu.cli.terminal import say
from hansu.games.state import State
from hansu.kernel.interruptible import interruptible
from hansu.search.playout import POLICIES, Playouts, playouts

FIRST = {"cpu": 64, "cuda": 1 << 16}  # games; then ever more, until they take long enough


def bench(
    which: GameArgument,
    device: Annotated[str, typer.Option(help="cpu (one core), or cuda: an NVIDIA card.")] = "cpu",
    seconds: Annotated[float, typer.Option(min=0.01, max=3600, help="Seconds to play.")] = 1.0,
    playout: Annotated[str, typer.Option(help=f"Moves: {', '.join(POLICIES)}.")] = "light",
    position: PositionOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Play random games as fast as this machine can: plies and games a second."""
    state = start_state(which, position)
    playouts(state, FIRST.get(device, 1), seed, playout, device)  # compiled before it is timed
    found, games, taken = _timed(state, seconds, seed, playout, device)
    facts = {
        "game": str(state.game),
        "device": device,
        "playout": playout,
        "games": games,
        "plies": found.turns,
        "seconds": round(taken, 6),
        "plies_per_second": round(found.turns / taken),
        "games_per_second": round(games / taken),
        "first_won": round((found.wins + 0.5 * found.draws) / games, 6),
    }
    if as_json:
        typer.echo(json.dumps(facts))
        return
    say(
        f"{found.turns / taken:,.0f} plies/s, {games / taken:,.0f} games/s on {device} "
        f"({games:,} {playout} playouts of {state.game} in {taken:.2f} s; "
        f"the first player won {facts['first_won']:.1%})"
    )


def _timed(
    state: State, seconds: float, seed: int, playout: str, device: str
) -> tuple[Playouts, int, float]:
    """Play ever more games at a time until they take half of the seconds; return those."""
    games = FIRST[device]
    for number in itertools.count(1):
        begin = time.perf_counter()
        found = interruptible(
            lambda: playouts(state, games, seed + number, playout, device),  # noqa: B023 - at once
            stop=lambda: None,
        )
        taken = time.perf_counter() - begin
        if taken >= seconds / 2:
            break
        games = int(games * min(64.0, max(2.0, seconds / max(taken, 1e-6))))
    return found, games, taken
