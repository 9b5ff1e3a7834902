"""``hansu perft``: count move sequences."""

import json
import time
from typing import Annotated, Any

import typer

from hansu.cli.arguments import GameArgument, JsonOption, PositionOption, start_state
from hansu.cli.progress import games_bar
from hansu.cli.terminal import Console, say
from hansu.games.state import State
from hansu.search import perft as search


def perft(
    which: GameArgument,
    depth: Annotated[int, typer.Argument(min=0, max=search.MAX_DEPTH - 1, help="Plies.")],
    position: PositionOption = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count per first move.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Count move sequences of DEPTH plies (perft): the classic test of move generation."""
    state = start_state(which, position)
    search.perft(state, min(depth, 1))  # so that compiling is not timed
    begin = time.perf_counter()
    parts = _counted(state, depth) if depth else {}
    nodes = sum(parts.values()) if parts else search.perft(state, depth)
    seconds = time.perf_counter() - begin
    if as_json:
        answer: dict[str, Any] = {"nodes": nodes, "seconds": round(seconds, 6)}
        typer.echo(json.dumps(answer | ({"divide": parts} if divide else {})))
        return
    for move, count in parts.items() if divide else ():
        say(f"{move}: {count:,}")
    speed = f", {nodes / seconds / 1e6:.1f} million nodes/s" if seconds > 1e-3 else ""
    say(f"perft({depth}) = {nodes:,}   ({seconds:.3f} s{speed})")


def _counted(state: State, depth: int) -> dict[str, int]:
    """Count per first move; a bar on the terminal tells how long it takes."""
    with games_bar(Console(stderr=True)) as bar:
        task = bar.add_task("first moves", total=len(state.move_ids()))
        return search.divide(state, depth, lambda: bar.update(task, advance=1, refresh=True))
