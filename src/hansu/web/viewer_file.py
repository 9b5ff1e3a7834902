"""The search viewer as one HTML file: code and answers inside, nothing else needed, no network."""

import heapq
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import hansu
from hansu.display.board_pack import pack_boards
from hansu.display.page import one_file, static
from hansu.games.dictionary import GAME_WORDS, excerpt, known_language
from hansu.search.alphabeta_tree import AlphaBetaTree
from hansu.search.view import SearchView

OPENED = 300  # branches of the tree that the file holds: those the search thought of most
MOST_BOARDS = 2000  # each costs some milliseconds to draw
SEARCHED_AGAIN = 40  # of a minimax tree: each of them costs a search
WORDS = GAME_WORDS | {"term", "viewer"}


def viewer_file(
    view: SearchView, language: str = "en", breathe: Callable[[], None] = lambda: None
) -> str:
    """Return the page with all that a view holds, and the tree as far as is worth keeping.

    ``breathe`` is called now and then: it may let others work.
    """

    def board(place: str) -> str:
        breathe()
        return view.board(_moves(place))

    children = dict(_opened(view, breathe))
    steps = view.steps()
    places = {"": None, **_places(view, children, steps)}
    boards = {place: number for number, place in enumerate(places)}
    data = {
        "version": hansu.__version__,
        "language": known_language(language),
        "words": excerpt(WORDS),
        "info": view.info(),
        "children": children,
        "steps": steps,
        "boards": boards,
        "pack": pack_boards(map(board, places)),
    }
    return one_file("search_file.js", data, static("viewer.css"))


def _opened(
    view: SearchView, breathe: Callable[[], None]
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the branches to keep, the most visited first; of equals the better and higher."""
    room = SEARCHED_AGAIN if isinstance(view.tree, AlphaBetaTree) else OPENED
    waiting: list[tuple[float, int, float, str]] = [(0.0, 0, 0.0, "")]
    while waiting and room:
        breathe()
        _, depth, _, place = heapq.heappop(waiting)
        found = view.children(_moves(place))
        yield place, found
        room -= 1
        for child in found:
            if child["children"]:
                below = "\n".join([*_moves(place), child["move"]])
                heapq.heappush(waiting, (-child["visits"], depth + 1, -child["value"], below))


def _places(
    view: SearchView, children: dict[str, list[dict[str, Any]]], steps: dict[str, Any] | None
) -> dict[str, None]:
    """Return where the viewer can lead, each place once, the likeliest first."""
    paths = [_moves(place) for place in children]
    paths += [line["variation"] for line in view.info()["lines"]]
    paths += _walked(steps["steps"]) if steps else []
    paths += [[*_moves(at), child["move"]] for at, found in children.items() for child in found]
    places = {"\n".join(path[: ply + 1]): None for path in paths for ply in range(len(path))}
    return dict(itertools.islice(places.items(), MOST_BOARDS))


def _walked(steps: list[dict[str, Any]]) -> list[list[str]]:
    """Return the paths that a small search took."""
    path: dict[int, list[str]] = {0: []}
    walked = []
    for step in steps:
        if step["kind"] == "expand":
            for child in step["children"]:
                path[child["node"]] = [*path[step["node"]], child["move"]]
        elif step["kind"] == "select":
            walked.append(path[step["chosen"]])
        elif step["kind"] == "enter" and step["node"]:
            path[step["node"]] = [*path[step["parent"]], step["move"]]
            walked.append(path[step["node"]])
    return walked


def _moves(place: str) -> list[str]:
    return place.split("\n") if place else []
