"""Every game of the table, on a small board where it has sizes: what is added there is tested."""

from hansu.games.game import GAMES

_SMALL = {"go": "go:size=5", "hex": "hex:size=5"}

SMALL_GAMES = [_SMALL.get(name, name) for name in sorted(GAMES)]
