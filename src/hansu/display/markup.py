"""HTML and SVG from parts: whatever is not markup yet is escaped.

>>> tag("td", "a < b", class_="name")
'<td class="name">a &lt; b</td>'
"""

from html import escape

ACCENT = "#2f8f6b"
"""Green of every bar, arrow and curve; it stands out on a white and on a black ground."""

GOOD, EVEN, BAD = "#3a9a6f", "#b3a05c", "#d0694f"
"""Won, drawn, lost."""


class Markup(str):
    """Finished HTML or SVG."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(str(self))


def tag(name: str, *content: str | None, **attributes: str | float | None) -> Markup:
    """Return an element. A trailing ``_`` of an attribute is dropped, other ``_`` become ``-``.

    >>> tag("line", x1=0, y1=0.5, stroke_width=2)
    '<line x1="0" y1="0.5" stroke-width="2"></line>'
    """
    words = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{words}>{joined(*content)}</{name}>")


def joined(*content: str | None) -> Markup:
    """Join parts; None is nothing."""
    return Markup(
        "".join(
            part if isinstance(part, Markup) else escape(part)
            for part in content
            if part is not None
        )
    )


def bar(parts: list[tuple[float, str]], width: str, label: str) -> Markup:
    """Return a bar of coloured parts, each a share of the whole; the rest stays empty."""
    pieces = [
        tag("i", style=f"display:block;width:{100 * share:.4g}%;background:{color}")
        for share, color in parts
    ]
    style = (
        f"display:flex;width:{width};height:9px;border-radius:5px;overflow:hidden;"
        "background:rgba(128,128,128,.22)"
    )
    return tag("div", *pieces, style=style, role="img", aria_label=label, title=label)


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else f"{round(value, 3):g}"
