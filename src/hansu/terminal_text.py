"""Text from outside, made fit for a terminal: names, evidence, options, what a program said."""

import re

_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters but for tab and newline: ESC, BEL, CR ...
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"  # what turns the direction or the line
    "\ud800-\udfff]"  # bytes of a name that is no UTF-8
)


def terminal_text(text: str) -> str:
    """Return a text with a dot in place of each character that would steer a terminal.

    >>> terminal_text("evil\\x1b[2J.py")
    'evil·[2J.py'
    """
    return _CONTROL.sub("·", text)


def one_line(text: str) -> str:
    """Return a text fit for a terminal as one line: a name.

    >>> one_line("two\\nlines")
    'two·lines'
    """
    return re.sub("[\t\n]", "·", terminal_text(text))
