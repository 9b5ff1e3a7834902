"""Draw the boards to choose a game by: ``python scripts/draw_boards.py`` after a drawing changes.

The page shows these files, so that the first visit does not wait for the compiler.
"""

from hansu.games.game import GAMES
from hansu.web.app import PICTURES, start_picture

if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for name in GAMES:
        (PICTURES / f"{name}.svg").write_text(start_picture(name), encoding="utf-8")
