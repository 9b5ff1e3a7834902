"""The words of the page and of its files. A language is one file, ``words/<code>.json``.

A game has its own words in its folder. What a language lacks is shown in English.
"""

import functools
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from hansu.display.page import STATIC
from hansu.errors import UnknownName
from hansu.games.assets import game_folder
from hansu.games.game import GAMES

WORDS = STATIC / "words"
FALLBACK = "en"
GAME_WORDS = {  # families of words that every page of one file shows: players, moves, results
    *("agent", "color", "counted", "evidence", "game", "language", "level", "move", "person"),
    *("player", "reason", "result", "seconds", "theme"),
}
PLURALS = {"zero", "one", "two", "few", "many"}  # forms of a text with a number in it


def languages() -> dict[str, str]:
    """Return all languages: code and own name.

    >>> languages()["en"]
    'English'
    """
    return {file.stem: _read(file)["language.name"] for file in sorted(WORDS.glob("*.json"))}


def known_language(code: str) -> str:
    """Return the code of a known language; raises UnknownName."""
    if code not in languages():
        raise UnknownName("language", code, languages())
    return code


@functools.cache
def words(language: str) -> dict[str, str]:
    """Return the dictionary of a language: the games' words, then the page's, which may repeat
    and so translate those of a game.

    >>> words("en")["game.hex"]
    'Hex'
    """
    own = _own_words(known_language(language))
    return {
        key: text for key, text in _own_words(FALLBACK).items() if not _replaced(key, own)
    } | own


def is_plural_form(key: str) -> bool:
    """Return whether a key is a form of another, such as ``replay.turns.one``."""
    return key.rpartition(".")[2] in PLURALS


def _replaced(key: str, own: dict[str, str]) -> bool:
    """Return whether an English plural form is replaced by the language's own text."""
    return is_plural_form(key) and key.rpartition(".")[0] in own


def _own_words(code: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in GAMES:
        found |= _read(game_folder(name) / "words" / f"{code}.json")
    return found | _read(WORDS / f"{code}.json")


def excerpt(families: Collection[str]) -> dict[str, dict[str, str]]:
    """Return, for every language, the words of some families: those whose keys begin so.

    >>> excerpt({"theme"})["en"]
    {'theme.dark': 'Dark', 'theme.light': 'Light'}
    """
    return {
        code: {key: text for key, text in words(code).items() if key.split(".")[0] in families}
        for code in languages()
    }


def _read(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found
