"""The progress bar while games are played."""

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from hansu.cli.terminal import Console


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
