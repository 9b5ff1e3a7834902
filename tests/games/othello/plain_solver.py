"""Othello's endings solved the obvious way: every line to its end, on the slow board."""

from tests.games.othello.slow_board import SlowBoard


def plain_score(board: SlowBoard) -> int:
    """The lead of the side to move at the end, with the empties counted for the winner."""
    moves = board.legal()
    if not moves:
        discs = list(board.discs.values())
        lead = 2 * discs.count(board.side) - len(discs)
        empties = 64 - len(discs)
        return lead + empties if lead > 0 else lead - empties if lead < 0 else 0
    return max(-plain_score(after(board, move)) for move in moves)


def after(board: SlowBoard, move: int) -> SlowBoard:
    """The board after a move."""
    there = SlowBoard(board.text())
    there.play(move)
    return there
