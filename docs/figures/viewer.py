"""A search to step through, as a page of its own that the tutorial embeds."""

from dataclasses import replace

from docs.figures.words import Figure, Word

import hansu
from hansu.search.mcts import Mcts
from hansu.search.view import SearchView
from hansu.web.viewer_file import viewer_file


def uct_steps(word: Word) -> str:
    """Return the viewer of a small tree search of tic-tac-toe; no time is shown in it."""
    state = hansu.game("tictactoe").parse("X...O....")
    search = Mcts(state, seed=1)
    search.run(300)
    view = SearchView(state, replace(search.info(), seconds=0.0), search, "mcts")
    return viewer_file(view, word("en", "ko"))


FIGURES: dict[str, Figure] = {"uct_steps": uct_steps}
