"""``hansu analyze``: the best moves of a position, in the search's own words."""

import json
from typing import Annotated, Any

import typer
from rich.console import Console

from hansu.agents.registry import agent
from hansu.arena.analysis import look
from hansu.cli.arguments import GameArgument, JsonOption, PositionOption, SeedOption, start_state
from hansu.errors import HansuError
from hansu.search.info import SearchInfo


def analyze(
    which: GameArgument,
    position: PositionOption = None,
    who: Annotated[str, typer.Option("--agent", "-a", help="Who looks at it.")] = "mcts",
    seconds: Annotated[float, typer.Option(min=0.001, help="Time to think.")] = 5.0,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Let an agent look at a position: every move with its value and how play would go on.

    Values are the share of the side to move, from 0 (lost) to 1 (won).
    """
    state = start_state(which, position)
    if (outcome := state.outcome()) is not None:
        raise HansuError(f"there is nothing to analyze: the game is over, {outcome}")
    thinker = agent(who, state.game, state.turn, seed)
    thinker.check(state.game)
    try:
        thinker.prepare(state)
        thinker.reset()
        info = look(thinker, state, seconds)
        thinker.close()
    finally:
        thinker.release()
    if as_json:
        typer.echo(json.dumps(facts(info)))
        return
    screen = Console(highlight=False, markup=False)
    screen.print(f"{state}\n")
    screen.print(f"{who} plays {info.lines[0].text}", style="bold")
    screen.print(str(info))


def facts(info: SearchInfo) -> dict[str, Any]:
    """A search's answer, as programs read it."""
    return {
        "move": info.lines[0].text,
        "value": round(info.value, 6),
        "lines": [
            {
                "move": line.text,
                "value": round(line.value, 6),
                "visits": line.visits,
                "variation": list(line.variation),
            }
            for line in info.lines
        ],
        "nodes": info.nodes,
        "seconds": round(info.seconds, 6),
        "depth": info.depth,
    }
