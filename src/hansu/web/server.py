"""Start the server and print its address."""

import contextlib
import os
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import quote

import uvicorn

from hansu.errors import HansuError
from hansu.web.app import make_app
from hansu.web.connections import protocols
from hansu.web.descriptors import most_connections
from hansu.web.quiet_log import keep_quiet
from hansu.web.server_settings import LOOPBACK, ServerSettings

BACKLOG = 64  # connections that are accepted in one go
QUEUE = 1024  # connections that the system keeps until then
SWITCH = 0.001  # seconds: answers do not wait long for threads that think in Python
PING_EVERY = 5.0  # seconds between two questions whether a visitor is still there
PONG_WITHIN = 10.0  # seconds for the answer; browsers give it by themselves
VISITS = 5  # of so many connections one is kept free for requests


def serve(settings: ServerSettings, route: str, browser: bool, say: Callable[[str], None]) -> None:
    """Serve until interrupted. ``route`` is the part of the page to open, such as ``/play``."""
    if not settings.is_local and not settings.token and settings.competition is None:
        settings = replace(settings, token=secrets.token_urlsafe(16))
    listener = _listen(settings)
    settings = replace(settings, port=listener.getsockname()[1])
    address = page_address(settings, route)
    server = make_server(settings)  # before the page is opened: its first request does not wait
    say(f"hansu is running at {address}  (Ctrl+C to stop)")
    sys.setswitchinterval(SWITCH)
    if browser:
        threading.Thread(target=_open, args=(address, say), daemon=True).start()
    server.run(sockets=[listener])


def make_server(settings: ServerSettings) -> uvicorn.Server:
    """Return the server, not yet running; its limits fit those of the machine."""
    most = most_connections()
    watchers = min(settings.max_watchers, most - most // VISITS)
    http, visit = protocols(most, settings.max_message)
    keep_quiet()
    return _Server(
        uvicorn.Config(
            make_app(replace(settings, max_watchers=watchers)),
            http=http,
            ws=visit,
            log_level="warning",
            backlog=BACKLOG,
            ws_ping_interval=PING_EVERY,
            ws_ping_timeout=PONG_WITHIN,
            ws_max_size=settings.max_message,
            ws_per_message_deflate=False,  # costs more than it saves, for every watcher again
            timeout_graceful_shutdown=2,
            server_header=False,
        )
    )


class _Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start; asyncio has one number for both what waits and what is accepted at once."""
        await super().startup(sockets)
        for listener in sockets or []:
            listener.listen(QUEUE)


def page_address(settings: ServerSettings, route: str = "") -> str:
    """Return the address of the page; browsers do not send the token behind the #."""
    host = LOOPBACK if settings.host in ("0.0.0.0", "::") else settings.host
    token = f"token={quote(settings.token, safe='')}" if settings.token else ""
    joined = f"{route}{'&' if '?' in route else '?'}{token}" if token else route
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}/" + (
        f"#{joined}" if joined else ""
    )


def _listen(settings: ServerSettings) -> socket.socket:
    """Open the port; raises HansuError if it is taken."""
    try:
        return socket.create_server(
            (settings.host, settings.port),
            family=socket.AF_INET6 if ":" in settings.host else socket.AF_INET,
            backlog=1024,
        )
    except (OSError, OverflowError) as error:
        raise HansuError(
            f"cannot listen on {settings.host} port {settings.port}: {error}; "
            "choose another with --port, or 0 for any"
        ) from None


def _open(address: str, say: Callable[[str], None]) -> None:
    opened = False
    # Without a screen some systems would start a browser in this very terminal.
    if sys.platform != "linux" or {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"} & set(os.environ):
        with contextlib.suppress(Exception):  # whatever goes wrong, the address is printed
            opened = webbrowser.open(address)
    if not opened:
        say(f"no browser could be opened here: open {address} yourself")
