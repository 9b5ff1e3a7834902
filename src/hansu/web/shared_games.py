"""A recorded game to give away: as a file, a picture that moves, or a page of one file."""

import html
from typing import Any

import hansu
from hansu.display.animated_svg import animated_svg
from hansu.display.board_pack import pack_boards
from hansu.display.page import one_file
from hansu.games.assets import style
from hansu.games.dictionary import GAME_WORDS, excerpt, known_language
from hansu.records.formats import format_by_name
from hansu.records.record import GameRecord
from hansu.records.replay import states
from hansu.web.recorded_games import replay_facts
from hansu.web.refusals import Refusal

MOST_LETTERS = 16_000_000  # of a picture that moves
WORDS = GAME_WORDS | {"chart", "controls", "moves", "replay", "report", "tally"}


def shared_game(record: GameRecord, form: str, language: str = "en") -> bytes:
    """Return a game as ``svg``, ``html``, or in a format of records; raises HansuError."""
    if form == "svg":
        return moving_picture(record).encode()
    if form == "html":
        return game_file(record, language).encode()
    content = format_by_name(form).write([record])
    return content.encode() if isinstance(content, str) else content


def moving_picture(record: GameRecord) -> str:
    """Return a game as an SVG that plays by itself."""
    pictures: list[str] = []
    letters = 0
    for number, state in enumerate(states(record)):
        pictures.append(state.svg())
        letters += len(pictures[-1])
        if letters > MOST_LETTERS:
            raise Refusal("too_long_to_show", turns=len(record.turns), most=number)
    return animated_svg(pictures, html.escape(f"{record.first} – {record.second}"))


def game_file(record: GameRecord, language: str) -> str:
    """Return a game as a page of one file, to be stepped through anywhere."""
    facts = replay_facts(record.as_json().encode(), flip=False)
    tags, boards = facts.pop("tags"), facts.pop("boards")
    pictures = ("".join(tags[number] for number in board) for board in boards)
    data: dict[str, Any] = {
        "version": hansu.__version__,
        "language": known_language(language),
        "words": excerpt(WORDS),
        "facts": facts,
        "pack": pack_boards(pictures),
    }
    return one_file("game_file.js", data, style())
