"""A game and its moves in OpenSpiel."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class OpenSpielGame:
    """The name and parameters to load a game by, and how its actions are numbered."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    action: Callable[[int], int] = int  # of one of our moves
    move: Callable[[int], int] = int  # of one of its actions
