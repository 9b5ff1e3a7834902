"""``hansu new agent``: a file to begin with."""

import re
from pathlib import Path
from typing import Annotated

import typer

from hansu.cli.terminal import say
from hansu.errors import HansuError

new = typer.Typer(help="Make a new agent.", no_args_is_help=True)

TEMPLATE = '''"""An agent for hansu: try it with  hansu watch microchess ./{file} random"""

import hansu


class {name}(hansu.Agent):
    """Takes a winning move when there is one, else a random move."""

    def act(self, state):
        moves = list(state.legal_moves)
        for move in moves:
            outcome = state.forward(move).outcome()
            if outcome is not None and outcome.winner == self.color:
                return move
        return self.rng.choice(moves)
'''


@new.callback()
def _group() -> None:
    """Make something new."""


@new.command("agent")
def agent(
    file: Annotated[Path, typer.Argument(help="The file to write, such as my_agent.py.")],
) -> None:
    """Write a small agent that works, to begin with."""
    stem = file.stem
    if file.suffix != ".py" or not stem.isidentifier():
        raise HansuError(f"{file} is no name for an agent's file: try my_agent.py")
    if file.exists():
        raise HansuError(f"{file} exists already: choose another name")
    name = "".join(word.capitalize() for word in re.split("_+", stem) if word) or "MyAgent"
    try:
        file.write_text(TEMPLATE.format(name=name, file=file.name), encoding="utf-8")
    except OSError as error:
        raise HansuError(f"cannot write {file}: {error.strerror}") from None
    say(f"wrote {file}: class {name}")
    say(f"try it:   hansu watch microchess ./{file} random")
    say(f"check it: hansu check ./{file}")
