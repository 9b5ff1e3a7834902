"""A page on which nothing may go wrong, and searches to show in it."""

from collections.abc import Iterator

import pytest

import hansu
from hansu.agents.registry import agent
from hansu.search.limits import SearchHandle
from hansu.search.view import History, SearchView


@pytest.fixture
def page(browser) -> Iterator[object]:
    """A new page on which nothing may go wrong; what it asks the network for is kept."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    opened = context.new_page()
    mistakes: list[str] = []
    opened.on("pageerror", lambda error: mistakes.append(str(error)))
    opened.on(
        "console", lambda said: said.type in ("error", "warning") and mistakes.append(said.text)
    )
    opened.set_default_timeout(90_000)  # however busy the machine is
    yield opened
    context.close()
    assert not mistakes


def view_of(who: str, position: str = "b2a1", game: str = "tictactoe") -> SearchView:
    """What an agent thinks of a position."""
    state = hansu.game(game).parse(position)
    thinker, history = agent(state.game, who, state.turn), History()
    thinker.prepare(state)
    thinker.reset()
    handle = SearchHandle(history.add)
    info = thinker.search(state, handle=handle)
    return SearchView(state, info, handle.tree, who, history)
