"""Every mistake a user can make, as one clear sentence.

>>> import hansu
>>> hansu.game("checkers")
Traceback (most recent call last):
...
hansu.errors.UnknownName: there is no game 'checkers'; the games are connect4, go, ...
"""

from collections.abc import Iterable
from difflib import get_close_matches


class HansuError(ValueError):
    """The base of all errors in the input, as opposed to faults of the program."""


def why(error: Exception) -> str:
    """Return why a file cannot be read; the sentence around it names the file already.

    >>> why(FileNotFoundError(2, "No such file or directory", "a.txt"))
    'No such file or directory'
    """
    return getattr(error, "strerror", None) or str(error)


class UnknownName(HansuError):
    """A game, agent or option that does not exist; the message says which was meant, or lists all.

    >>> print(UnknownName("game", "otelo", ["othello", "go"]))
    there is no game 'otelo': did you mean othello?
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        meant = get_close_matches(name.casefold(), names, n=1, cutoff=0.7)
        every = f"; the {kind}s are {', '.join(names)}" if names else ""
        right = f": did you mean {meant[0]}?" if meant else every
        super().__init__(f"there is no {kind} {name!r}{right}")


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
