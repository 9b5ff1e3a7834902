"""For the site: show the examples of docstrings as code.

Our docstrings are plain text with ``>>>`` examples, which Markdown would take for quotations.
"""

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\n).+)*", re.MULTILINE)


class Doctests(griffe.Extension):  # type: ignore[misc]
    """Fence every example."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite a docstring before it is shown."""
        if obj.docstring:
            obj.docstring.value = fence(obj.docstring.value)


def fence(text: str) -> str:
    """Put a fence around every example: it ends at the next empty line."""
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", text)
