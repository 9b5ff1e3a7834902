"""Tables of what the pieces count: text such as ``p1n3b3r5q10k4`` ⇄ one packed number."""

import re

import numpy as np

from hansu.errors import OptionError

LETTERS = "pnbrqk"  # in the order of python-chess's numbers


def parse_table(text: str) -> list[int]:
    """Return what pawn, knight, bishop, rook, queen and king count.

    >>> parse_table("p1n3b3r5q10k4")
    [1, 3, 3, 5, 10, 4]
    """
    parts = dict(re.findall("([a-z])([0-9]{1,3})", text.lower()))
    values = [int(parts.get(letter, 256)) for letter in LETTERS]
    if not re.fullmatch("(?:[pnbrqk][0-9]{1,3}){6}", text.lower()) or max(values) > 255:
        raise OptionError(
            f"microchess option material: {text!r} must give each of p n b r q k a number "
            "from 0 to 255, as p1n3b3r5q10k4 does"
        )
    return values


def format_table(values: list[int]) -> str:
    """Return the text of a table."""
    return "".join(f"{letter}{value}" for letter, value in zip(LETTERS, values, strict=True))


def pack(text: str) -> int:
    """Return a table as compiled code takes it: a byte for each kind, from the pawn up.

    >>> hex(pack("p1n3b3r5q10k4"))
    '0x40a05030301'
    """
    return sum(value << 8 * i for i, value in enumerate(parse_table(text)))


USUAL = "p1n3b3r5q10k4"
DEFAULT = np.uint64(pack(USUAL))
