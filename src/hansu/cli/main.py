"""``hansu``: the command line."""

import errno
import sys
from collections.abc import Callable
from typing import Annotated

import typer
import typer.main
import typer.rich_utils

import hansu
from hansu.cli.agents import agents
from hansu.cli.analyze import analyze
from hansu.cli.bench import bench
from hansu.cli.check import check
from hansu.cli.compete import compete
from hansu.cli.competition import competition
from hansu.cli.curves import curves
from hansu.cli.doctor import doctor
from hansu.cli.engines import gtp, uci
from hansu.cli.examples import epilog
from hansu.cli.exercise import exercise
from hansu.cli.export import export
from hansu.cli.games import games
from hansu.cli.learn import learn
from hansu.cli.lost_interrupts import raise_lost_interrupts
from hansu.cli.match import match
from hansu.cli.memory import memory
from hansu.cli.new import new
from hansu.cli.perft import perft
from hansu.cli.plain_warnings import plain_warnings
from hansu.cli.play import play
from hansu.cli.puzzles import puzzles
from hansu.cli.quantise import quantise
from hansu.cli.replay import replay
from hansu.cli.review import review
from hansu.cli.serve import serve
from hansu.cli.show import show
from hansu.cli.solve import solve
from hansu.cli.streams import tolerate_encodings
from hansu.cli.submit import submit
from hansu.cli.terminal import Console, say
from hansu.cli.tournament import tournament
from hansu.cli.train import train
from hansu.cli.type_names import name_types
from hansu.cli.watch import watch
from hansu.errors import HansuError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # disk, quota, limit

app = typer.Typer(
    name="hansu",
    help="한 수, one move: board games, agents, and an arena that measures them.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
COMMANDS: dict[str, tuple[Callable[..., None], ...]] = {
    "Play": (play, watch, serve),
    "Study": (analyze, solve, review, replay, show, export, puzzles, exercise),
    "Measure": (match, tournament, perft, bench),
    "Write agents and compete": (check, compete, submit),
    "Train": (train, learn, curves, quantise),
    "Engines": (uci, gtp),
    "Look up": (games, agents, doctor),
}
for panel, commands in COMMANDS.items():
    for command in commands:
        name = command.__name__
        app.command(name, rich_help_panel=panel, epilog=epilog(name))(command)
app.command("benchmark", help="Same as match.", rich_help_panel="Measure")(match)
app.add_typer(new, name="new", rich_help_panel="Write agents and compete")
app.add_typer(competition, name="competition", rich_help_panel="Write agents and compete")
app.add_typer(memory, name="memory", rich_help_panel="Train")


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        say(f"hansu {hansu.__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line; report a user's mistake in one sentence, with exit status 2."""
    tolerate_encodings()
    typer.rich_utils.Console = Console  # type: ignore[attr-defined] # it quotes what was given
    raise_lost_interrupts()
    try:
        with plain_warnings():
            name_types(typer.main.get_command(app))()
    except HansuError as error:
        sys.exit(_complaint(error))
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone, which is no error
        sys.exit(0)
    except OSError as error:
        if error.errno not in FULL:
            raise
        sys.exit(_complaint(HansuError(f"cannot write any more: {error.strerror}")))
    except MemoryError:
        sys.exit(_complaint(HansuError("this machine has too little memory for that")))
    except Exception as error:
        from hansu.kernel.gpu import is_of_card

        if not is_of_card(error):
            raise
        what = str(error).strip().partition("\n")[0]
        sys.exit(_complaint(HansuError(f"the card has failed: {what}")))


def _complaint(error: HansuError) -> int:
    say(f"hansu: {error}", fg="red", err=True)
    return 2
