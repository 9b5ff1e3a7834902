"""Pages that are one file: styles, scripts and data are put into their places."""

import json
import re
from importlib.resources import files
from typing import Any

_PLACE = re.compile(r"/\*([A-Z]+)\*/")


def one_file(page: str, data: Any, **parts: str) -> str:
    """A page with ``/*LOOK*/``, ``/*THEME*/``, ``/*ALBUM*/``, ``/*DATA*/`` and more filled in.

    >>> one_file("<script>/*DATA*/</script>", ["</script>"])
    '<script>["\\\\u003c/script>"]</script>'
    """
    filling = {
        "LOOK": resource("look.css"),
        "THEME": resource("theme.js"),
        "ALBUM": resource("album.js"),
        # A "<" could end the script element that holds the data, or hide its end.
        "DATA": json.dumps(data, ensure_ascii=False).replace("<", "\\u003c"),
        **parts,
    }
    return _PLACE.sub(lambda place: filling[place[1]], page)


def resource(name: str) -> str:
    """A file that lies beside this one."""
    return files("hansu.display").joinpath(name).read_text(encoding="utf-8")
