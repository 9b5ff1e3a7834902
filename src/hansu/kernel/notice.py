"""A notice on the terminal why the first use takes seconds."""

import sys

_shown: set[str] = set()


def compiling(what: str) -> None:
    """Write, once per game or module, that it is being compiled for this machine."""
    topic = ".".join(what.split()[0].split(".")[:3])
    if topic in _shown or not sys.stderr.isatty():
        return
    _shown.add(topic)
    sys.stderr.write(f"compiling {topic} for this machine (first use only) ...\n")
    sys.stderr.flush()
