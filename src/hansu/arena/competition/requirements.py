"""What a submission says it needs, against what the organiser allows."""

import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version

from hansu.arena.competition.bundle import ENTRY, Bundle
from hansu.errors import HansuError
from hansu.terminal_text import one_line
from hansu.toml_text import parse_toml

LIST = "requirements.txt"
_NAME = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:[<>=!~;\[#,(].*)?")
_SCRIPT = re.compile(r"^# /// script$(.*?)^# ///$", re.MULTILINE | re.DOTALL)


def check_requirements(bundle: Bundle, allowed: Iterable[str]) -> None:
    """Raise HansuError if a submission needs a package that is not allowed or not there.

    It names them in ``requirements.txt``, or in the header of its file (PEP 723).
    """
    known = {_canonical(name) for name in allowed}
    for line in requirements(bundle):
        found = _NAME.fullmatch(line)
        name = _canonical(found[1]) if found else ""
        if name not in known:
            listed = ", ".join(sorted(known)) or "none"
            raise HansuError(f"{one_line(line)[:60]!r} is not allowed here; allowed are {listed}")
        try:
            version(name)
        except PackageNotFoundError:
            raise HansuError(
                f"{name} is allowed but not installed here: tell the organiser"
            ) from None


def requirements(bundle: Bundle) -> list[str]:
    """Return the requirements that a submission names.

    >>> requirements(Bundle({"agent.py": b"", "requirements.txt": b"# mine\\nnumpy>=2\\n"}))
    ['numpy>=2']
    """
    text = bundle.files.get(LIST, b"").decode(errors="replace")
    lines = [line.strip() for line in text.splitlines()]
    named = [line for line in lines if line and not line.startswith("#")]
    header = _SCRIPT.search(
        bundle.files.get(ENTRY, b"").decode(errors="replace").replace("\r\n", "\n")
    )
    if header is None:
        return named
    body = "\n".join(line[2:] for line in header[1].splitlines())
    try:
        listed = parse_toml(body).get("dependencies", [])
    except ValueError as error:
        raise HansuError(f"the header '# /// script' cannot be read: {error}") from None
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise HansuError("the header '# /// script' has dependencies that are no list of texts")
    return [*named, *listed]


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
