"""Every mistake a user can make, as one clear sentence.

>>> import hansu
>>> hansu.game("checkers")
Traceback (most recent call last):
...
hansu.errors.UnknownName: there is no game 'checkers'; the games are connect4, go, ...
"""

from collections.abc import Iterable


class HansuError(ValueError):
    """The base of all errors in the input, as opposed to faults of the program."""


class UnknownName(HansuError):
    """A game, agent or option that does not exist; the message lists those that do."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(
            f"there is no {kind} {name!r}; the {kind}s are {', '.join(sorted(known)) or 'none'}"
        )


class OptionError(HansuError):
    """An option whose value does not fit."""


class PositionError(HansuError):
    """A text that is not a position or game record."""


class MoveError(HansuError):
    """A text that is not a move, or a move that is not legal here; ``rule`` names why not."""

    def __init__(self, message: str, rule: str = "") -> None:
        super().__init__(message)
        self.rule = rule


class RecordError(HansuError):
    """A game record that cannot be read, or that a format cannot hold."""


class RecordWarning(UserWarning):
    """Part of a file of games was left out, and the caller gave no list for such problems."""
