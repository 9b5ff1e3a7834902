"""What the page is told of a state, an outcome and a search: plain facts, no words."""

from typing import Any

from hansu.games.state import Outcome, State
from hansu.search.info import SearchInfo
from hansu.web.audience import Sight

COLORS = {True: "white", False: "black", None: None}
UNCOUNTED = {"checkmate", "line", "resignation", "timeout", "illegal_move", "crash", "disqualified"}
UNCOUNTED |= {"unfinished", "unknown"}
MOST_LINES = 24  # of a search that the page is shown


def position_facts(state: State, sight: Sight, over: bool) -> dict[str, Any]:
    """The board and what can be played on it."""
    return {
        "svg": state.svg(cells=True, flip=sight.flip, territory=sight.area or over),
        "turn": COLORS[state.turn],
        "position": state.text(),
        "tally": state.tally(),
        "moves": [] if over else [move_facts(state, move) for move in state.legal_moves],
    }


def move_facts(state: State, move: Any) -> dict[str, Any]:
    """A move by name, and the cells to touch for it."""
    return {"text": state.move_text(move), "cells": state.touched(move)}


def outcome_facts(outcome: Outcome | None, state: State, turns: int) -> dict[str, Any] | None:
    """How a game ended; with both sides' count where that decided it."""
    if outcome is None:
        return None
    return {
        "winner": COLORS[outcome.winner],
        "reason": outcome.reason,
        "margin": outcome.margin,
        "turns": turns,
        "counted": _counted(outcome, state),
    }


def _counted(outcome: Outcome, state: State) -> dict[str, Any] | None:
    tally = state.tally()
    if not tally or outcome.reason in UNCOUNTED:
        return None
    what, (white, black) = list(tally.items())[-1]
    ahead = None if white == black else white > black
    return {"what": what, "white": white, "black": black} if ahead == outcome.winner else None


def search_facts(info: SearchInfo) -> dict[str, Any]:
    """What a search has found, best move first."""
    return {
        "lines": [
            {
                "text": line.text,
                "visits": line.visits,
                "value": round(line.value, 4),
                "prior": None if line.prior is None else round(line.prior, 4),
                "variation": line.variation[:20],
            }
            for line in info.lines[:MOST_LINES]
        ],
        "nodes": info.nodes,
        "seconds": round(info.seconds, 3),
        "depth": info.depth,
    }
