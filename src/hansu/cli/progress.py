"""How far long work is: a bar while games are played, lines where there is no terminal."""

import time
from collections.abc import Callable

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from hansu.cli.terminal import Console, say

TELL_EVERY = 10.0  # seconds between two lines


def games_bar(errors: Console) -> Progress:
    """Return a bar that counts finished games, with the time left; only on a terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=errors,
        disable=not errors.is_terminal,
        transient=True,
        auto_refresh=False,  # no thread: workers may be forked while the bar is shown
    )


class Lines:
    """Lines of progress on standard error, for where there is no terminal: not too many."""

    def __init__(self) -> None:
        self._due = time.monotonic() + TELL_EVERY

    def tell(self, text: Callable[[], str]) -> None:
        """Write a line if it is time for one."""
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + TELL_EVERY
            say(text(), err=True)
