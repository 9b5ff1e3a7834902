"""Draw the figures: all, or those whose names are given."""

import sys
from pathlib import Path

from docs.figures import chance, counts, games, learning, speed, trees, viewer
from docs.figures.words import LANGUAGES, Figure

FIGURES: dict[str, Figure] = {
    **games.FIGURES,
    **trees.FIGURES,
    **counts.FIGURES,
    **chance.FIGURES,
    **learning.FIGURES,
    **speed.FIGURES,
    **viewer.FIGURES,
}
FOLDER = Path(__file__).parent.parent / "images" / "tutorial"


def draw(names: list[str]) -> None:
    """Write each figure in every language; a suffix names the language, as in the pages."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names:
        for suffix, word in LANGUAGES.items():
            drawn = FIGURES[name](word)
            kind = "svg" if drawn.startswith("<svg") else "html"
            (FOLDER / f"{name}{suffix}.{kind}").write_text(drawn, encoding="utf-8")
        print(name)


if __name__ == "__main__":
    draw(sys.argv[1:] or list(FIGURES))
