"""``hansu submit``: send an agent to a competition."""

import json
import os
import stat
import urllib.error
import urllib.request
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote, urlsplit

import typer

from hansu.cli.compete import DatabaseOption
from hansu.cli.terminal import say
from hansu.errors import HansuError, why

LARGEST = 64 << 20  # bytes sent at all; the competition says how many it takes
HEADER = "x-hansu-participant"


def submit(
    path: Annotated[
        Path, typer.Argument(help="Python file, program, archive, or folder with agent.py.")
    ],
    to: Annotated[str, typer.Option(help="Address of the page, or the competition's folder.")],
    token_file: Annotated[
        Path | None, typer.Option(help="File with your token: the last field of its last line.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Participant; for the organiser, with a folder.")
    ] = None,
    database: DatabaseOption = None,
) -> None:
    """Submit an agent, by the page with a token, or as the organiser by the folder."""
    from hansu.arena.competition.bundle import read_submission

    if urlsplit(to).scheme in ("http", "https"):
        if token_file is None:
            raise HansuError("a page needs your token: --token-file FILE")
        bundle = read_submission(path, LARGEST)
        facts = _send(to, _token(token_file), _packed(bundle.files))
        say(f"version {facts['version']} was received: {facts['digest']}")
        return
    from hansu.arena.competition.register import Register
    from hansu.arena.competition.settings import read_competition

    if name is None:
        raise HansuError("a folder needs the participant's name: --name NAME")
    settings = read_competition(Path(to))
    bundle = read_submission(path, settings.submissions.max_kib * 1024)
    entry = Register(Path(to), settings, database).submit(name, bundle, "command")
    say(f"version {entry.version} was received: {entry.digest}")


def _packed(files: dict[str, bytes]) -> tuple[str, bytes]:
    """Return what is sent: the file itself, or an archive of all files."""
    import io
    import zipfile

    if list(files) == ["agent.py"]:
        return "agent.py", files["agent.py"]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return "agent.zip", content.getvalue()


def _token(file: Path) -> str:
    try:
        if os.name == "posix" and stat.S_IMODE(file.stat().st_mode) & 0o077:
            say(f"hansu: others can read {file}: chmod 600 {file}", fg="yellow", err=True)
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise HansuError(f"cannot read {file}: {why(error)}") from None
    token = ([line for line in lines if line.strip()] or [""])[-1].rpartition(",")[2].strip()
    if not token.isascii() or not token:
        raise HansuError(f"{file} holds no token")
    return token


def _send(to: str, token: str, packed: tuple[str, bytes]) -> dict[str, Any]:
    name, content = packed
    parts = urlsplit(to)
    address = f"{parts.scheme}://{parts.netloc}/api/competition/submissions?name={quote(name)}"
    headers = {HEADER: token, "content-type": "application/octet-stream"}
    request = urllib.request.Request(address, content, headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            facts: dict[str, Any] = json.load(answer)
            return facts
    except urllib.error.HTTPError as error:
        try:
            said = str(json.load(error)["detail"])
        except (ValueError, KeyError, TypeError):
            said = str(error)
        raise HansuError(said) from None
    except (OSError, ValueError) as error:
        raise HansuError(f"{address} does not answer: {error}") from None
