"""One HTML file that shows a whole tournament: table, ratings, every game to play through.

The file needs nothing else and no network. Python hands over data; the page's own script draws it.
A game's boards are the states' own pictures.
"""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import hansu
from hansu.arena.tournament.plan import Plan
from hansu.arena.tournament.result import TournamentResult
from hansu.display.album import album
from hansu.display.page import one_file
from hansu.games.game import game
from hansu.games.state import State
from hansu.records.record import RESIGNED, GameRecord


def report(result: TournamentResult) -> str:
    """The page."""
    page = files("hansu.arena.tournament").joinpath("report.html").read_text(encoding="utf-8")
    return one_file(page, _facts(result))


def _facts(result: TournamentResult) -> dict[str, Any]:
    plan, cross = result.plan, result.cross_table
    order = [standing.agent for standing in result.standings]
    return {
        **result.facts(),
        "title": game(plan.game).title,
        "agents": plan.agents,
        "terms": _terms(plan),
        "match": result.match.rows() if result.match else [],
        "cycle": str(result.cycle or ""),
        "version": hansu.__version__,
        "cross": [[cross.against(us, them) for them in order] for us in order],
        "games": [_game(number, record) for number, record in result.records.items()],
    }


def _terms(plan: Plan) -> list[str]:
    """The conditions, in words."""
    rounds = f"{plan.rounds} round" + ("s" if plan.rounds > 1 else "")
    clock = "no limit of time" if plan.seconds is None else f"{plan.seconds:g} s a player"
    if plan.increment:
        clock += f" + {plan.increment:g} s a move"
    if plan.move_seconds is not None:
        clock += f", {plan.move_seconds:g} s for each move"
    openings = f"openings {plan.openings}" if plan.openings else "from the start position"
    return [plan.format, rounds, clock, openings, f"seed {plan.seed}"]


def _game(number: int, record: GameRecord) -> dict[str, Any]:
    return {
        "number": number + 1,
        "first": record.first,
        "second": record.second,
        "score": record.score_first,
        "reason": record.outcome.reason.replace("_", " "),
        "evidence": record.evidence,
        "moves": record.moves,
        "seconds": [round(turn.seconds, 3) for turn in record.turns],
        "boards": album(state.svg() for state in positions(record)),
    }


def positions(record: GameRecord) -> Iterator[State]:
    """The state before the first move and after each one; it is one object that moves on."""
    state = game(record.game).parse(record.start)
    yield state
    for text in record.moves:
        if text != RESIGNED:
            state.push(state.parse_move(text))
        yield state
