"""What a search found, as a message holds it: three numbers, and none of them can be trusted."""

from typing import Any

from hansu.arena.isolation.framing import FramingError, printable
from hansu.search.info import Line, SearchInfo

MOST_COUNTED = 2**53  # nodes of a search, at most


def pack_finding(info: SearchInfo | None) -> list[float | None] | None:
    """What a search found, as it is sent; None where nothing sensible is known."""
    try:
        assert info is not None
        value = float(info.value)
        depth = None if info.depth is None else int(info.depth)
        found = [value, depth, int(info.nodes)]
        read_finding(found, None, "")
    except Exception:  # an agent of one's own may call anything its info
        return None
    return found


def read_finding(found: Any, move: Any, text: str) -> SearchInfo:
    """What was sent, as the finding of a search; raises FramingError for anything else."""
    if not isinstance(found, list) or len(found) != 3:
        raise FramingError(f"sent garbage: {printable(repr(found)[:60])}")
    value, depth, nodes = found
    counts = [count for count in (depth, nodes) if count is not None]
    are_counts = all(type(count) is int and 0 <= count <= MOST_COUNTED for count in counts)
    if type(value) not in (int, float) or not 0.0 <= value <= 1.0 or not are_counts:
        raise FramingError(f"sent garbage: {printable(repr(found)[:60])}")
    return SearchInfo((Line(move, text, float(value)),), nodes or 0, 0.0, depth)
