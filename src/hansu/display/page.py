"""What a browser is given: the page's own files, and pages that are one file of their own.

A page of one file is made of the same modules as the page. They name each other by bare names
(``hansu/dom.js``), which an import map resolves: to addresses of the server on the page, to
``data:`` addresses with the modules' texts in a file. No text of a module is ever changed.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

STATIC = Path(__file__).parent / "static"
_PLACE = re.compile(r"/\*([A-Z]+)\*/")
_NAMED = re.compile(r'"hansu/([\w/]+\.js)"')
_PLAIN = "".join(map(chr, range(0x20, 0x7F))).replace("%", "").replace("#", "")


def one_file(main: str, data: Mapping[str, Any], style: str = "") -> str:
    """Return a page that needs nothing else: a main module, what it imports, looks and data."""
    addresses = {f"hansu/{name}": module_address(text) for name, text in modules(main).items()}
    filling = {
        "STYLE": static("style.css") + style,
        "DATA": script_json(data),
        "MODULES": script_json({"imports": addresses}),
        "MAIN": main,
    }
    return _PLACE.sub(lambda place: filling[place[1]], static("file.html"))


def modules(main: str) -> dict[str, str]:
    """Return a module and all it imports, by name.

    >>> list(modules("plot.js"))
    ['plot.js', 'dom.js']
    """
    found: dict[str, str] = {}
    waiting = [main]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = static(f"js/{name}")
            waiting += _NAMED.findall(found[name])  # one named in vain does no harm
    return found


def module_address(text: str) -> str:
    """Return an address that is the module itself; only what an address cannot hold is escaped.

    >>> module_address("export const half = '50%';")
    "data:text/javascript;charset=utf-8,export const half = '50%25';"
    """
    return "data:text/javascript;charset=utf-8," + quote(text, safe=_PLAIN)


def script_json(data: Any) -> str:
    """Return JSON for a script element: a "<" could end the element, or hide its end.

    >>> script_json(["</script>"])
    '["\\\\u003c/script>"]'
    """
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def static(name: str) -> str:
    """Return the text of one of the page's files."""
    return (STATIC / name).read_text(encoding="utf-8")
