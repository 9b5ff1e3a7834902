"""Figures are what the code draws: those that take no measuring are drawn again."""

import pytest
from docs.figures.__main__ import FIGURES, FOLDER
from docs.figures.words import LANGUAGES

DRAWN_AT_ONCE = ("start_board", "horizon_board", "ko_board", "tree", "tree_pruned")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DRAWN_AT_ONCE)
def test_a_figure_is_as_it_is_drawn_today(name, language):
    kept = (FOLDER / f"{name}{language}.svg").read_text(encoding="utf-8")
    drawn = FIGURES[name](LANGUAGES[language])
    assert drawn == kept, f"draw it anew: python -m docs.figures {name}"


def test_every_figure_is_there_and_no_other():
    files = {path.name.split(".")[0] for path in FOLDER.iterdir()}
    assert files == set(FIGURES)
