"""``hansu serve``: the page for playing, watching and looking at games."""

from pathlib import Path
from typing import Annotated

import typer

from hansu.cli.terminal import say
from hansu.errors import HansuError

PortOption = Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")]
HostOption = Annotated[
    str,
    typer.Option(help="Listen on another address than this machine's own; a token is then needed."),
]
NoBrowserOption = Annotated[
    bool, typer.Option("--no-browser", help="Only print the address; open no browser.")
]
AgentsOption = Annotated[
    Path | None,
    typer.Option(help="A folder of agents (*.py) that the page may use; each plays isolated."),
]


def serve(
    port: PortOption = 8400,
    host: HostOption = "127.0.0.1",
    token: Annotated[
        str, typer.Option(help="Needed to start anything; by default made up when --host is given.")
    ] = "",
    no_browser: NoBrowserOption = False,
    agents: AgentsOption = None,
    tournaments: Annotated[
        Path | None, typer.Option(help="A folder whose tournaments the page shows, live.")
    ] = None,
    runs: Annotated[
        Path | None, typer.Option(help="A folder whose training runs the page shows and steers.")
    ] = None,
) -> None:
    """Serve the page: play, watch, replay, analyse in the browser; the arena and training live."""
    from hansu.web.server import serve as run
    from hansu.web.settings import Settings

    for folder in (agents, tournaments, runs):
        if folder is not None and not folder.is_dir():
            raise HansuError(f"there is no folder {folder}")
    settings = Settings(
        host=host, port=port, token=token, agents=agents, tournaments=tournaments, runs=runs
    )
    run(settings, "", not no_browser, say)
