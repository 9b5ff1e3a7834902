"""``hansu uci``: be a microchess engine for other programs."""

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
from hansu.protocols.uci_server import UciServer


def uci(
    who: Annotated[str, typer.Option("--agent", "-a", help="Who thinks.")] = "mcts",
    which: Annotated[
        str, typer.Option("--game", "-g", help="Microchess, with its rules after a colon.")
    ] = "microchess",
    no_isolation: NoIsolationOption = False,
    trust: TrustOption = False,
) -> None:
    """Speak UCI on standard input and output, for chess programs that know microchess.

    The agent's options are UCI options. The variant is called microchess.
    """
    isolation = isolation_of(no_isolation, trust)
    load = functools.partial(load_agent, isolation=isolation)
    server = UciServer(who, game(which), answering(sys.stdout), load)
    with contextlib.redirect_stdout(sys.stderr):  # whatever an agent prints is no part of UCI
        server.run(standard_input_lines())
