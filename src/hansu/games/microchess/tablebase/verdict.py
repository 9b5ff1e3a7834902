"""What a table proves under the rules of a running game: its counters, its turn limit.

A score is ``horizon - turn + 2`` for mate on a turn counted from the start of the game, 1 for a win
by material, 0 for a draw. The horizon is the turn limit: the sooner mate, the higher the score.
"""

from dataclasses import dataclass

import numpy as np

from hansu.games.microchess import material
from hansu.games.microchess.attacks import ZERO, my_king
from hansu.games.microchess.rules import (
    CHECKMATE,
    RANK_1,
    RANK_5,
    score_first,
    takes_en_passant,
)
from hansu.games.microchess.tablebase.classes import MOST, MaterialClass
from hansu.games.microchess.tablebase.entries import DRAW, NEVER, WIN, rank_in
from hansu.games.microchess.tablebase.indexing import ILLEGAL, find_place
from hansu.kernel import below, kernel, popcount

CHESS = "chess"
LONGEST = 10_000  # turns of a game without a limit
BY_MATERIAL = 1  # the score of a win by material; every mate is worth more


@dataclass(frozen=True)
class Judge:
    """Who wins a game that is stopped, by the material on the board."""

    text: str  # a table of material, or CHESS: nobody

    def sign(self, which: MaterialClass) -> int:
        """Return 1 for White, -1 for Black, 0 for a draw."""
        if self.text == CHESS:
            return 0
        values = dict(zip(material.LETTERS.upper(), material.parse_table(self.text), strict=True))
        white, black = (sum(values[one] for one in side) for side in (which.white, which.black))
        return (white > black) - (white < black)


@kernel(allocates=False)
def horizon_of(pos):
    """Return the turn limit, as scores count it."""
    return np.int64(pos.max_turns) if pos.max_turns else LONGEST


@kernel(allocates=False)
def mate_score(pos, turns):
    """Return what mate in so many turns is worth."""
    return horizon_of(pos) - np.int64(pos.ply) - turns + 2


@kernel(allocates=False)
def end_score(pos, over):
    """Return what a game that is over is worth to the side to move."""
    if over == CHECKMATE:
        return -mate_score(pos, 0)
    return -score_first(pos, over) if pos.second else score_first(pos, over)


@kernel(allocates=False)
def may_repeat_too_often(pos, path):
    """Return whether an earlier position may end the game by coming back once more."""
    if not pos.max_repetitions:
        return False
    missing, ply = np.int64(pos.max_repetitions) - 1, np.int64(pos.ply)
    first = ply - min(np.int64(pos.no_progress), ply)
    for last in range(first + 4 * (missing - 1), ply):
        seen, at = 0, last
        while at >= first:
            seen += path[at] == path[last]
            at -= 2
        if seen >= missing:
            return True
    return False


@kernel(allocates=False)
def free_turns(pos):
    """Return how many turns it takes at least before a counter ends the game.

    Positions that come back are left aside.
    """
    left = LONGEST
    if pos.max_turns:
        left = np.int64(pos.max_turns) - np.int64(pos.ply)
    if pos.max_no_progress:
        left = min(left, np.int64(pos.max_no_progress) - np.int64(pos.no_progress))
    return left


@kernel(allocates=False)
def holds(rank, free):
    """Return whether a goal is certain: at once, or before a counter can end the game."""
    return rank == 0 or (rank < NEVER and rank <= free)


@kernel(allocates=False)
def entry_bounds(pos, free, mate, own, other):
    """Return the bounds of the score that an entry proves in a game that is not over.

    No counter ends the game for ``free`` turns.
    """
    by_material = BY_MATERIAL if pos.material else 0
    lower, upper = -by_material, by_material
    if mate:
        turns = np.int64(mate) - 1
        score = mate_score(pos, turns)  # too little if mate comes after the turn limit
        if turns & 1 and score > BY_MATERIAL:
            upper = score
            lower = upper if turns <= free else lower
        elif score > BY_MATERIAL:
            lower = -score
            upper = lower if turns <= free else upper
    win, draw = rank_in(mate, own, other, True, WIN), rank_in(mate, own, other, True, DRAW)
    if holds(win, free):
        lower = max(lower, by_material)
    elif holds(draw, free):
        lower = max(lower, 0)
    win, draw = rank_in(mate, own, other, False, WIN), rank_in(mate, own, other, False, DRAW)
    if holds(win, free):
        upper = min(upper, -by_material)
    elif holds(draw, free):
        upper = min(upper, 0)
    return lower, upper


@kernel(allocates=False)
def place_in(tables, pos, squares):
    """Return the class of a position, its section and its place there; ILLEGAL without a table."""
    if popcount(pos.mine | pos.theirs) > MOST or popcount(pos.kings) != 2:
        return ILLEGAL, 0, 0
    if pos.pawns & (RANK_1 | RANK_5) or can_take_en_passant(pos):
        return ILLEGAL, 0, 0
    return find_place(tables, pos, squares)


@kernel(allocates=False)
def can_take_en_passant(pos):
    """Return whether a pawn can be taken en passant: no table holds such a position."""
    if pos.en_passant == ZERO:
        return False
    pieces, occupied = pos.mine & pos.pawns, pos.mine | pos.theirs
    while pieces:
        pawn = pieces ^ below(pieces)
        pieces ^= pawn
        if takes_en_passant(pos, pawn, my_king(pos), occupied):
            return True
    return False
