"""``hansu new agent``: write an agent to start from."""

import re
from pathlib import Path
from typing import Annotated

import typer

from hansu.cli.arguments import write_text
from hansu.errors import HansuError

new = typer.Typer(help="Create an agent from a template.", no_args_is_help=True)

TEMPLATE = '''"""An agent for hansu: try it with  hansu watch microchess ./{file} random"""

import hansu


class {name}(hansu.Agent):
    """Play a winning move if there is one, else a random move."""

    def act(self, state):
        moves = list(state.legal_moves)
        for move in moves:
            outcome = state.forward(move).outcome()
            if outcome is not None and outcome.winner == self.color:
                return move
        return self.rng.choice(moves)
'''


@new.callback()  # so that "agent" stays a word of its own
def _group() -> None:
    """Create an agent from a template."""


@new.command("agent")
def agent(
    file: Annotated[Path, typer.Argument(help="File to write, such as my_agent.py.")],
) -> None:
    """Write a small working agent to start from."""
    stem = file.stem
    if file.suffix != ".py" or not stem.isidentifier():
        raise HansuError(f"{file} is no name for an agent's file: try my_agent.py")
    if file.exists():
        raise HansuError(f"{file} exists already: choose another name")
    name = "".join(word.capitalize() for word in re.split("_+", stem) if word) or "MyAgent"
    write_text(file, TEMPLATE.format(name=name, file=file.name))
    typer.echo(f"wrote {file}: class {name}")
    typer.echo(f"try it:   hansu watch microchess ./{file} random")
    typer.echo(f"check it: hansu check ./{file}")
