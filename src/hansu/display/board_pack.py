"""Many boards in little space.

Pictures are split into their tags: boards of one game share nearly all of them, so a board is a
short list of numbers. ``static/js/board_pack.js`` puts them together again.
"""

import base64
import json
import re
import zlib
from collections.abc import Iterable
from typing import Any

_TAGS = re.compile(r"<[^>]*>|[^<]+")


def shared_tags(boards: Iterable[str]) -> dict[str, Any]:
    """Return the tags that occur, and for each picture the numbers of its tags.

    >>> shared_tags(["<g/><p/>", "<p/>"])
    {'tags': ['<g/>', '<p/>'], 'boards': [[0, 1], [1]]}
    """
    numbers: dict[str, int] = {}
    split = [
        [numbers.setdefault(tag, len(numbers)) for tag in _TAGS.findall(board)] for board in boards
    ]
    return {"tags": list(numbers), "boards": split}


def pack_boards(boards: Iterable[str]) -> str:
    """Pictures, compressed, as text.

    >>> len(pack_boards(["<svg><a/></svg>", "<svg><b/></svg>"])) < 120
    True
    """
    text = json.dumps(shared_tags(boards), separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()
