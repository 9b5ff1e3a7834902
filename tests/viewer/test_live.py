"""The viewer's modules as a page uses them: files from a server, answers on demand."""

from pathlib import Path

import pytest

import hansu
from hansu.display.page import STATIC
from hansu.search.mcts import Mcts, MctsSettings
from hansu.search.view import SearchView
from hansu.web.request_filter import HEADERS

KINDS = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}
KINDS[".json"] = "application/json"
PAGE = """<!doctype html><html lang="en"><title>t</title><link rel="stylesheet" href="viewer.css">
<script type="importmap">{"imports": {"hansu/": "/js/"}}</script>
<div id="place"></div><script type="module" src="main.js"></script>"""
MAIN = """import {SearchViewer} from "hansu/viewer/viewer.js";
import {speak} from "hansu/words.js";
speak("en", await (await fetch("words/en.json")).json());
const ask = async (name, moves) => JSON.parse(await window.ask(name, moves));
const source = {info: () => ask("info"), children: (moves) => ask("children", moves),
  board: (moves) => ask("board", moves), steps: () => ask("steps")};
window.viewer = new SearchViewer(document.getElementById("place"), source);
await window.viewer.refresh();
document.body.dataset.ready = "yes";"""


def serve(page, view, asked):
    """The viewer's files under a strict policy, and a view that answers."""
    import json

    def answer(name, moves=None):
        asked.append((name, moves))
        return json.dumps(getattr(view[0], name)(*([moves] if moves is not None else [])))

    def fulfil(route):
        name = route.request.url.rpartition("viewer.test/")[2] or "index.html"
        own = {"index.html": PAGE, "main.js": MAIN}
        path = STATIC / name
        if name not in own and not path.exists():
            return route.fulfill(status=204 if name == "favicon.ico" else 404)
        body = own.get(name) or path.read_text(encoding="utf-8")
        headers = {
            "Content-Security-Policy": HEADERS["content-security-policy"],
            "Content-Type": KINDS[Path(name).suffix],
        }
        return route.fulfill(body=body, headers=headers)

    page.context.set_offline(False)
    page.route("**/*", fulfil)
    page.expose_function("ask", answer)
    page.goto("http://viewer.test/")
    page.wait_for_selector("body[data-ready]")


def test_a_tree_of_100_000_nodes_is_asked_only_for_what_is_open(page):
    search = Mcts(hansu.game("connect4").start(), MctsSettings(), seed=1)
    search.run(90_000)
    assert int(search._tree.size[0]) > 100_000
    asked = []
    serve(page, [SearchView(search.state, search.info(), search, "mcts")], asked)
    assert [moves for name, moves in asked if name == "children"] == [[]]
    page.locator("[role=treeitem]").first.focus()
    for depth in range(1, 9):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"[role=treeitem][aria-level='{depth + 1}']")
        page.keyboard.press("ArrowRight")
    opened = [moves for name, moves in asked if name == "children"]
    assert [len(moves) for moves in opened] == list(range(9))
    assert page.locator("[role=treeitem]").count() == 9 * 7


def test_a_refresh_shows_more_visits_and_keeps_what_is_open(page):
    search = Mcts(hansu.game("tictactoe").start(), MctsSettings(), seed=1)
    search.run(200)
    view = [SearchView(search.state, search.info(), search, "mcts")]
    serve(page, view, [])
    page.locator("[role=treeitem]").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[role=group] [role=treeitem]")
    before = page.locator("[aria-expanded=true]").get_attribute("data-key")
    search.run(800)
    view[0] = SearchView(search.state, search.info(), search, "mcts")
    page.evaluate("() => window.viewer.refresh()")
    page.wait_for_function("() => document.querySelector('.sv-head').textContent.includes('1,000')")
    page.wait_for_selector("[role=group] [role=treeitem]")
    assert page.locator("[aria-expanded=true]").get_attribute("data-key") == before
    shown = page.locator(".sv-moves tbody tr").first.locator("td").first.inner_text()
    assert int(shown) == search.info().lines[0].visits


HOLD = """(moves) => {
  const {source} = window.viewer, {children} = source;
  const held = new Promise((resolve) => { window.release = resolve; });
  source.children = async (asked) => {
    if (String(asked) === String(moves)) await held;
    return children(asked);
  };
  window.refreshed = window.viewer.refresh();
}"""
SEEN = """() => [document.activeElement.dataset.key,
  [...document.querySelectorAll('[role=treeitem]')].map((item) => item.dataset.key)]"""


@pytest.mark.parametrize("held", ["root", "second move"])
@pytest.mark.parametrize("keys", ["ArrowRight", "ArrowRight ArrowLeft", "ArrowDown", "End Enter"])
def test_what_is_done_during_a_refresh_stays_done(page, held, keys):
    search = Mcts(hansu.game("go:size=5").start(), MctsSettings(), seed=1)  # more than 12 moves
    search.run(400)
    serve(page, [SearchView(search.state, search.info(), search, "mcts")], [])
    items = page.locator("[role=treeitem]")
    items.nth(1).focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[aria-level='2']")
    second = items.nth(1).get_attribute("data-key")
    page.evaluate(HOLD, [] if held == "root" else [second])  # while the keys are pressed
    items.first.focus()
    for key in keys.split():
        page.keyboard.press(key)
    page.wait_for_function("() => !document.querySelector('[role=group]:empty')")
    before = page.evaluate(SEEN)
    assert before[0]
    page.evaluate("() => { window.release(); return window.refreshed; }")
    assert page.evaluate(SEEN) == before


def test_a_source_that_fails_is_told_in_one_sentence(page):
    class Broken:
        def info(self):
            raise ValueError("the search has been forgotten")

    serve(page, [Broken()], [])
    assert "forgotten" in page.locator(".sv-head").inner_text()
