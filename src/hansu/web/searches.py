"""The last searches that somebody may look into."""

import threading
from collections import OrderedDict

from hansu.errors import HansuError
from hansu.search.view import SearchView

MOST_SEARCHES = 8  # a tree can have millions of nodes


class Searches:
    """One search for each table that had one lately; the oldest are forgotten."""

    def __init__(self) -> None:
        self._views: OrderedDict[object, SearchView] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, owner: object, view: SearchView) -> None:
        """Keep an owner's search instead of the one before; from any thread."""
        with self._lock:
            self._views.pop(owner, None)
            self._views[owner] = view
            if len(self._views) > MOST_SEARCHES:
                self._views.popitem(last=False)

    def of(self, owner: object) -> SearchView:
        """An owner's search; raises HansuError."""
        with self._lock:
            if owner not in self._views:
                raise HansuError("this search is not kept any more: let the agent look again")
            return self._views[owner]

    def forget(self, owner: object) -> None:
        """The owner is gone."""
        with self._lock:
            self._views.pop(owner, None)
