"""One HTML file for a whole tournament: table, ratings, every game to step through.

The file needs nothing else and no network. Python hands over data; the page's own modules draw it.
A game's boards are the states' own pictures.
"""

from collections.abc import Iterator
from typing import Any

import hansu
from hansu.arena.tournament.plan import Plan
from hansu.arena.tournament.result import TournamentResult
from hansu.display.board_pack import pack_boards
from hansu.display.page import one_file
from hansu.games.assets import style
from hansu.games.dictionary import GAME_WORDS, excerpt
from hansu.games.game import BLACK, COLOR_NAMES, WHITE, game
from hansu.games.state import State
from hansu.records.evidence import evidence_facts
from hansu.records.facts import listed_facts, outcome_facts
from hansu.records.record import RESIGNED, GameRecord

WORDS = GAME_WORDS | {
    *("chart", "clock", "controls", "format", "match", "moves", "replay", "report", "tally"),
    "tournament",
}
TERMS = ("rounds", "seconds", "increment", "move_seconds", "openings")


def report(result: TournamentResult) -> str:
    """Return the page."""
    return one_file("report.js", {"words": excerpt(WORDS), **_facts(result)}, style())


def _facts(result: TournamentResult) -> dict[str, Any]:
    plan, played = result.plan, game(result.plan.game)
    return {
        **result.facts(),
        "name": played.name,
        "title": played.title,
        "agents": plan.agents,
        "terms": terms(plan),
        "version": hansu.__version__,
        "games": [_game(number, record) for number, record in result.records.items()],
    }


def terms(plan: Plan, is_over: bool = True) -> dict[str, Any]:
    """Return what was played under; the seed is secret while games are played."""
    # JavaScript's numbers are not exact enough for a seed.
    seed = str(plan.seed) if is_over else None
    return {name: getattr(plan, name) for name in TERMS} | {"seed": seed}


def _game(number: int, record: GameRecord) -> dict[str, Any]:
    boards, tallies = [], []
    for state in positions(record):
        boards.append(state.svg())
        tallies.append(state.tally())
    return {
        **listed_facts(number, record),
        "white": record.player(WHITE),
        "black": record.player(BLACK),
        "first_color": COLOR_NAMES[record.first_color],
        "outcome": outcome_facts(record.outcome, tallies[-1], len(record.turns)),
        "evidence": evidence_facts(record.evidence),
        "played": record.moves,
        "names": _names(record),
        "seconds": [round(turn.seconds, 3) for turn in record.turns],
        "values": [turn.value for turn in record.turns],
        "tallies": tallies,
        "boards": pack_boards(boards),
    }


def _names(record: GameRecord) -> list[str]:
    """Return the moves as people write them."""
    moves = [move for move in record.moves if move != RESIGNED]
    start = game(record.game).parse(record.start)
    return start.move_names(moves) + record.moves[len(moves) :]


def positions(record: GameRecord) -> Iterator[State]:
    """Yield the state before the first move and after each; it is one object throughout."""
    state = game(record.game).parse(record.start)
    yield state
    for text in record.moves:
        if text != RESIGNED:
            state.push(state.parse_move(text))
        yield state
