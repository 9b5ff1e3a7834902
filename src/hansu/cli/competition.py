"""``hansu competition``: what the organiser does beside running it."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from hansu.cli.arguments import JsonOption, write_text
from hansu.cli.compete import DatabaseOption, FolderArgument
from hansu.cli.terminal import Console, say
from hansu.errors import HansuError
from hansu.statistics.stats import signed

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
    from hansu.arena.competition.settings import check_name

    register = _register(folder, database)
    for name in names:
        check_name(name)
    if out is None:
        for name in names:
            say(f"{name},{register.invite(name)}")
        return
    try:
        descriptor = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise HansuError(f"{out} exists already: choose another name") from None
    except OSError as error:
        raise HansuError(f"cannot write {out}: {error.strerror}") from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        for name in names:
            file.write(f"{name},{register.invite(name)}\n")
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
            *(signed(line.rating.elo), error, str(line.tally.games), str(line.tally)),
        )
    Console(highlight=False).print(table)


@competition.command("marks")
def show_marks(
    folder: FolderArgument,
    out: Annotated[Path | None, typer.Option(help="Write the table to this CSV file.")] = None,
    gradescope: Annotated[
        Path | None, typer.Option(help="Folder for NAME/results.json, as Gradescope reads it.")
    ] = None,
    database: DatabaseOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print everybody's mark, by the rule in competition.toml, from the last final."""
    from hansu.arena.competition import marks

    register = _register(folder, database)
    found = marks.marks(register)
    table = marks.as_csv(found)
    if out is not None:
        write_text(out, table)
    if as_json:
        say(json.dumps([vars(mark) for mark in found], ensure_ascii=False))
    elif out is None:
        say(table, nl=False)
    if gradescope is not None:
        for mark in found:
            place = gradescope / mark.participant
            place.mkdir(parents=True, exist_ok=True)
            write_text(place / "results.json", marks.gradescope(mark, register.settings.marks.most))


@competition.command("similar")
def show_similar(
    folder: FolderArgument, database: DatabaseOption = None, as_json: JsonOption = False
) -> None:
    """List submissions of different participants that are alike."""
    from hansu.arena.competition.similarity import similar

    found = similar(_register(folder, database))
    if as_json:
        facts = [{"how": each.how, "entries": [e.name for e in each.entries]} for each in found]
        say(json.dumps(facts, ensure_ascii=False))
        return
    for alike in found:
        say(f"{alike.how}: {', '.join(entry.name for entry in alike.entries)}")
    if not found:
        say("no two participants have sent the same")


@competition.command("machines")
def show_machines(
    folder: FolderArgument,
    again: Annotated[
        str | None,
        typer.Option(metavar="MACHINE", help="Let the games of this machine be played again."),
    ] = None,
    doubtful: Annotated[
        bool, typer.Option("--doubtful", help="With --again: only its doubtful time-outs.")
    ] = False,
    database: DatabaseOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print what each machine has played, and name those whose results do not fit the others'."""
    from hansu.arena.competition import machines

    register = _register(folder, database)
    if again is not None:
        count = machines.play_again(register, again, doubtful)
        say(f"{count} games are to be played again: start hansu compete {folder}")
        return
    found = machines.machines(machines.played(register))
    if as_json:
        say(json.dumps([{**vars(each), "fits": each.fits} for each in found]))
        return
    table = Table(box=None)
    for title in (
        "machine",
        "CPU",
        "games",
        "MB/s",
        "load",
        "time-outs",
        "doubtful",
        "χ²",
        "chance",
    ):
        table.add_column(title, justify="left" if title in ("machine", "CPU") else "right")
    for each in found:
        table.add_row(
            *(escape(each.name), escape(each.cpu), str(each.games), f"{each.speed:.0f}"),
            *(f"{each.load:.1f}", str(each.timeouts), str(each.doubtful)),
            *(f"{each.chi_squared:.1f}", f"{each.chance:.3f}"),
        )
    Console(highlight=False).print(table)
    for each in found:
        if not each.fits:
            say(
                f"{each.name} does not fit the others: to play its games again, stop the "
                f"competition and run hansu competition machines {folder} --again {each.name}"
            )


@competition.command("freeze")
def freeze_competition(
    folder: FolderArgument,
    out: Annotated[Path, typer.Option(help="Archive to write: NAME.tar.gz.")],
    database: DatabaseOption = None,
) -> None:
    """Write everything into one archive that another machine can verify."""
    from hansu.arena.competition.freeze import freeze

    count = freeze(_register(folder, database), out)
    say(f"wrote {out}: {count} files; hansu competition verify {out} checks it")


@competition.command("verify")
def verify_archive(
    archive: Annotated[Path, typer.Argument(help="Archive of hansu competition freeze.")],
    as_json: JsonOption = False,
) -> None:
    """Check a frozen competition: sums, submissions, every move, the table."""
    from hansu.arena.competition.freeze import verify

    if as_json:
        facts = {"archive": str(archive), "checked": list(verify(archive))}
        say(json.dumps(facts, ensure_ascii=False))
        return
    for line in verify(archive):
        say(line)
