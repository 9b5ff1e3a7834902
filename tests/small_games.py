"""Every game of the table, on a small board where it has sizes: what is added there is tested."""

import pytest

from hansu.games.game import GAMES

_SMALL = {"go": "go:size=5", "hex": "hex:size=5"}

SMALL_GAMES = [_SMALL.get(name, name) for name in sorted(GAMES)]


def all_but_slow(*slow: str) -> list[object]:
    """The same, some of them only among the slow tests: compiling a search takes seconds a game."""
    return [
        pytest.param(name, marks=pytest.mark.slow) if name in slow else name for name in SMALL_GAMES
    ]
