"""Facts of a recorded game for the page and the reports, as plain data."""

from typing import Any

from hansu.games.game import COLOR_NAMES
from hansu.games.state import Outcome
from hansu.records.record import FAULTS, GameRecord

Tally = dict[str, tuple[float, float]]
"""What a game counts, for White and for Black."""

UNCOUNTED = {"checkmate", "line", "resignation", "unfinished", "unknown", *FAULTS}


def outcome_facts(outcome: Outcome | None, tally: Tally, turns: int) -> dict[str, Any] | None:
    """Return how a game ended, with both sides' counts where they decided it."""
    if outcome is None:
        return None
    return {
        "winner": COLOR_NAMES[outcome.winner],
        "reason": outcome.reason,
        "margin": outcome.margin,
        "turns": turns,
        "counted": _counted(outcome, tally),
    }


def _counted(outcome: Outcome, tally: Tally) -> dict[str, Any] | None:
    if not tally or outcome.reason in UNCOUNTED:
        return None
    what, (white, black) = list(tally.items())[-1]
    ahead = None if white == black else white > black
    return {"what": what, "white": white, "black": black} if ahead == outcome.winner else None


def listed_facts(number: int, record: GameRecord) -> dict[str, Any]:
    """Return the facts of a game in a list."""
    return {
        "number": number,
        "first": record.first,
        "second": record.second,
        "score": record.score_first,
        "reason": record.outcome.reason,
        "turns": len(record.turns),
    }
