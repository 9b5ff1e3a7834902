"""``hansu gtp``: be a go or othello engine for other programs."""

import contextlib
import sys
from typing import Annotated

import typer

from hansu.cli.arguments import answering, standard_input_lines
from hansu.games.game import game
from hansu.protocols.gtp_server import GtpServer


def gtp(
    which: Annotated[
        str, typer.Option("--game", "-g", help="go or othello, with rules after a colon.")
    ] = "go",
    who: Annotated[str, typer.Option("--agent", "-a", help="Who thinks.")] = "mcts",
) -> None:
    """Speak GTP 2 on standard input and output, for go and othello programs.

    The score counts every stone as alive: play on until the dead ones are captured.
    """
    server = GtpServer(who, game(which), answering(sys.stdout))
    with contextlib.redirect_stdout(sys.stderr):  # whatever an agent prints is no part of GTP
        server.run(standard_input_lines())
