"""Endings without pawns of both colours and without castling, in plain Python from the rules.

A position is (side to move, {square: piece}); squares are (file, rank), pieces such as ("w", "Q").
``Graph`` values every position of a set for every number of turns left, through all moves.
"""

import itertools

FILES, RANKS = range(4), range(5)
SQUARES = [(file, rank) for rank in RANKS for file in FILES]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
LEAPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
SLIDES = {"Q": STRAIGHT + DIAGONAL, "R": STRAIGHT, "B": DIAGONAL}
VALUES = {"Q": 10, "R": 5, "B": 3, "N": 3, "P": 1, "K": 4}
OTHER = {"w": "b", "b": "w"}
FORWARD, START_RANK, LAST_RANK = {"w": 1, "b": -1}, {"w": 1, "b": 3}, {"w": 4, "b": 0}


def on_board(square):
    return square[0] in FILES and square[1] in RANKS


def attacks(board, square):
    """Yield the squares that the piece on a square attacks."""
    color, kind = board[square]
    file, rank = square
    if kind == "P":
        steps = [(-1, FORWARD[color]), (1, FORWARD[color])]
    else:
        steps = LEAPS if kind == "N" else STRAIGHT + DIAGONAL
    if kind in SLIDES:
        for x, y in SLIDES[kind]:
            target = (file + x, rank + y)
            while on_board(target):
                yield target
                if target in board:
                    break
                target = (target[0] + x, target[1] + y)
        return
    yield from filter(on_board, ((file + x, rank + y) for x, y in steps))


def is_attacked(board, square, by):
    return any(square in attacks(board, at) for at in board if board[at][0] == by)


def king_of(board, color):
    return next(square for square, piece in board.items() if piece == (color, "K"))


def in_check(board, color):
    return is_attacked(board, king_of(board, color), OTHER[color])


def moves_of(board, color, square):
    """Yield the boards after the moves of one piece, legal or not."""
    kind = board[square][1]
    targets = [t for t in attacks(board, square) if board.get(t, ("", ""))[0] != color]
    if kind == "P":
        targets = [target for target in targets if target in board]
        step = (square[0], square[1] + FORWARD[color])
        if step not in board:
            targets.append(step)
            double = (square[0], square[1] + 2 * FORWARD[color])
            if square[1] == START_RANK[color] and double not in board:
                targets.append(double)
    for target in targets:
        promotes = kind == "P" and target[1] == LAST_RANK[color]
        for becomes in "QRBN" if promotes else kind:
            after = {at: piece for at, piece in board.items() if at != square}
            after[target] = (color, becomes)
            yield after


def successors(board, color):
    """Return the boards after all legal moves."""
    own = [square for square, piece in board.items() if piece[0] == color]
    found = itertools.chain.from_iterable(moves_of(board, color, square) for square in own)
    return [after for after in found if not in_check(after, color)]


def material(board, color):
    """Return 1, 0 or -1 for a side by its material."""
    totals = {"w": 0, "b": 0}
    for owner, kind in board.values():
        totals[owner] += VALUES[kind]
    mine, theirs = totals[color], totals[OTHER[color]]
    return (mine > theirs) - (mine < theirs)


def is_bare(board):
    """Return whether at most one minor piece is left: nobody can mate (of at most three pieces)."""
    return all(kind in "KBN" for _, kind in board.values()) and len(board) <= 3


def key_of(board, color):
    return color, frozenset(board.items())


def all_positions(kinds):
    """Return every legal position of the kings and White's pieces of some kinds, by its key."""
    found = {}
    pieces = [("w", "K"), ("b", "K"), *(("w", kind) for kind in kinds)]
    for squares in itertools.permutations(SQUARES, len(pieces)):
        board = dict(zip(squares, pieces, strict=True))
        if any(kind == "P" and rank in (0, 4) for (_, rank), (_, kind) in board.items()):
            continue
        for color in "wb":
            if not in_check(board, OTHER[color]):
                found[key_of(board, color)] = (board, color)
    return found


class Graph:
    """Positions, and which of them the moves lead to."""

    def __init__(self, positions):
        self.positions, self._over, self._children = positions, {}, {}
        for key, (board, color) in positions.items():
            after = successors(board, color)
            if not after:
                self._over[key] = "mate" if in_check(board, color) else "stop"
            elif is_bare(board):
                self._over[key] = "stop"
            self._children[key] = [key_of(next_board, OTHER[color]) for next_board in after]

    def scores(self, turns, adjudicated):
        """Return for each number of turns left the score of every position, for the side to move.

        Mate on the n-th turn from now is worth ``left - n + 2``, a win by material 1.
        """
        sign = {key: adjudicated * material(*at) for key, at in self.positions.items()}
        table = [{}]
        for left in range(turns + 1):
            now = {}
            for key in self.positions:
                if self._over.get(key) == "mate":
                    now[key] = -(left + 2)
                elif key in self._over or left == 0:
                    now[key] = sign[key]
                else:
                    now[key] = max(-table[left - 1][child] for child in self._children[key])
            table[left:] = [now]
        return table
