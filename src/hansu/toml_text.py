"""TOML that somebody else wrote."""

import tomllib
from typing import Any


def parse_toml(text: str) -> dict[str, Any]:
    """Return what a text says; raises ValueError for whatever is wrong with it.

    >>> parse_toml("deep = " + 9999 * "[")
    Traceback (most recent call last):
    ValueError: it has too many brackets inside one another
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it has too many brackets inside one another") from None
