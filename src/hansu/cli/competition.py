"""``hansu competition``: what the organiser does beside running it."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from hansu.cli.arguments import JsonOption
from hansu.cli.compete import DatabaseOption, FolderArgument
from hansu.cli.terminal import Console, say
from hansu.errors import HansuError

if TYPE_CHECKING:
    from hansu.arena.competition.register import Register

competition = typer.Typer(help="Organise a competition.", no_args_is_help=True)
NamesArgument = Annotated[list[str], typer.Argument(help="Names of participants.")]


def _register(folder: Path, database: str | None) -> "Register":
    from hansu.arena.competition.register import Register
    from hansu.arena.competition.settings import read_competition

    return Register(folder, read_competition(folder), database)


@competition.command("invite")
def invite(
    folder: FolderArgument,
    names: NamesArgument,
    out: Annotated[
        Path | None, typer.Option(help="Write the tokens to this file, for your eyes only.")
    ] = None,
    database: DatabaseOption = None,
) -> None:
    """Make a personal token for each name; a new one replaces the old."""
    register = _register(folder, database)
    lines = "".join(f"{name},{register.invite(name)}\n" for name in names)
    if out is None:
        say(lines, nl=False)
        return
    try:
        descriptor = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(lines)
    except FileExistsError:
        raise HansuError(f"{out} exists already: choose another name") from None
    except OSError as error:
        raise HansuError(f"cannot write {out}: {error.strerror}") from None
    say(f"wrote {out}: a line NAME,TOKEN for each of {len(names)}")


@competition.command("withdraw")
def withdraw(
    folder: FolderArgument,
    names: NamesArgument,
    back: Annotated[bool, typer.Option("--back", help="Let them come back.")] = False,
    database: DatabaseOption = None,
) -> None:
    """Let participants leave: they get no more games, and nothing is deleted."""
    register = _register(folder, database)
    for name in names:
        register.withdraw(name, back)
        say(f"{name} {'takes part again' if back else 'has left'}")


@competition.command("standings")
def show_standings(
    folder: FolderArgument, database: DatabaseOption = None, as_json: JsonOption = False
) -> None:
    """Print the leaderboard."""
    from hansu.arena.competition.leaderboard import Leaderboard

    board = Leaderboard(_register(folder, database))
    board.update()
    lines = board.lines()
    if as_json:
        say(json.dumps([line.facts() for line in lines], ensure_ascii=False))
        return
    table = Table(title=board.register.settings.title, title_justify="left", box=None)
    for title in ("", "participant", "version", "Elo", "±", "games", "+ = -"):
        table.add_column(title, justify="left" if title == "participant" else "right")
    for line in lines:
        facts = line.facts()
        error = "∞" if facts["error"] is None else f"{facts['error']:.0f}"
        table.add_row(
            *(str(line.rank), escape(line.participant), str(line.version)),
            *(f"{line.rating.elo:+.0f}", error, str(line.tally.games), str(line.tally)),
        )
    Console(highlight=False).print(table)
