"""``hansu uci`` and ``hansu gtp``: run an agent as an engine for other programs."""

import contextlib
import functools
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from hansu.agents.agent import Agent
from hansu.arena.seat import load_agent
from hansu.cli.arguments import (
    NoIsolationOption,
    TrustOption,
    isolation_of,
    standard_input_lines,
)
from hansu.cli.completion import complete_agent
from hansu.games.game import game
from hansu.protocols.gtp_server import GtpServer
from hansu.protocols.uci_server import UciServer

EngineOption = Annotated[
    str, typer.Option("--agent", "-a", help="Agent to run.", autocompletion=complete_agent)
]


def uci(
    who: EngineOption = "mcts",
    which: Annotated[
        str, typer.Option("--game", "-g", help="microchess, with options after a colon.")
    ] = "microchess",
    no_isolation: NoIsolationOption = False,
    trust: TrustOption = False,
) -> None:
    """Run an agent as a UCI engine on standard input and output (microchess).

    The agent's options are UCI options. The variant is called microchess.
    """
    _serve(UciServer(who, game(which), _answers(), _loader(no_isolation, trust)))


def gtp(
    which: Annotated[
        str,
        typer.Option("--game", "-g", help="A game that GTP knows, with options after a colon."),
    ] = "go",
    who: EngineOption = "mcts",
    no_isolation: NoIsolationOption = False,
    trust: TrustOption = False,
) -> None:
    """Run an agent as a GTP 2 engine on standard input and output.

    The score counts every stone as alive: play on until the dead ones are captured.
    """
    _serve(GtpServer(who, game(which), _answers(), _loader(no_isolation, trust)))


def _loader(no_isolation: bool, trust: bool) -> Callable[..., Agent]:
    """Return the function that loads the agent, isolated as asked."""
    return functools.partial(load_agent, isolation=isolation_of(no_isolation, trust))


def _answers() -> Callable[[str], None]:
    """Return a function that writes a line at once: another program waits for it."""
    return functools.partial(print, file=sys.stdout, flush=True)


def _serve(server: UciServer | GtpServer) -> None:
    with contextlib.redirect_stdout(sys.stderr):  # whatever an agent prints is no part of it
        server.run(standard_input_lines())
