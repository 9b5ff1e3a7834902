"""The last searches, kept for inspection."""

import itertools
import threading
from collections import OrderedDict

from hansu.search.view import SearchView
from hansu.web.refusals import Refusal

MOST_SEARCHES = 8  # a tree can have millions of nodes


class Searches:
    """Searches by session and number; the least recently inspected go first."""

    def __init__(self) -> None:
        self._views: OrderedDict[tuple[object, int], SearchView] = OrderedDict()
        self._numbers = itertools.count()
        self._lock = threading.Lock()

    def new_number(self) -> int:
        """Return a number for a new search."""
        return next(self._numbers)

    def keep(self, owner: object, number: int, view: SearchView) -> None:
        """Keep a search or its newer state; from any thread."""
        with self._lock:
            self._views.pop((owner, number), None)
            self._views[owner, number] = view
            if len(self._views) > MOST_SEARCHES:
                self._views.popitem(last=False)

    def of(self, owner: object, number: int) -> SearchView:
        """Return an owner's search; raises HansuError."""
        with self._lock:
            if (owner, number) not in self._views:
                raise Refusal("search_gone")
            self._views.move_to_end((owner, number))
            return self._views[owner, number]

    def forget(self, owner: object) -> None:
        """Forget the searches of an owner."""
        with self._lock:
            for key in [key for key in self._views if key[0] is owner]:
                del self._views[key]
