"""States and searches as the page gets them: plain facts, no words."""

from typing import Any

from hansu.games.game import COLOR_NAMES
from hansu.games.state import State
from hansu.search.info import SearchInfo
from hansu.web.agreement import Agreement
from hansu.web.audience import Sight

MOST_LINES = 24  # of a search that the page is shown


def position_facts(
    state: State, sight: Sight, over: bool, agreement: Agreement | None
) -> dict[str, Any]:
    """Return the board and what can be played on it."""
    return {
        **board_facts(state, sight, over, agreement),
        "turn": COLOR_NAMES[state.turn],
        "position": state.text(),
        "warning": "" if over else state.warning(),
        "moves": [] if over else [move_facts(state, move) for move in state.legal_moves],
    }


def board_facts(
    state: State, sight: Sight, over: bool = False, agreement: Agreement | None = None
) -> dict[str, Any]:
    """Return what there is to see of a position, which may be an earlier one."""
    dead = agreement.dead if agreement else ()
    shown = sight.area or over or agreement is not None
    return {
        "svg": state.svg(cells=True, flip=sight.flip, territory=shown, dead=dead),
        "tally": agreement.tally() if agreement else state.tally(),
        "captured": state.captured(),
    }


def move_facts(state: State, move: Any) -> dict[str, Any]:
    """Return a move by name, and the cells to touch for it."""
    facts = {"text": state.move_text(move), "cells": state.move_cells(move)}
    piece = state.move_piece(move)
    return {**facts, "piece": piece} if piece else facts


def search_facts(info: SearchInfo, state: State) -> dict[str, Any]:
    """Return what a search of a state has found, best move first."""
    return {
        "lines": [
            {
                "text": line.text,
                "names": state.move_names(line.variation or [line.text]),
                "visits": line.visits,
                "value": round(line.value, 4),
                "prior": None if line.prior is None else round(line.prior, 4),
                "proved": line.proved,
                "score": line.score,
            }
            for line in info.lines[:MOST_LINES]
        ],
        "nodes": info.nodes,
        "seconds": round(info.seconds, 3),
        "depth": info.depth,
    }
