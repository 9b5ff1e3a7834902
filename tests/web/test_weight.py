"""What one load of a page costs a visitor: bytes as the browser decodes them, and layout shift."""

import pytest

MOST = 350_000  # bytes of one load
SHIFTS = """window.shifted = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifted += entry.value;
}).observe({type: "layout-shift", buffered: true});"""
DECODED = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, entry) => sum + entry.decodedBodySize, 0)"""
PAGES = {
    "home": ("", ".tile"),
    "play": ("play?game=go", ".level-row"),
    "game": ("play?game=connect4&begin=1&agent=random", ".board .open"),
    "analysis": ("analysis?game=microchess", "textarea"),
    "analysis board": ("analysis?game=microchess&begin=1", ".board .open"),
    "puzzle": ("puzzles/connect4", ".board .open"),
}


SCREEN, PHONE = (1366, 768), (390, 844)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        *((name, SCREEN) for name in PAGES),
        *((name, PHONE) for name in ("home", "game")),
        *(pytest.param(name, PHONE, marks=pytest.mark.slow) for name in PAGES),
    ],
)
def test_a_page_is_light_and_nothing_moves_while_it_loads(new_page, server, name, size):
    route, ready = PAGES[name]
    page = new_page(viewport=dict(zip(("width", "height"), size, strict=True)))
    page.add_init_script(SHIFTS)
    page.goto(f"{server.url}/#/{route}")
    page.wait_for_selector(ready)
    page.wait_for_load_state("networkidle")
    decoded = page.evaluate(DECODED)
    assert 50_000 < decoded <= MOST  # not nothing: it has been measured
    assert page.evaluate("window.shifted") < 0.001


def test_what_a_page_does_not_need_is_not_loaded(page, server):
    page.goto(server.url)
    page.wait_for_selector(".tile")
    page.wait_for_load_state("networkidle")
    names = page.evaluate(
        "performance.getEntriesByType('resource').map((entry) => entry.name.split('/').at(-1))"
    )
    assert "home.js" in names
    assert not {"game.js", "arena.js", "replay.js", "viewer.js", "puzzles.js"} & set(names)
