"""Random numbers nobody can predict: an event's secret seed, and keyed hashes of it.

    event's seed  →  seed of each game, kept in its record  →  seed of each player

A hash cannot be undone: the seed that an agent sees tells nothing about any other. The event's seed
is random unless the organiser gives one, and is published with the results, so that every game can
be played again. A seed that is easy to guess is for tests only: who guesses it knows all of them.
"""

import hashlib
import secrets

from hansu.errors import OptionError
from hansu.options import whole_number

SECRET_BITS = 128
PLAYER_BITS = 63
LARGEST = 10**40 - 1  # that every file format of games holds


def event_seed(given: int | None) -> int:
    """Return the seed of an event: the one that was given, else a new secret."""
    if given is None:
        return secrets.randbits(SECRET_BITS)
    number = whole_number(given, "seed")
    if abs(number) > LARGEST:
        raise OptionError("seed: a whole number of at most 40 digits is expected")
    return number


def game_seed(event: int, number: int) -> int:
    """Return the seed of a game by its number in the event."""
    return _keyed(event, f"game {number}", SECRET_BITS)


def stage_seed(event: int, stage: str) -> int:
    """Return the seed of a part of an event that has games and numbers of its own."""
    return _keyed(event, f"stage {stage}", SECRET_BITS)


def player_seeds(game: int) -> tuple[int, int]:
    """Return the seeds of the first and the second player in the game with a seed.

    >>> player_seeds(1) == player_seeds(1), len({*player_seeds(1), *player_seeds(2)})
    (True, 4)
    """
    return _keyed(game, "first", PLAYER_BITS), _keyed(game, "second", PLAYER_BITS)


def _keyed(secret: int, purpose: str, bits: int) -> int:
    key = hashlib.blake2b(str(secret).encode()).digest()  # as long as a key may be
    digest = hashlib.blake2b(purpose.encode(), key=key, person=b"hansu seed").digest()
    return int.from_bytes(digest) >> (8 * len(digest) - bits)
