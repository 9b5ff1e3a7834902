"""The terminal, as all commands write to it: text from outside cannot steer it."""

from collections.abc import Iterable
from typing import Any

import rich.console
import typer
from rich.segment import Segment

from hansu.terminal_text import terminal_text


class Console(rich.console.Console):
    """A console whose own styles are all that a terminal obeys."""

    def render(self, renderable: Any, options: Any = None) -> Iterable[Segment]:
        """Render anything; what is neither text nor style of ours is left out of the text."""
        for segment in super().render(renderable, options):
            yield (
                segment if segment.control else Segment(terminal_text(segment.text), segment.style)
            )


def say(text: object = "", err: bool = False, nl: bool = True, fg: str | None = None) -> None:
    """Print a text."""
    typer.secho(terminal_text(str(text)), err=err, nl=nl, fg=fg)
