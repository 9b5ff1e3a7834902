"""The settings of a server, and the limits on what visitors may ask of it."""

import ipaddress
import os
import socket
from dataclasses import dataclass
from pathlib import Path

LOOPBACK = "127.0.0.1"
CORES = os.cpu_count() or 1


@dataclass(frozen=True)
class ServerSettings:
    """How to run a server.

    >>> ServerSettings().is_known("localhost"), ServerSettings().is_known("evil.example")
    (True, False)
    """

    host: str = LOOPBACK
    port: int = 8400
    token: str = ""  # needed to start work; empty: not needed
    agents: Path | None = None  # a folder whose agents the page may use
    named: tuple[str, ...] = ()  # agents with options that visitors may not set
    data: Path | None = None  # where games and tournaments are kept; None: nowhere
    tournaments: Path | None = None  # a folder with folders of tournaments to show
    runs: Path | None = None  # a folder with folders of training runs to show
    competition: Path | None = None  # the folder of a competition: then nothing else is started
    competition_database: str | None = None
    max_sessions: int = 200
    max_tournaments: int = 20  # that wait; one at a time is played
    max_waiting: int = 256  # requests that wait until there is time for them
    request_rate: float = 100.0  # a second, from one address
    request_burst: float = 2000.0  # that a class behind one router may make at once
    max_watchers: int = 2000  # visitors of all sessions together, where descriptors allow
    max_processes: int = max(4, 2 * CORES)  # of isolated agents and engines at all tables together
    max_upload: int = 2**20  # bytes
    max_message: int = 2**16  # bytes, from the page
    thinkers: int = max(1, CORES - 1)  # agents that think at the same time; one core answers
    longest_think: float = 60.0  # seconds for one move of an agent
    unattended_after: float = 10.0  # seconds without visitors after which agents pause
    idle_after: float = 900.0  # seconds without a request after which a table may have to go
    forget_after: float = 24 * 3600.0  # seconds without visitors

    def is_known(self, name: str) -> bool:
        """Return whether a Host header, in lower case, names this machine.

        Another site could point its own name at us and reach us through the visitor's browser
        (DNS rebinding). A numeric address cannot be pointed elsewhere.
        """
        if name in ("localhost", self.host.lower()):
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return not self.is_local and name == socket.gethostname().lower()
        return address.is_loopback or not self.is_local

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in (LOOPBACK, "localhost", "::1")
