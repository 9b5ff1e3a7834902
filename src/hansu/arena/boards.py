"""Many pictures of boards in little space, for reports and pages.

Neighbouring boards share nearly all of their tags, so a board is a short list of numbers.
"""

import re
from collections.abc import Iterable
from typing import Any

_TAGS = re.compile(r"<[^>]*>|[^<]+")


def packed(pictures: Iterable[str]) -> dict[str, Any]:
    """The tags that occur, and for each picture the numbers of its tags.

    >>> packed(["<g/><p/>", "<p/>"])
    {'tags': ['<g/>', '<p/>'], 'boards': [[0, 1], [1]]}
    """
    numbers: dict[str, int] = {}
    boards = [
        [numbers.setdefault(tag, len(numbers)) for tag in _TAGS.findall(picture)]
        for picture in pictures
    ]
    return {"tags": list(numbers), "boards": boards}
