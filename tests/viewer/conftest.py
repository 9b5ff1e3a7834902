"""A real browser, and searches to show in it."""

import os
import shutil
from collections.abc import Iterator

import pytest

import hansu
from hansu.agents.registry import agent
from hansu.search.view import History, SearchView

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    reason = "Playwright is not installed: pip install 'hansu[dev]'"
    playwright = pytest.importorskip("playwright.sync_api", reason=reason)
    program = (
        os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    )
    if program is None:
        pytest.skip("no Chromium found; set CHROMIUM to its path")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium) -> Iterator[object]:
    """A new page on which nothing may go wrong; what it asks the network for is kept."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    opened = context.new_page()
    mistakes: list[str] = []
    opened.on("pageerror", lambda error: mistakes.append(str(error)))
    opened.on(
        "console", lambda said: said.type in ("error", "warning") and mistakes.append(said.text)
    )
    opened.set_default_timeout(20_000)
    yield opened
    context.close()
    assert not mistakes


def view_of(who: str, position: str = "b2a1", game: str = "tictactoe") -> SearchView:
    """What an agent thinks of a position."""
    state = hansu.game(game).parse(position)
    thinker, history = agent(who, state.game, state.turn), History()
    thinker.prepare(state)
    thinker.reset()
    thinker.report = history.add
    info = thinker.search(state)
    return SearchView(state, info, thinker.tree, who, history)
