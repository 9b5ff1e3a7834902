"""``hansu serve``: serve the web page."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from platformdirs import user_data_path

from hansu.cli.terminal import say
from hansu.errors import HansuError

PortOption = Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")]
HostOption = Annotated[
    str,
    typer.Option(help="Address to listen on; any but this machine's own requires a token."),
]
NoBrowserOption = Annotated[
    bool, typer.Option("--no-browser", help="Print the address; do not open a browser.")
]
DataOption = Annotated[
    Path | None,
    typer.Option(help="Folder to keep games and tournaments in (default: your data folder)."),
]
AgentsOption = Annotated[
    Path | None,
    typer.Option(help="Folder of agents (*.py) to offer; each plays in the sandbox."),
]


def data_folder(chosen: Path | None) -> Path:
    """Return the folder that the page keeps games in, made if need be; raises HansuError."""
    folder = chosen or user_data_path("hansu")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HansuError(f"{folder} cannot be made: {error.strerror}; choose --data") from None
    return folder


def serve(
    port: PortOption = 8400,
    host: HostOption = "127.0.0.1",
    token: Annotated[
        str,
        typer.Option(
            help="Token needed to start anything; generated when others can reach the server."
        ),
    ] = "",
    no_browser: NoBrowserOption = False,
    agents: AgentsOption = None,
    data: DataOption = None,
    tournaments: Annotated[
        Path | None, typer.Option(help="Folder of tournaments to show live.")
    ] = None,
    runs: Annotated[
        Path | None, typer.Option(help="Folder of training runs to show and adjust.")
    ] = None,
    competition: Annotated[
        Path | None, typer.Option(help="Folder of a competition to show; nothing else is offered.")
    ] = None,
    competition_database: Annotated[
        str | None, typer.Option(help="Where the competition has its results, if not there.")
    ] = None,
) -> None:
    """Serve the web page: play, watch, replay, analysis, arena and training."""
    from hansu.web.server import serve as run
    from hansu.web.server_settings import ServerSettings

    for folder in (agents, competition):
        if folder is not None and not folder.is_dir():
            raise HansuError(f"there is no folder {folder}")
    for folder in (tournaments, runs):  # which may come later
        try:
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise HansuError(f"{folder} cannot be made: {error.strerror}") from None
    settings = ServerSettings(
        host=host,
        port=port,
        token=token,
        agents=agents,
        data=data_folder(data),
        tournaments=tournaments,
        runs=runs,
    )
    if competition is not None:
        from hansu.arena.competition.settings import read_competition

        most = read_competition(competition).submissions.max_kib * 1024
        settings = replace(
            settings,
            competition=competition,
            competition_database=competition_database,
            max_upload=max(settings.max_upload, most),
        )
    run(settings, "", not no_browser, say)
