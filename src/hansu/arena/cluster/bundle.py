"""Agents that travel: an archive of what an agent may see, under the SHA-256 of its bytes.

A machine keeps each archive once, unpacked, in a folder that only its user may enter. What arrives
is hashed before it is unpacked. Inside the sandbox an agent sees a copy, as everywhere.
"""

import hashlib
import io
import os
import secrets
import shutil
import tarfile
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from platformdirs import user_cache_path

from hansu.agents.loading import reference
from hansu.arena.isolation.limits import SandboxLimits
from hansu.arena.isolation.snapshot import take_snapshot
from hansu.arena.isolation.view import find_view
from hansu.errors import HansuError
from hansu.games.game import Game

PART = ".part-"  # what a killed process may leave behind
ABANDONED = 600.0  # seconds after which nobody writes there any more
UNUSED = 30 * 24 * 3600.0  # seconds after which an agent makes room


@dataclass(frozen=True)
class Bundle:
    """An agent's file or package, or a program."""

    archive: bytes
    place: str  # in the archive, from "./" on; or a dotted path
    options: str  # what follows the place in the agent's name
    digest: str  # SHA-256 of the agent: of its file, or of the archive of a package

    @property
    def key(self) -> str:
        """The SHA-256 under which it is sent and kept."""
        return hashlib.sha256(self.archive).hexdigest()


def pack(who: str, game: Game, limits: SandboxLimits) -> Bundle | None:
    """Return the bundle of an agent; None for one that every machine has: built in, or installed.

    Raises:
        HansuError: It cannot be read, or is too big.
    """
    found = reference(who)
    if found is None:
        return None
    options = who.strip().removeprefix(found.place)
    is_path = found.is_file or found.is_program
    if is_path:
        found = replace(found, place=str(Path(found.place).absolute()))
    view = find_view(found, game)
    if not view.copied:
        return None
    with take_snapshot(view.own, view.root, limits) as file:
        archive = file.read()
    place = f"./{Path(found.place).relative_to(view.root)}" if is_path else found.place
    content = archive if view.own.is_dir() else view.own.read_bytes()
    return Bundle(archive, place, options, hashlib.sha256(content).hexdigest())


class BundleCache:
    """The agents that this machine has, each in a folder named by its key."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or user_cache_path("hansu-agents")

    def find(self, key: str) -> Path | None:
        """Return the folder of an agent, if it is here."""
        place = self.folder / key
        with suppress(OSError):
            os.utime(place)
            return place
        return None

    def keep(self, key: str, archive: bytes) -> Path:
        """Check and unpack what has arrived; return its folder.

        Raises:
            HansuError: It is not what its key says, or cannot be written.
        """
        if hashlib.sha256(archive).hexdigest() != key:
            raise HansuError(f"the agent {key[:12]} has arrived damaged: its SHA-256 is another")
        place, aside = self.folder / key, self.folder / f"{PART}{secrets.token_hex(8)}"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._tidy()
            with tarfile.open(fileobj=io.BytesIO(archive)) as members:
                members.extractall(aside, filter=_plain)
            os.replace(aside, place)
        except OSError as error:
            shutil.rmtree(aside, ignore_errors=True)
            if not place.is_dir():  # else another worker has kept the same
                raise HansuError(f"cannot keep an agent: {error.strerror or error}") from None
        return place

    def _tidy(self) -> None:
        """Remove what nobody uses any more."""
        for place in self.folder.iterdir():
            with suppress(OSError):
                age = time.time() - place.stat().st_mtime
                if age > (ABANDONED if place.name.startswith(PART) else UNUSED):
                    shutil.rmtree(place, ignore_errors=True)


def _plain(member: tarfile.TarInfo, folder: str) -> tarfile.TarInfo | None:
    """Leave out what would lead out of the folder: inside the sandbox it leads nowhere either."""
    try:
        return tarfile.data_filter(member, folder)
    except tarfile.FilterError:
        return None
