"""When the card fails: out of memory, gone, or in use. One sentence, and what is saved stays."""

import contextlib
from collections.abc import Iterator

import torch

from hansu.errors import HansuError
from hansu.kernel.gpu import is_of_card

OF_FREE_MEMORY = 0.6  # for self-play; learning needs the rest
FEWEST_GAMES = 64  # in a group
GIGABYTE = 1 << 30


@contextlib.contextmanager
def card_trouble() -> Iterator[None]:
    """Raise HansuError, in one sentence, when the card fails."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        raise HansuError(
            "the card's memory is full: end what else uses it, or choose a smaller --net; "
            "re-run the same command to resume from the last checkpoint"
        ) from error
    except Exception as error:
        if not is_of_card(error):
            raise
        what = str(error).strip().splitlines()[0]
        raise HansuError(
            f"the card has failed ({what}); re-run the same command to resume from the last "
            "checkpoint"
        ) from error


def fitting_games(wanted: int, groups: int, bytes_per_game: int, free: int) -> int:
    """Return how many games a group may have, so that all fit into the card's free memory.

    >>> fitting_games(8192, 3, 100_000, free=100 * GIGABYTE)
    8192
    >>> fitting_games(8192, 3, 100_000, free=2 * GIGABYTE)
    4288
    """
    fit = int(OF_FREE_MEMORY * free / groups / bytes_per_game)
    if fit < FEWEST_GAMES:
        need = FEWEST_GAMES * groups * bytes_per_game / OF_FREE_MEMORY / GIGABYTE
        raise HansuError(
            f"the card has {free / GIGABYTE:.1f} GB of free memory; self-play needs {need:.1f} GB "
            "at least"
        )
    return wanted if fit >= wanted else fit // FEWEST_GAMES * FEWEST_GAMES
