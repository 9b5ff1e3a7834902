"""Playouts (rollouts): random games from a position to the end.

A policy picks the moves: light playouts are random, heavy ones follow the game's ``heavy_move``.
A policy is a compiled function ``pick(pos, path, moves, rng)``: it returns a move, or minus the
ending when the game is over. ``moves`` has room for all moves of a position.
"""

import functools
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansu.errors import MoveError, UnknownName
from hansu.games.game import Game
from hansu.games.rules_on_words import holds_arrays, policy_on_words, rules_on_words
from hansu.games.state import State, check_state
from hansu.kernel import kernel, random_below, seeded
from hansu.options import whole_number
from hansu.search.wins import always

POLICIES = {"light": "random_move", "heavy": "heavy_move", "uniform": "uniform_move"}
"""Policy -> the name of its function, of the game for heavy playouts, else of the rules."""

DEVICES = ("cpu", "cuda")


class Playouts(NamedTuple):
    """How many playouts the first player won, drew and lost, and their turns in all."""

    wins: int
    draws: int
    losses: int
    turns: int


def playouts(
    state: State, games: int, seed: int = 0, policy: str = "light", device: str = "cpu"
) -> Playouts:
    """Play games from a state to the end; ``policy`` is light, heavy or uniform.

    With ``device="cuda"`` a GPU plays them, millions at a time, with random numbers of its own.

    >>> import hansu
    >>> result = hansu.playouts(hansu.game("tictactoe").start(), 1000, seed=1)
    >>> result.wins + result.draws + result.losses
    1000
    """
    check_state(state)
    whole_number(games, "games", 1)
    whole_number(seed, "seed")
    if device not in DEVICES:
        raise UnknownName("device", device, DEVICES)
    if device == "cuda":
        from hansu.search.playouts_gpu import playouts_on_gpu

        (counted,) = playouts_on_gpu([state], policy, games, seed)
        return Playouts(*counted)
    counts = np.zeros(4, np.int64)
    rules, pick, words = playout_form(state, policy)
    run = make_playouts(rules, pick)
    run(words, state.path_with_room(), games, seeded(seed), counts)
    return Playouts(*counts.tolist())


def win_rate_map(
    state: State, games: int, seed: int = 0, policy: str = "light", device: str = "cpu"
) -> dict[Any, float]:
    """Return for every legal move how often the side to move wins random games after it.

    ``state.svg(arrows=win_rate_map(state, games))`` draws it; a GPU plays a billion games for it.

    >>> import hansu
    >>> state = hansu.game("tictactoe").parse("XX. OO. ...")
    >>> rates = hansu.win_rate_map(state, 100)
    >>> rates[state.parse_move("c1")], max(rates.values())
    (1.0, 1.0)
    """
    check_state(state)
    whole_number(games, "games", 1)
    whole_number(seed, "seed")
    if device not in DEVICES:
        raise UnknownName("device", device, DEVICES)
    if state.is_game_over():
        raise MoveError("the game is over: there is no move to value")
    moves = list(state.legal_moves)
    after = [state.forward(move) for move in moves]
    rates = win_rates(after, state.turn, games, seed, policy, device)
    return dict(zip(moves, rates, strict=True))


def random_move(state: State, seed: int) -> Any:
    """Return a random legal move, drawn as in light playouts (in go: never an own eye)."""
    move_id = random_move_id(state, seeded(seed))
    if move_id < 0:
        raise MoveError("the game is over: there is no move to draw")
    return state.move_from_id(move_id)


def random_move_id(state: State, rng: NDArray[np.uint64], policy: str = "light") -> int:
    """Return the number of such a move and advance ``rng``; minus the ending when over."""
    rules = state.game.rules
    moves = np.empty(rules.MAX_MOVES, np.int64)
    if policy == "light":  # called at every turn of a random game, so without detours
        return int(_light_on_words(rules)(state.words, state.path, moves, rng))
    pick = policy_on_words(rules, make_policy(state.game, policy))
    # A policy may write the key of the position itself.
    return int(pick(state.words, state.path_with_room(1), moves, rng))


def playout_move_id(state: State, rng: NDArray[np.uint64], policy: str = "light") -> int:
    """Return the number of the move that a playout to the end draws, as ``random_move_id`` does."""
    rules, pick, words = playout_form(state, policy)
    if rules is state.game.rules:
        return random_move_id(state, rng, policy)
    moves = np.empty(rules.MAX_MOVES, np.int64)
    move = int(policy_on_words(rules, pick)(words, state.path, moves, rng))
    return move if move < 0 else int(rules.move_in_rules(state.words, move))


@functools.cache
def _light_on_words(rules: ModuleType) -> Any:
    return policy_on_words(rules, getattr(rules, "random_move", None) or make_uniform_move(rules))


def make_policy(game: Game, policy: str) -> Any:
    """Return the compiled policy of light, heavy or uniform playouts."""
    rules = game.rules
    if policy == "heavy":
        return game.heavy_move or make_winning_move(rules)
    if policy not in POLICIES:
        raise UnknownName("playout policy", policy, POLICIES)
    return getattr(rules, POLICIES[policy], None) or make_uniform_move(rules)


class PlayoutForm(NamedTuple):
    """A position as playouts to the end play it."""

    rules: ModuleType
    pick: Any  # the policy
    words: NDArray[np.uint64]


def playout_form(state: State, policy: str) -> PlayoutForm:
    """Return a position for light, heavy or uniform playouts to the end.

    Where the game has a board for random games, they are played there.
    """
    game = state.game
    small = game.on_playout_board(state) if policy in ("light", "uniform") else None
    if small is None:
        return PlayoutForm(game.rules, make_policy(game, policy), state.words)
    rules, words = small
    return PlayoutForm(rules, getattr(rules, POLICIES[policy]), words)


@functools.cache
def make_uniform_move(rules: ModuleType) -> Any:
    """Make a policy: any legal move, all equally likely."""
    legal_moves, ending = rules.legal_moves, rules.ending

    @kernel(variant=rules, allocates=holds_arrays(rules))
    def uniform_move(pos, path, moves, rng):
        n = legal_moves(pos, path, moves)
        over = ending(pos, path, n)
        if over:
            return -over
        return moves[random_below(rng, n)]

    return uniform_move


@functools.cache
def make_winning_move(rules: ModuleType) -> Any:
    """Make a policy: a move that wins at once where there is one, else a random move.

    It searches for one only where ``can_end`` of the rules allows it.
    """
    legal_moves, play, ending = rules.legal_moves, rules.play, rules.ending
    key, score_first, uses_path = rules.key, rules.score_first, rules.USES_PATH
    copy, max_moves = rules_on_words(rules).copy, rules.MAX_MOVES
    can_end = getattr(rules, "can_end", None) or always
    random_move = getattr(rules, "random_move", None) or make_uniform_move(rules)

    @kernel(variant=rules)
    def winning_move(pos, path, moves, rng):
        if can_end(pos):
            answers = np.empty(max_moves, np.int64)
            n = legal_moves(pos, path, moves)
            over = ending(pos, path, n)
            if over:
                return -over
            if uses_path and np.int64(pos.ply) < len(path):
                path[np.int64(pos.ply)] = key(pos)
            for i in range(n):
                after = play(copy(pos), moves[i])
                over = ending(after, path, legal_moves(after, path, answers))
                if over and score_first(after, over) == (-1 if pos.second else 1):
                    return moves[i]
        return random_move(pos, path, moves, rng)

    return winning_move


@functools.cache
def make_rollout(rules: ModuleType, evaluate: Any, pick: Any) -> Any:
    """Make ``rollout``: to the end or for some plies; the reward, and whether it is evaluated."""
    play, key, score_first, uses_path = rules.play, rules.key, rules.score_first, rules.USES_PATH

    @kernel(variant=(rules, evaluate, pick))
    def rollout(pos, path, moves, rng, plies):
        while plies > 0:
            move = pick(pos, path, moves, rng)
            if move < 0:
                return 0.5 + 0.5 * score_first(pos, -move), False
            if uses_path:
                if np.int64(pos.ply) == len(path):
                    break  # only games without any limit get here
                path[np.int64(pos.ply)] = key(pos)
            pos = play(pos, move)
            plies -= 1
        move = pick(pos, path, moves, rng)
        if move < 0:
            return 0.5 + 0.5 * score_first(pos, -move), False
        return evaluate(pos), True

    return rollout


def turn_of(rules: ModuleType, pick: Any) -> Any:
    """Return the rules' function that draws as the policy does and plays; None if it has none."""
    for move, turn in (("random_move", "random_turn"), ("uniform_move", "uniform_turn")):
        if pick is getattr(rules, move, None):
            return getattr(rules, turn, None)
    return None


@functools.cache
def make_rollout_on_board(rules: ModuleType, board: ModuleType, pick: Any) -> Any:
    """Make ``rollout`` to the end, on the board for random games of a game that plays on words."""
    from_words, playout = board.from_words, make_playout(board, pick)

    @kernel(variant=(rules, board, pick))
    def rollout(pos, path, moves, rng, plies):
        score, _ = playout(from_words(pos.words), path, moves, rng)
        return 0.5 + 0.5 * score, False

    return rollout


@functools.cache
def make_playout(rules: ModuleType, pick: Any) -> Any:
    """Make ``playout(pos, path, moves, rng) -> (first player's score, turns)``; consumes pos."""
    if (turn := turn_of(rules, pick)) is not None:
        return _make_playout_by_turns(rules, turn)
    play, key, score_first, uses_path = rules.play, rules.key, rules.score_first, rules.USES_PATH

    @kernel(variant=(rules, pick), allocates=holds_arrays(rules))
    def playout(pos, path, moves, rng):
        turns = 0
        while True:
            move = pick(pos, path, moves, rng)
            if move < 0:
                return score_first(pos, -move), turns
            if uses_path:
                if np.int64(pos.ply) == len(path):
                    return 0, turns  # only games without any limit get here: call it a draw
                path[np.int64(pos.ply)] = key(pos)
            pos = play(pos, move)
            turns += 1

    return playout


def _make_playout_by_turns(rules: ModuleType, turn: Any) -> Any:
    ending, key, score_first = rules.ending, rules.key, rules.score_first

    @kernel(variant=(rules, turn), allocates=False)
    def playout_by_turns(pos, path, moves, rng):
        begin = pos.ply
        while True:
            over = ending(pos, path, 1)
            if over:
                return score_first(pos, over), np.int64(pos.ply - begin)
            path[np.int64(pos.ply)] = key(pos)
            pos = turn(pos, path, rng)

    return playout_by_turns


@functools.cache
def make_playouts(rules: ModuleType, pick: Any) -> Any:
    """Make ``playouts_words``: many playouts in one compiled call."""
    playout = make_playout(rules, pick)
    on_words = rules_on_words(rules)
    unpack, copy = on_words.unpack, on_words.copy
    max_moves = rules.MAX_MOVES

    @kernel(variant=(rules, playout))
    def playouts_words(words, path, games, rng, counts):
        moves = np.empty(max_moves, np.int64)
        start = unpack(words)
        for _ in range(games):
            score, turns = playout(copy(start), path, moves, rng)
            counts[1 - score] += 1
            counts[3] += turns

    return playouts_words


def win_rates(
    states: Sequence[State],
    color: bool,
    games: int,
    seed: int,
    policy: str = "light",
    device: str = "cpu",
) -> list[float]:
    """Return the share of playouts that a player wins from each state; a draw counts a half.

    On a GPU all states are of one game, after equally many turns.
    """
    if device == "cuda":
        from hansu.search.playouts_gpu import playouts_on_gpu

        counted = [Playouts(*found) for found in playouts_on_gpu(states, policy, games, seed)]
    else:
        counted = [playouts(state, games, seed + i, policy) for i, state in enumerate(states)]
    firsts = [(found.wins + 0.5 * found.draws) / games for found in counted]
    return [first if color == states[0].game.first_color else 1.0 - first for first in firsts]
