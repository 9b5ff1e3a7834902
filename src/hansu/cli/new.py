"""``hansu new``: write an agent or a competition to start from."""

import re
from pathlib import Path
from typing import Annotated

import typer

from hansu.cli.arguments import write_text
from hansu.cli.terminal import say
from hansu.errors import HansuError

new = typer.Typer(help="Create an agent or a competition.", no_args_is_help=True)

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
    say(f"wrote {file}: class {name}")
    named = file if file.is_absolute() else f"./{file}"
    say(f"try it:   hansu watch microchess {named} random")
    say(f"check it: hansu check {named}")


@new.command("competition")
def competition(
    folder: Annotated[Path, typer.Argument(help="Folder to create.")],
    which: Annotated[str, typer.Option("--game", "-g", help="Game to play.")] = "connect4",
    title: Annotated[str, typer.Option(help="Title; the folder's name by default.")] = "",
) -> None:
    """Write a folder with a commented competition.toml to start from."""
    from hansu.arena.competition.template import new_competition

    file = new_competition(folder, which, title)
    say(f"wrote {file}: edit it, then run it")
    say(f"run it:      hansu compete {folder}")
    say(f"try it:      drop agents into {folder / 'submissions'}, such as kim.py")
