"""The bar on the terminal while games are played."""

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from hansu.cli.terminal import Console


def games_bar(errors: Console) -> Progress:
    """How many games are done; nothing where nobody watches."""
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
