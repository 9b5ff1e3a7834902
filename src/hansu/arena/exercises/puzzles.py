"""Positions to find a move in, with every right move: from random games, judged by exact means."""

import random
from collections.abc import Iterator
from typing import Any

from hansu.arena.exercises.exercise import Puzzle
from hansu.games.game import WHITE, Game
from hansu.games.state import State
from hansu.search.limits import Limits
from hansu.search.negamax import search
from hansu.search.solve import make_solver, solve
from hansu.search.wins import wins_at_once

CLEARLY = 0.05  # win probability: a move that is worse by more is wrong
LATE = 14  # stones on the board, so that it is solved in no time
DRAWS_OF_CHESS = {"stalemate", "insufficient_material", "no_progress", "repetition"}
VERY_LATE = 26  # so that plain Python searches to the end in time
SHALLOW = 4  # plies
ENOUGH = 2  # stones on the board, so that plain Python searches to the end in time


def win_or_block(game: Game, rng: random.Random) -> Iterator[Puzzle]:
    """Alternate between one move that wins at once and one that stops the opponent's win."""
    wanted = "wins at once"
    for state in _positions(game, rng):
        wins = wins_at_once(state)
        if wanted == "wins at once":
            right = wins if len(wins) == 1 else []
        else:
            safe = [m for m in state.legal_moves if not wins_at_once(state.forward(m))]
            right = safe if not wins and len(safe) == 1 else []
        if right:
            yield Puzzle(state, frozenset(right), wanted)
            blocks = "stops the opponent from winning at once"
            wanted = blocks if wanted == "wins at once" else "wins at once"


def keep_the_value(game: Game, rng: random.Random) -> Iterator[Puzzle]:
    """Positions in which some move throws a half or a whole point away."""
    solver = make_solver(game, 1)
    for state in _positions(game, rng, ENOUGH):
        truth = solve(state, Limits(exact=True), threads=1, solver=solver)
        values = {move.move: move.value for move in truth.moves}
        best = max(value for value in values.values() if value is not None)
        right = frozenset(move for move, value in values.items() if value == best)
        if len(right) < len(values):
            yield Puzzle(state, right, "keeps what the position is worth")


def beyond_the_next_move(game: Game, rng: random.Random) -> Iterator[Puzzle]:
    """Positions in which what looks best after one move is wrong by what follows."""
    for state in _positions(game, rng):
        tempting, *deeper = (_best(state, depth) for depth in (1, 3, 4, 5))
        right = _best(state, 5, CLEARLY)
        if right.isdisjoint(tempting) and all(found <= right for found in deeper):
            yield Puzzle(state, right, "is worth more, five plies on")


def against_the_evaluation(game: Game, rng: random.Random) -> Iterator[Puzzle]:
    """Positions in which the best-looking moves throw away what the position is worth."""
    solver = make_solver(game, 16)
    for state in _positions(game, rng, LATE):
        truth = solve(state, Limits(exact=True), threads=1, solver=solver)
        right = frozenset(move.move for move in truth.moves if move.value == truth.value)
        tempting, *deeper = (_best(state, depth) for depth in (1, 4, 5, 6))
        if right.isdisjoint(tempting) and all(found <= right for found in deeper):
            yield Puzzle(state, right, "keeps what the position is worth")


def to_the_end(game: Game, rng: random.Random) -> Iterator[Puzzle]:
    """Late positions in which a search of some plies throws away what the position is worth."""
    solver = make_solver(game, 16)
    for state in _positions(game, rng, VERY_LATE):
        found = search(state, SHALLOW, prune=False).lines
        if not CLEARLY < found[0].value < 1.0 - CLEARLY:
            continue  # it sees the end
        truth = solve(state, Limits(exact=True), threads=1, solver=solver)
        right = frozenset(move.move for move in truth.moves if move.value == truth.value)
        if right.isdisjoint(_best(state, SHALLOW)):
            yield Puzzle(state, right, "keeps what the position is worth")


def fewest_replies(game: Game, rng: random.Random) -> Iterator[Puzzle]:
    """Positions with a choice of moves that leave the opponent as few moves as possible."""
    for state in _positions(game, rng):
        replies = {move: len(state.forward(move).move_ids()) for move in state.legal_moves}
        right = frozenset(m for m, count in replies.items() if count == min(replies.values()))
        if len(right) < len(replies):
            yield Puzzle(state, right, f"leaves {min(replies.values())} replies")


def drawn_in_chess(game: Game, rng: random.Random) -> Iterator[Puzzle]:
    """Positions of microchess in which moves win at once, by draws of chess and by nothing else."""
    for state in _positions(game, rng):
        wins = wins_at_once(state)
        endings = {_reason(state.forward(move)) for move in wins}
        if wins and endings <= DRAWS_OF_CHESS:
            yield Puzzle(state, frozenset(wins), "wins at once, by adjudication")


def _reason(state: State) -> str | None:
    outcome = state.outcome()
    return None if outcome is None else outcome.reason


def most_captures(game: Game, rng: random.Random) -> Iterator[Puzzle]:
    """Positions of go in which several moves take stones, and some take more than others."""
    for state in _positions(game, rng):
        before = _captures(state, state.turn)
        taken = {
            move: _captures(state.forward(move), state.turn) - before for move in state.legal_moves
        }
        if len(set(taken.values()) - {0}) > 1:
            most = max(taken.values())
            right = frozenset(move for move, count in taken.items() if count == most)
            yield Puzzle(state, right, f"takes {most:g}")


def _captures(state: State, color: bool) -> float:
    white, black = state.tally()["captures"]
    return white if color == WHITE else black


def _positions(game: Game, rng: random.Random, earliest: int = 0) -> Iterator[State]:
    """Yield one position of each of endlessly many random games, after so many plies or more."""
    while True:
        state, seen = game.start(), []
        while not state.is_game_over():
            if len(state.move_stack) >= earliest:
                seen.append(state.copy())
            state.push(rng.choice(list(state.legal_moves)))
        if seen:
            yield rng.choice(seen)


def _best(state: State, depth: int, within: float = 1e-9) -> frozenset[Any]:
    """Return the moves that a search to a depth finds best, or as good within some share."""
    lines = search(state, depth, prune=False).lines
    return frozenset(line.move for line in lines if line.value >= lines[0].value - within)
