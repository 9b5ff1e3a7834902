"""Recorded games for the page: from a file to a list, from a record to all its boards."""

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from hansu.display.board_pack import shared_tags
from hansu.errors import RecordError
from hansu.games.game import BLACK, COLOR_NAMES, WHITE
from hansu.records.evidence import evidence_facts
from hansu.records.facts import outcome_facts
from hansu.records.formats import read_content
from hansu.records.problems import Most
from hansu.records.reading import text_of
from hansu.records.record import GameRecord
from hansu.records.replay import game_of, start_of, states
from hansu.web.agreement import recorded
from hansu.web.refusals import Refusal

MOST = Most(games=1000, turns=50_000, seconds=3.0)  # of one file
MOST_PROBLEMS = 5
MOST_LETTERS = 100_000_000  # of all pictures of a game: a game of go, however long by the rules


def read_upload(content: bytes, name: str) -> dict[str, Any]:
    """Return the games of a file in any format we read; raises RecordError if it has none."""
    problems: list[RecordError] = []
    games = read_content(content, content, PurePath(name).suffix, problems, MOST)
    return {
        "games": [_listed(record) for record in games],
        "found": len(games),
        "left_out": [str(problem) for problem in problems[:MOST_PROBLEMS]],
        "more": max(0, len(problems) - MOST_PROBLEMS),
    }


def _listed(record: GameRecord) -> dict[str, Any]:
    return {
        "name": game_of(record).name,
        "white": record.player(WHITE),
        "black": record.player(BLACK),
        "result": record.outcome.result(),
        "reason": record.outcome.reason,
        "turns": len(record.turns),
        "record": record.as_json(),
    }


def replay_facts(content: bytes, flip: bool) -> dict[str, Any]:
    """Return everything to step through a game; raises RecordError."""
    record = GameRecord.from_json(text_of(content))
    first, last = start_of(record), start_of(record)
    tallies: list[dict[str, tuple[float, float]]] = []

    def drawn() -> Iterator[str]:
        """Yield one board after the other; only the last position is kept."""
        nonlocal last
        letters = 0
        for number, last in enumerate(states(record)):
            tallies.append(last.tally())
            agreed = recorded(record, last) if number == len(record.turns) else None
            if agreed is None:
                board = last.svg(cells=True, flip=flip)
            else:
                tallies[-1] = agreed.tally()
                board = last.svg(cells=True, flip=flip, territory=True, dead=agreed.dead)
            letters += len(board)
            if letters > MOST_LETTERS:
                raise Refusal("too_long_to_show", turns=len(record.turns), most=number)
            yield board

    boards = shared_tags(drawn())
    return {
        "game": str(last.game),
        "name": last.game.name,
        "white": record.player(WHITE),
        "black": record.player(BLACK),
        "start": record.start,
        "first": COLOR_NAMES[first.turn],
        "played": record.moves,
        "seconds": [turn.seconds for turn in record.turns],
        "values": [turn.value for turn in record.turns],
        "tallies": tallies,
        "outcome": outcome_facts(record.outcome, tallies[-1], len(record.turns)),
        "evidence": evidence_facts(record.evidence),
        **boards,
    }
