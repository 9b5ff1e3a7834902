"""Why a position or a part of a file cannot be read: sentences that the page can translate.

Readers say it in plain English, "line 3, game 1, move 7: C3 is not legal here; ...; it is left
out". The sentences of positions are those of their games (``Game.refusals``); what is in no table
stays as it is.
"""

import functools
import re
from typing import Any

from hansu.games.game import GAMES, game

OF_FILES = {
    "cut_off": "the text ends within the game",
    "late_pass": "a pass after the end of the game left out",
    "late_passes": "{count} passes after the end of the game left out",
    "late_moves": "moves stand after the end of the game, which are left out",
    "after_the_end": "{move} comes after the end of the game: {outcome}",
    "set_up_later": "stones are set up in mid-game; the moves after that are left out ({count})",
    "set_up_before": "stones are set up in mid-game; the moves before that are left out ({count})",
    "twice": "{side} moves twice, so a pass of {other} is put in",
    "illegal": "{move} is not legal here; legal moves are {legal}",
    "taken": "{move} is not legal here (the point is taken); legal moves are {legal}",
    "superko": "{move} is not legal here (superko); legal moves are {legal}",
    "self_capture": "{move} is not legal here (self-capture); legal moves are {legal}",
    "no_point": "[{point}] is not a point of the {size} board: {known}",
    "not_understood": "{words} is not understood",
    "unclosed_value": "the value that begins here is not closed",
    "unclosed_game": "the game is not closed before the next one begins",
    "after_variation": "a node that follows a variation is not read",
    "lost_variations": "variations of moves that are left out are left out too ({count})",
    "no_size": "size: {size} is not a board: {known}",
    "other_game": "the record is of another game than {game}: {found}",
    "nothing": "there is nothing in it: neither a board nor a move",
    "many_games": "only the {count} games before it are read",
    "empty": "the file is empty",
    "no_transcript": "{words} is not a transcript: moves such as {example} are expected",
}

_LEFT = r"; it is left out(?:, with (?:the )?(?P<more>\d+)(?: moves?)? after it)?"
_SHAPE = re.compile(
    r"(?:line (?P<line>\d+)(?:, |: ))?(?:game (?P<game>\d+)(?:, |: ))?(?:in a variation[,:] )?"
    r"(?:move (?P<turn>\d+)(?: of the record)?: )?"
    rf"(?P<what>.+?)(?P<left>{_LEFT}(?:, (?:and|with) what follows(?: on the line)?)?)?"
    r"(?: \(and (?P<others>\d+) more problems\))?",
    re.DOTALL,
)


def _pattern(sentence: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(sentence)), re.DOTALL)


@functools.cache
def sentences() -> dict[str, str]:
    """Return all sentences that are known, by their kinds."""
    known = [game(name).refusals for name in GAMES]
    return {kind: text for table in (*known, OF_FILES) for kind, text in table.items()}


@functools.cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {kind: _pattern(sentence) for kind, sentence in sentences().items()}


def why_facts(text: str) -> dict[str, Any]:
    """Return a sentence as the page shows it: its text, and its parts if it is known.

    >>> facts = why_facts("line 3, game 1, move 7: C3 is not legal here; legal moves are A1, ...; "
    ...     "it is left out, with the 2 after it")
    >>> [facts[part] for part in ("line", "game", "turn", "kind", "more")]
    ['3', '1', '7', 'illegal', '2']
    >>> facts["values"]["move"]
    'C3'
    >>> why_facts("something else")["kind"]
    ''
    """
    if parts := _SHAPE.fullmatch(text):
        for kind, pattern in _patterns().items():
            if found := pattern.fullmatch(parts["what"]):
                place = {name: parts[name] for name in ("line", "game", "turn", "more", "others")}
                left = parts["left"] is not None
                return {
                    "text": text,
                    "kind": kind,
                    **place,
                    "left": left,
                    "values": found.groupdict(),
                }
    return {"text": text, "kind": ""}
