"""A run's folder: which run it holds, and a lock so that one process works in it."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hansu.atomic_write import atomic_write
from hansu.errors import HansuError
from hansu.file_lock import hold

RUN, LOCK = "run.json", "lock"
NOTHING: Mapping[str, Any] = {}

_held: dict[Path, int] = {}  # open files of this process, until it ends


def claim(
    folder: Path, facts: dict[str, Any], same: Iterable[str], older: Mapping[str, Any] = NOTHING
) -> dict[str, Any]:
    """Lock a folder for a run until this process ends; return the facts that the run began with.

    Both must agree in the facts named by ``same``; raises HansuError otherwise. ``older`` has the
    facts of runs that were begun before they were noted.
    """
    path = folder / RUN
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _lock(folder)
        if not path.exists():
            atomic_write(path, json.dumps(facts, indent=1) + "\n")
        content = path.read_bytes()
    except OSError as error:
        raise HansuError(f"cannot use the folder {folder}: {error}") from None
    try:
        theirs = json.loads(content)
    except ValueError:
        theirs = None
    if not isinstance(theirs, dict):
        raise HansuError(f"{path} is damaged: choose another folder with --out")
    mine = json.loads(json.dumps(facts))
    for name in same:
        if (found := theirs.get(name, older.get(name, mine[name]))) != mine[name]:
            raise HansuError(
                f"{folder} holds another run, whose {name} is {found}, not {mine[name]}: choose "
                "another folder with --out"
            )
    return theirs


def _lock(folder: Path) -> None:
    """Hold a lock, which the system releases however this process ends."""
    place = folder.resolve()
    if place in _held:
        return
    try:
        _held[place] = hold(folder / LOCK)
    except BlockingIOError:
        raise HansuError(
            f"another process is at work in {folder}: wait for its end, or choose another folder "
            "with --out"
        ) from None
