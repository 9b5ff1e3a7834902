"""Submissions on the disk, under the SHA-256 of what they hold: nothing is ever overwritten."""

import os
import secrets
import shutil
import time
from contextlib import suppress
from pathlib import Path

from hansu.arena.competition.bundle import ENTRY, Bundle
from hansu.errors import HansuError
from hansu.protocols.manifest import MANIFEST

FOLDER = "store"
PACKAGE = "submission"  # the folder of a submission with several files
PART = ".part-"  # what a killed process may leave behind
ABANDONED = 600.0  # seconds after which nobody writes there any more


class Store:
    """The folder ``store`` of a competition, which only its owner may enter."""

    def __init__(self, competition: Path) -> None:
        self.folder = competition / FOLDER

    def keep(self, bundle: Bundle) -> str:
        """Keep a submission; return its SHA-256. When this returns, it is on the disk."""
        digest = bundle.digest
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            if not (self.folder / digest).is_dir():
                self._write(bundle, self.folder / digest)
        except OSError as error:
            raise HansuError(f"cannot keep a submission: {error.strerror}") from None
        return digest

    def agent(self, digest: str) -> Path:
        """Return the file by which a submission is seated."""
        top = self.folder / digest / PACKAGE
        found = [top / MANIFEST, top / ENTRY, self.folder / digest / ENTRY]
        return next((file for file in found if file.is_file()), found[-1])

    def read(self, digest: str) -> Bundle:
        """Return a submission as it was kept; raises HansuError if it is not what it was."""
        place = self.folder / digest
        top = place / PACKAGE if (place / PACKAGE).is_dir() else place
        files = {
            str(file.relative_to(top).as_posix()): file.read_bytes()
            for file in sorted(top.rglob("*"))
            if file.is_file()
        }
        added = dict(files)
        added.pop("__init__.py", None)  # perhaps ours
        for candidate in (Bundle(files), Bundle(added)):
            if candidate.digest == digest:
                return candidate
        raise HansuError(f"submission {digest} is damaged or missing")

    def tidy(self) -> None:
        """Remove what a killed process has left half written, not what another writes just now."""
        for place in self.folder.glob(f"{PART}*"):
            with suppress(OSError):
                if time.time() - place.stat().st_mtime > ABANDONED:
                    shutil.rmtree(place, ignore_errors=True)

    def _write(self, bundle: Bundle, place: Path) -> None:
        aside = self.folder / f"{PART}{secrets.token_hex(8)}"
        top = aside if bundle.is_single else aside / PACKAGE
        is_package = not bundle.is_single and not bundle.is_program
        files = {"__init__.py": b"", **bundle.files} if is_package else bundle.files
        try:
            for path, content in files.items():
                file = top / path
                file.parent.mkdir(parents=True, exist_ok=True)
                with file.open("xb") as out:
                    out.write(content)
                    out.flush()
                    os.fsync(out.fileno())
            os.replace(aside, place)
        except OSError:
            shutil.rmtree(aside, ignore_errors=True)
            if not place.is_dir():  # else another process has kept the same
                raise
        finally:
            descriptor = os.open(self.folder, os.O_RDONLY)
            os.fsync(descriptor)
            os.close(descriptor)
