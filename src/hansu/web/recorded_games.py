"""Recorded games for the page: from a file to a list, from a record to all its boards."""

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
from hansu.records.replay import game_of, states
from hansu.web.agreement import recorded

MOST = Most(games=1000, turns=50_000)  # of one file: seconds of work for the server
MOST_PROBLEMS = 5


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
    positions = list(states(record))
    last = positions[-1]
    tallies = [state.tally() for state in positions]
    boards = [state.svg(cells=True, flip=flip) for state in positions]
    if (agreed := recorded(record, last)) is not None:
        tallies[-1] = agreed.tally()
        boards[-1] = last.svg(cells=True, flip=flip, territory=True, dead=agreed.dead)
    return {
        "game": str(last.game),
        "name": last.game.name,
        "white": record.player(WHITE),
        "black": record.player(BLACK),
        "start": record.start,
        "first": COLOR_NAMES[positions[0].turn],
        "played": record.moves,
        "seconds": [turn.seconds for turn in record.turns],
        "values": [turn.value for turn in record.turns],
        "tallies": tallies,
        "outcome": outcome_facts(record.outcome, tallies[-1], len(record.turns)),
        "evidence": evidence_facts(record.evidence),
        **shared_tags(boards),
    }
