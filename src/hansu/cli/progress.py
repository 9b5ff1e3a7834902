"""The progress bar while games are played."""

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


def games_bar(errors: Console) -> Progress:
    """Return a bar that counts finished games; it shows only on a terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=errors,
        disable=not errors.is_terminal,
        transient=True,
        auto_refresh=False,  # no thread: workers may be forked while the bar is shown
    )
