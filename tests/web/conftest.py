"""One server for all tests of the page, and pages that notice every mistake."""

import asyncio
import os
import re
import resource
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace

import pytest

from hansu.web.server import make_server
from hansu.web.server_settings import ServerSettings


class RunningServer:
    """A real server in a thread, on a port of its own."""

    def __init__(self, settings: ServerSettings) -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        self.settings = replace(settings, port=listener.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.settings.port}"
        self._server = make_server(self.settings)
        self.app = self._server.config.app
        self._loop = asyncio.new_event_loop()
        serving = self._server.serve(sockets=[listener])
        self._thread = threading.Thread(
            target=self._loop.run_until_complete, args=(serving,), daemon=True
        )
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)

    def break_connections(self) -> None:
        """As a bad network does: every connection is cut."""
        for connection in list(self._server.server_state.connections):
            self._loop.call_soon_threadsafe(connection.transport.abort)

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=10)
        if not self._thread.is_alive():
            self._loop.close()


@pytest.fixture(scope="session")
def server():
    running = RunningServer(ServerSettings())
    yield running
    running.close()


@pytest.fixture
def other_server():
    """Starts servers with other settings."""
    started = []

    def start(**settings):
        started.append(RunningServer(ServerSettings(**settings)))
        return started[-1]

    yield start
    for running in started:
        running.close()


class CommandServer:
    """``hansu serve`` in a process of its own, with limits of its own."""

    def __init__(self, log, *options, descriptors=None, cache=None):
        command = [sys.executable, "-m", "hansu", "serve", "--port", "0", "--no-browser", *options]

        def limit():
            if descriptors is not None:
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

        self.log = log
        with log.open("wb") as errors:
            self.process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                preexec_fn=limit,
                env={**os.environ, **({"HANSU_CACHE_DIR": str(cache)} if cache else {})},
            )
        said = self.process.stdout.readline()
        self.url = re.search(r"http://\S+:\d+", said)[0]
        self.settings = ServerSettings(port=int(self.url.rpartition(":")[2]))

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture
def command_server(tmp_path):
    """Starts servers as the command does."""
    started = []

    def start(*options, **limits):
        started.append(CommandServer(tmp_path / "log", *options, **limits))
        return started[-1]

    yield start
    for running in started:
        running.close()


@pytest.fixture
def new_page(browser, other_server, command_server):
    """Opens pages; whatever goes wrong in their scripts fails the test.

    They are closed before the servers of the test, which they would miss.
    """
    contexts, mistakes = [], []

    def is_mistake(said, ignored):
        return said.type == "error" and not any(text in said.text for text in ignored)

    def open_page(server_ends=False, **options):
        ignored = ["status of 400"]  # that the server refuses something is no mistake
        if server_ends:
            ignored += ["net::ERR_CONNECTION_REFUSED", "net::ERR_FAILED"]
        options = {
            "viewport": {"width": 1200, "height": 800},
            "locale": "en-GB",
            "service_workers": "block",  # nothing between the page and its server
            **options,
        }
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(90_000)  # however busy the machine is
        page.on("pageerror", lambda error: mistakes.append(str(error)))
        page.on("console", lambda m: mistakes.append(m.text) if is_mistake(m, ignored) else None)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert mistakes == []


@pytest.fixture
def page(new_page):
    return new_page()
