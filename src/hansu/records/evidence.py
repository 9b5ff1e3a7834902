"""The evidence of a record: sentences that pages can translate, written and read by one table.

A record keeps plain English, "NAME: took 3.2 s and had 3.0 s". Evidence that is not in the table
is the agent's or the system's own and stays as it is.
"""

import re

EVIDENCE = {
    "timeout": "took {used} s and had {had} s",
    "timeout_cpu": "took {used} s, {cpu} s of it CPU time, and had {had} s",
    "killed": "its time ran out; it was killed",
    "text_answer": "answered {answer}, a text where a move is expected "
    "(state.parse_move reads one): it is not legal here; legal moves are {legal}",
    "illegal_move": "answered {answer}: it is not legal here; legal moves are {legal}",
    "dead_stones": "dead stones: {stones}",
}


def _pattern(sentence: str) -> str:
    return re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(sentence))


_PATTERNS = {
    kind: re.compile(f"(?:(?P<agent>.+?): )?{_pattern(text)}", re.DOTALL)
    for kind, text in EVIDENCE.items()
}


def evidence_facts(text: str) -> dict[str, str] | None:
    """Return evidence as the page shows it: its text, and its kind and values if it is known.

    >>> evidence_facts("mcts: took 3.2 s and had 3.0 s")["used"]
    '3.2'
    >>> evidence_facts("mine: ZeroDivisionError: division by zero at mine.py:3")["kind"]
    ''
    """
    if not text:
        return None
    for kind, pattern in _PATTERNS.items():
        if found := pattern.fullmatch(text):
            given = {name: value or "" for name, value in found.groupdict().items()}
            return {"text": text, "kind": kind, **given}
    return {"text": text, "kind": ""}
