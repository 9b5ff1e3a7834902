"""Make the standard streams take every text, whatever their encoding."""

import codecs
import os
import sys
import unicodedata

PLAIN = str.maketrans(
    {
        "–": "-",
        "—": "-",
        "−": "-",
        "±": "+-",
        "×": "x",
        "·": ".",
        "→": "->",
        "≤": "<=",
        "≥": ">=",
        "∞": "inf",
    }
)


def tolerate_encodings() -> None:
    """Replace what an encoding lacks by what looks like it, so that no output ends a command."""
    codecs.register_error("hansu", _replacement)
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started us
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - for as long as we live
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace" if name == "stdin" else "hansu")


def _replacement(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII: ``½`` becomes ``1/2``, and what looks like nothing in ASCII ``?``."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = []
    for letter in error.object[error.start : error.end]:
        apart = unicodedata.normalize("NFKD", letter.translate(PLAIN)).replace("\u2044", "/")
        letters.append(apart.encode("ascii", "ignore").decode() or "?")
    return "".join(letters), error.end
