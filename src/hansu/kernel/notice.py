"""Tell the person at the terminal why the first use takes seconds."""

import sys

_said: set[str] = set()


def compiling(what: str) -> None:
    """Say once per game (or function's module) that it is being compiled for this machine."""
    topic = ".".join(what.split()[0].split(".")[:3])
    if topic in _said or not sys.stderr.isatty():
        return
    _said.add(topic)
    sys.stderr.write(f"compiling {topic} for this machine (first use only) ...\n")
    sys.stderr.flush()
