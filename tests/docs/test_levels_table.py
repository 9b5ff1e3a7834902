"""The table of levels in ``design/engine.md`` is that of the measured ratings."""

import itertools
import json

import pytest

from hansu.agents.levels import LEVELS
from hansu.games.game import GAMES
from tests.docs.blocks import DOCS

MEASURED = json.loads(LEVELS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", GAMES)
def test_the_row_of_a_game_is_what_the_file_says(name):
    ratings = [row["rating"] for row in MEASURED[name]["levels"]]
    steps = [after - before for before, after in itertools.pairwise(ratings)]
    games = sorted({2 * sum(match["pentanomial"]) for match in MEASURED[name]["matches"]})
    counts = " to ".join(map(str, games[:1] + games[1:][-1:]))
    mean = sum(steps) / len(steps)
    row = f"| {name} | {mean:.0f} | {min(steps)} to {max(steps)} | {counts} |"
    assert row in (DOCS / "design/engine.md").read_text(encoding="utf-8").splitlines()
