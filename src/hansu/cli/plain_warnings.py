"""Warnings without the place in the code: it says nothing to whoever uses the program."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from hansu.cli.terminal import say


@contextmanager
def plain_warnings() -> Iterator[None]:
    """What is worth a warning is one sentence on the terminal."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *rest, **more: say(
            f"hansu: {message}", fg="yellow", err=True
        )
        yield
