"""Take the pictures of the page for the site: ``python scripts/take_screenshots.py``.

Two agents play on from a position, and the picture is taken while one of them thinks. Needs
Chromium.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
from playwright.sync_api import Page, sync_playwright

IMAGES = Path(__file__).parent.parent / "docs" / "images"
SIZE = {"width": 1120, "height": 760}
THINKING = 40.0  # seconds for a move
UNTIL = 3000  # milliseconds of it until the picture
SEARCH = "td.variation"
GAMES = {  # game -> the scheme of the page, the moves that were played before
    "microchess": ("light", "c1b3 a5b4 b3c1 c5d4 c1d3"),
    "go": ("dark", "E5 C7 G6 C4 G3 D6 E7 F2 G2 E3 C8 B8 F3 B7"),
}
LANGUAGES = {"": "en", ".ko": "ko"}


def watch(page: Page, address: str, game: str, moves: str) -> None:
    """Begin a game between two agents, and let one of them think."""
    players = {color: {"agent": "self_learning"} for color in ("white", "black")}
    wish = {"game": game, "moves": moves.split(), "think": THINKING, **players}
    made = httpx.post(f"{address}/api/tables", json=wish, timeout=180).json()
    page.goto(f"{address}/#/table/{made['id']}/{made['key']}")
    page.wait_for_selector(".board svg", timeout=180_000)
    page.get_by_role("button", name=re.compile("No, thanks|끄기")).click()  # sounds
    page.wait_for_selector(SEARCH, timeout=180_000)
    page.wait_for_timeout(UNTIL)


def main() -> None:
    """Serve the page, and take every picture in every language."""
    command = [sys.executable, "-m", "hansu", "serve", "--no-browser", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    address = server.stdout.readline().split("running at ")[1].split()[0].rstrip("/")
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            for game, (scheme, moves) in GAMES.items():
                for suffix, locale in LANGUAGES.items():
                    page = browser.new_page(
                        viewport=SIZE, color_scheme=scheme, locale=locale, device_scale_factor=1.5
                    )
                    watch(page, address, game, moves)
                    page.screenshot(path=IMAGES / f"{game}{suffix}.png")
                    page.close()
            browser.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
