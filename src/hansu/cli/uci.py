"""``hansu uci``: be a microchess engine for other programs."""

import contextlib
import sys
from typing import Annotated

import typer

from hansu.cli.arguments import answering, standard_input_lines
from hansu.games.game import game
from hansu.protocols.uci_server import UciServer


def uci(
    who: Annotated[str, typer.Option("--agent", "-a", help="Who thinks.")] = "mcts",
    which: Annotated[
        str, typer.Option("--game", "-g", help="Microchess, with its rules after a colon.")
    ] = "microchess",
) -> None:
    """Speak UCI on standard input and output, for chess programs that know microchess.

    The agent's options are UCI options. The variant is called microchess.
    """
    server = UciServer(who, game(which), answering(sys.stdout))
    with contextlib.redirect_stdout(sys.stderr):  # whatever an agent prints is no part of UCI
        server.run(standard_input_lines())
