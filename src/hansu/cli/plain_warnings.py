"""Warnings in one sentence, without the place in the code."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import typer


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Print every warning as one sentence on standard error."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *rest, **more: typer.secho(
            f"hansu: {message}", fg="yellow", err=True
        )
        yield
