"""What a game's own folder adds to the page: its words, its picture, the look of its stones."""

import functools
import importlib.util
import json
from pathlib import Path
from typing import Any

from hansu.errors import UnknownName
from hansu.games.game import GAMES, game

WORDS = Path(__file__).parent / "static" / "words"
FALLBACK = "en"


def game_folder(name: str) -> Path:
    """Return the folder of a game, which need not be imported for it."""
    module = GAMES[name].partition(":")[0]
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def languages() -> dict[str, str]:
    """Return the languages of the page: code and own name. A language is one file.

    >>> languages()["en"]
    'English'
    """
    return {file.stem: _read(file)["language.name"] for file in sorted(WORDS.glob("*.json"))}


@functools.cache
def words(language: str) -> dict[str, str]:
    """Return the dictionary of a language: the games' words, then the page's, which may repeat
    and so translate those of a game. What a language does not say is said in English.

    >>> words("en")["game.hex"]
    'Hex'
    """
    if language not in languages():
        raise UnknownName("language", language, languages())
    found: dict[str, str] = {}
    for code in dict.fromkeys((FALLBACK, language)):
        for name in GAMES:
            found |= _read(game_folder(name) / "words" / f"{code}.json")
        found |= _read(WORDS / f"{code}.json")
    return found


@functools.cache
def style() -> str:
    """Return the games' own style sheets, one after another."""
    sheets = (game_folder(name) / "page.css" for name in GAMES)
    return "".join(sheet.read_text(encoding="utf-8") for sheet in sheets if sheet.is_file())


def picture(name: str) -> str:
    """Return the start of a game, to choose it by: drawn beforehand, so that nothing compiles."""
    if name not in GAMES:
        raise UnknownName("game", name, GAMES)
    drawn = game_folder(name) / "board.svg"
    return drawn.read_text(encoding="utf-8") if drawn.is_file() else draw_picture(name)


def draw_picture(name: str) -> str:
    """Draw the start of a game."""
    return game(name).start().svg(coordinates=False)


def _read(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found
