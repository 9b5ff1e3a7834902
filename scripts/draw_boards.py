"""Draw the boards to choose a game by: ``python scripts/draw_boards.py`` after a drawing changes.

The page shows these files, so that the first visit does not wait for the compiler.
"""

from hansu.games.assets import draw_picture, game_folder
from hansu.games.game import GAMES

if __name__ == "__main__":
    for name in GAMES:
        (game_folder(name) / "board.svg").write_text(draw_picture(name), encoding="utf-8")
