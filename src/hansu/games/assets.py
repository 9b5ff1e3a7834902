"""The assets of a game's folder for the page: its picture and its style sheet."""

import functools
import importlib.util
from pathlib import Path

from hansu.errors import HansuError, UnknownName
from hansu.games.game import GAMES, game


def game_folder(name: str) -> Path:
    """Return the folder of a game, without importing it."""
    module = GAMES[name].partition(":")[0]
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


@functools.cache
def style() -> str:
    """Return the games' own style sheets, one after another."""
    sheets = (game_folder(name) / "page.css" for name in GAMES)
    return "".join(sheet.read_text(encoding="utf-8") for sheet in sheets if sheet.is_file())


def picture(name: str) -> str:
    """Return the picture of a game, drawn beforehand so that nothing compiles."""
    if name not in GAMES:
        raise UnknownName("game", name, GAMES)
    drawn = game_folder(name) / "board.svg"
    return drawn.read_text(encoding="utf-8") if drawn.is_file() else draw_picture(name)


def counted_picture(name: str) -> str:
    """Return the picture of a game that counting has decided, drawn beforehand."""
    if name not in GAMES:
        raise UnknownName("game", name, GAMES)
    drawn = game_folder(name) / "counted.svg"
    if not drawn.is_file():
        raise HansuError(f"counting decides no game of {name}")
    return drawn.read_text(encoding="utf-8")


def draw_picture(name: str) -> str:
    """Draw a position that shows what a game is like."""
    return game(name).showcase().svg(coordinates=False)
