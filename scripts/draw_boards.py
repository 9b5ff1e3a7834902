"""Draw the boards: ``python scripts/draw_boards.py`` after a drawing changes.

The page shows a small picture to choose a game by, so that the first visit does not wait for the
compiler; the site shows one with coordinates.
"""

from pathlib import Path

from hansu.games.assets import draw_picture, game_folder
from hansu.games.game import GAMES, game

SITE = Path(__file__).parent.parent / "docs" / "images" / "games"

if __name__ == "__main__":
    SITE.mkdir(exist_ok=True)
    for name in GAMES:
        (game_folder(name) / "board.svg").write_text(draw_picture(name), encoding="utf-8")
        if (counted := game(name).counted()) is not None:
            picture = counted.svg(coordinates=False)
            (game_folder(name) / "counted.svg").write_text(picture, encoding="utf-8")
        (SITE / f"{name}.svg").write_text(game(name).showcase().svg(), encoding="utf-8")
