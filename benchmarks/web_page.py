"""What a visitor waits for, in a real browser: the first move, the weight, the frames of a move."""

import contextlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from hansu.games.game import GAMES

SHIFTS = """window.shifted = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifted += entry.value;
}).observe({type: "layout-shift", buffered: true});"""
DECODED = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, entry) => sum + entry.decodedBodySize, 0)"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"
PAGES = {
    "home": ("", ".tile"),
    "play": ("play?game=go", ".level-row"),
    "analysis": ("analysis?game=go&begin=1", ".board .open"),
}
MOVES = ("D4", "Q16", "K10", "R5", "C3", "E5")  # on a 19x19 board


@contextlib.contextmanager
def browser() -> Iterator[Any]:
    """Chromium, where there is one."""
    program = shutil.which("chromium")
    if program is None:
        yield None
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        )
        yield opened
        opened.close()


def loads(opened: Any, url: str, times: int = 5) -> dict[str, tuple[float, float, float]]:
    """For each page: kilobytes as decoded, seconds to the first paint (median), layout shift."""
    found = {}
    for name, (route, ready) in PAGES.items():
        paints, decoded, shifted = [], 0.0, 0.0
        for _ in range(times):
            page = opened.new_page()
            page.add_init_script(SHIFTS)
            page.goto(f"{url}/#/{route}")
            page.wait_for_selector(ready)
            page.wait_for_load_state("networkidle")
            paints.append(page.evaluate(PAINT))
            decoded = max(decoded, page.evaluate(DECODED) / 1000)
            shifted = max(shifted, page.evaluate("window.shifted"))
            page.close()
        found[name] = decoded, statistics.median(paints), shifted
    return found


def frames(opened: Any, url: str) -> tuple[float, float]:
    """Of moves on a 19x19 board: milliseconds of the longest task, of a core and by the clock."""
    page = opened.new_page()
    page.goto(f"{url}/#/play?game=go&rules=size%3D19&begin=1&agent=random&delay=0")
    page.wait_for_selector(".board .open")
    page.wait_for_timeout(1000)
    opened.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])
    for turn, move in enumerate(MOVES):
        page.locator(f".board [data-cell='{move}']").first.click()
        page.wait_for_function(
            "count => document.querySelectorAll('.moves li').length >= count", arg=2 * turn + 2
        )
        page.wait_for_timeout(500)
    events = json.loads(opened.stop_tracing())["traceEvents"]
    page.close()
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        event
        for event in events
        if event["name"].endswith("RunTask") and (event["pid"], event["tid"]) in main
    ]
    longest = max(tasks, key=lambda task: task.get("tdur", 0))
    return longest["tdur"] / 1000, longest["dur"] / 1000


def first_moves(opened: Any) -> Iterator[tuple[str, str, float, float, float]]:
    """Yield game, cache, and seconds: to the address, from there to a move, to the answer."""
    for game in GAMES:
        with tempfile.TemporaryDirectory() as empty:
            yield game, "cold", *_first_move(opened, game, {"HANSU_CACHE_DIR": empty})
        subprocess.run([sys.executable, "-c", WARM.format(game)], check=True)
        yield game, "warm", *_first_move(opened, game, {})


WARM = """
import hansu
from hansu.arena.precompile import precompile
state = hansu.game({0!r}).start()
precompile(state.game)
hansu.agent(state.game, "engine:level=3").act(state)
"""


def _first_move(opened: Any, game: str, more: dict[str, str]) -> tuple[float, float, float]:
    with tempfile.TemporaryDirectory() as data:
        environment = {**os.environ, "XDG_DATA_HOME": data, **more}
        begin = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "hansu", "play", game, "--no-browser"],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            told = time.perf_counter()
            page = opened.new_page()
            page.set_default_timeout(300_000)
            page.goto(found[0])
            page.wait_for_selector(".board .open")
            there = time.perf_counter()
            _any_move(page)
            page.wait_for_function("() => document.querySelectorAll('.moves li').length >= 2")
            answered = time.perf_counter()
            page.close()
        finally:
            process.kill()
            process.wait()
    return told - begin, there - told, answered - there


def _any_move(page: Any) -> None:
    page.locator(".board .open").first.click()
    if page.locator(".board.movable").count():
        box = page.locator(".marks circle").first.bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
