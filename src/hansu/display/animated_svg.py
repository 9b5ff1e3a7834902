"""Several pictures as one that moves: an SVG that plays by itself, in a page or on its own."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

_TAGS = re.compile(r"<[^>]*>|[^<]+")
_TITLE = re.compile(r"<title>[^<]*</title>")  # of one position; the whole has none
_LABEL = re.compile(r' aria-label="[^"]*"')
LAST = 4  # times as long is the last picture shown


def animated_svg(pictures: Sequence[str], title: str, seconds: float = 1.0) -> str:
    """Return pictures of one size as an SVG that shows one after another, again and again.

    What all of them begin with, such as the empty board, is there once. Where nothing moves, the
    last picture is shown.

    >>> two = ['<svg viewBox="0 0 9 9"><rect/><g/></svg>', '<svg viewBox="0 0 9 9"><rect/></svg>']
    >>> moving = animated_svg(two, "a game")
    >>> moving.count("<animate "), moving.count("<rect/>")
    (2, 1)
    """
    root = _LABEL.sub(f' aria-label="{title}"', _TAGS.findall(pictures[0])[0])
    frames = [_elements(_TITLE.sub("", picture)) for picture in pictures]
    same = len(list(takewhile(lambda column: len(set(column)) == 1, zip(*frames, strict=False))))
    total = seconds * (len(frames) - 1 + LAST)
    drawn = (
        f"<g{_moment(number, len(frames), total / seconds, total)}{''.join(each[same:])}</g>"
        for number, each in enumerate(frames)
    )
    return f"{root}<title>{title}</title>{''.join(frames[0][:same])}{''.join(drawn)}</svg>"


def _moment(number: int, count: int, moments: float, total: float) -> str:
    """Return the rest of a group's tag, and when it is shown."""
    is_last = number == count - 1
    times = {0.0: "none", number / moments: "inline"}
    if not is_last:
        times[(number + 1) / moments] = "none"
    values, keys = ";".join(times.values()), ";".join(f"{key:.6g}" for key in times)
    return (
        f' display="{"inline" if is_last else "none"}"><animate attributeName="display" '
        f'calcMode="discrete" values="{values}" keyTimes="{keys}" dur="{total:g}s" '
        'repeatCount="indefinite"/>'
    )


def _elements(picture: str) -> list[str]:
    """Return the elements of a picture, each whole."""
    return list(_whole(_TAGS.findall(picture)[1:-1]))


def _whole(tags: Iterable[str]) -> Iterable[str]:
    depth, element = 0, ""
    for tag in tags:
        element += tag
        depth += tag.startswith("<") - tag.endswith("/>") - 2 * tag.startswith("</")
        if depth == 0:
            yield element
            element = ""
