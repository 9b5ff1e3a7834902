"""``hansu gtp``: be a go or othello engine for other programs."""

import contextlib
import functools
import sys
from typing import Annotated

import typer

from hansu.arena.seat import load_agent
from hansu.cli.arguments import (
    NoIsolationOption,
    TrustOption,
    answering,
    isolation_of,
    standard_input_lines,
)
from hansu.games.game import game
from hansu.protocols.gtp_server import GtpServer


def gtp(
    which: Annotated[
        str, typer.Option("--game", "-g", help="go or othello, with rules after a colon.")
    ] = "go",
    who: Annotated[str, typer.Option("--agent", "-a", help="Who thinks.")] = "mcts",
    no_isolation: NoIsolationOption = False,
    trust: TrustOption = False,
) -> None:
    """Speak GTP 2 on standard input and output, for go and othello programs.

    The score counts every stone as alive: play on until the dead ones are captured.
    """
    isolation = isolation_of(no_isolation, trust)
    load = functools.partial(load_agent, isolation=isolation)
    server = GtpServer(who, game(which), answering(sys.stdout), load)
    with contextlib.redirect_stdout(sys.stderr):  # whatever an agent prints is no part of GTP
        server.run(standard_input_lines())
