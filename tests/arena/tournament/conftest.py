"""A PostgreSQL for tests that need one."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from glob import glob
from pathlib import Path

import pytest


class Server:
    """A PostgreSQL of this test's own."""

    def __init__(self, folder: Path) -> None:
        programs = sorted(glob("/usr/lib/postgresql/*/bin"))
        self._programs = Path(programs[-1]) if programs else None
        self._folder, self._user = folder, []
        if self._programs is None or not (self._programs / "initdb").exists():
            pytest.skip("no PostgreSQL here")
        pytest.importorskip("psycopg")
        if os.geteuid() == 0:  # it refuses to be root
            if shutil.which("setpriv") is None:
                pytest.skip("no setpriv here, to start PostgreSQL as another user")
            self._user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            os.chown(folder, 65534, 65534)
        self._do("initdb", "-D", folder / "data", "-A", "trust", "-U", "hansu")
        self.start()
        self.url = f"postgresql://hansu@/postgres?host={folder}"

    def start(self) -> None:
        options = f"-c listen_addresses= -c unix_socket_directories={self._folder} -c fsync=off"
        self._do("pg_ctl", "-D", self._folder / "data", "-o", options, "-w", "start")

    def stop(self) -> None:
        self._do("pg_ctl", "-D", self._folder / "data", "-m", "immediate", "-w", "stop")

    def _do(self, program: str, *words: object) -> None:
        assert self._programs is not None
        line = [*self._user, str(self._programs / program), *map(str, words)]
        subprocess.run(
            line, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            cwd=self._folder, timeout=300,
        )  # fmt: skip


@pytest.fixture
def server() -> Iterator[Server]:
    """A running server, in a folder whose name is short enough for a socket's."""
    folder = Path("/tmp") / f"hansu-postgres-{os.getpid()}"
    folder.mkdir(mode=0o700)
    try:
        made = Server(folder)
        yield made
        made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
