"""What a notebook shows of a search, saved as a file to look at.

In a notebook the last line of a cell is enough: ``view``, ``state``, ``result``.
"""

import sys
from typing import Any

import hansu


def search_view(simulations: int = 2000) -> hansu.SearchView:
    """Search a position of Connect Four and return what a notebook shows."""
    state = hansu.game("connect4").parse("4455")
    agent: Any = hansu.agent(state.game, "mcts", seed=1)  # one that searches
    found = agent.search(state, hansu.Limits(nodes=simulations))
    return hansu.SearchView(state, found, agent.tree)


if __name__ == "__main__":
    view = search_view()
    print(view.text(2))
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            file.write(view._repr_html_())
