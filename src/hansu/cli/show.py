"""``hansu show``: show a position."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from hansu.cli.arguments import (
    GameArgument,
    JsonOption,
    PositionOption,
    standard_input_lines,
    start_state,
    write_text,
)
from hansu.errors import HansuError
from hansu.games.game import COLOR_NAMES, WHITE, game
from hansu.games.state import State


def show(
    which: GameArgument,
    position: PositionOption = None,
    svg: Annotated[Path | None, typer.Option(help="Save the board as SVG.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show a position: board, side to move, legal moves, evaluation.

    With --json and --position - every line of standard input is a position, answered by a line
    of JSON.
    """
    if as_json and position == "-":
        _show_lines(which)
        return
    if position == "-":
        position = "\n".join(standard_input_lines())
    state = start_state(which, position)
    if svg is not None:
        write_text(svg, state.svg(legal=False))
    if as_json:
        typer.echo(json.dumps(facts(state)))
        return
    typer.echo(str(state))
    typer.echo()
    typer.echo(f"position: {state.text()}")
    outcome = state.outcome()
    if outcome is not None:
        typer.echo(f"over: {outcome}")
        return
    moves = [state.move_text(move) for move in state.legal_moves]
    typer.echo(f"to move: {COLOR_NAMES[state.turn]}")
    typer.echo(f"legal moves ({len(moves)}): {' '.join(moves)}")
    share = state.game.evaluator.eval(state, WHITE)
    typer.echo(f"evaluation: White {share:.2f}, Black {1 - share:.2f}")


def facts(state: State) -> dict[str, Any]:
    """Return a position as JSON facts."""
    outcome = state.outcome()
    return {
        "game": str(state.game),
        "position": state.text(),
        "turn": COLOR_NAMES[state.turn],
        "legal_moves": [state.move_text(move) for move in state.legal_moves],
        "over": outcome is not None,
        "winner": COLOR_NAMES[outcome.winner] if outcome else None,
        "reason": outcome.reason if outcome else None,
    }


def _show_lines(which: str) -> None:
    """Answer each line with one line; a bad one gets an error line and exit status 2."""
    chosen = game(which)
    failed = False
    for line in standard_input_lines():
        try:
            answer = facts(chosen.parse(line))
        except HansuError as error:
            answer, failed = {"error": str(error)}, True
        typer.echo(json.dumps(answer))
    if failed:
        raise typer.Exit(2)
