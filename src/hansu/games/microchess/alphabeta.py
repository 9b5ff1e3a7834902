"""Alpha-beta search of microchess on the network of ``nnue``.

A value is for the side to move: beyond ``PROVED`` a game that is won or lost under the rules in
force, otherwise the network's. Principal variation search with what chess programs have found to
pay: a transposition table, captures first, killer and history moves, null-move pruning, late move
reductions, futility pruning, and a quiescence search.

Other than in chess, a game that is not mated is adjudicated by material. So a position that is
repeated is not a draw: it counts for the side with more material, as the game will if both go on
repeating.
"""

from typing import Any, NamedTuple

import numpy as np

from hansu.games.microchess import nnue, rules
from hansu.games.microchess.attacks import attacked, in_check
from hansu.games.microchess.nnue import LARGEST
from hansu.games.microchess.playout import value_at
from hansu.games.microchess.rules import SIX, SQUARE, TWELVE
from hansu.games.rules_on_words import rules_on_words
from hansu.games.value_table import (
    depth_of,
    find_value,
    keep_value,
    lower_value,
    move_in,
    upper_value,
)
from hansu.kernel import below, bit, kernel, mix

ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)
WIN = 30_000  # minus the plies until the end
PROVED = 25_000  # values beyond are of finished games
REPEATED = 20_000  # what a repeated position is worth to the side with more material
INFINITY = 32_000
UNKNOWN = -32_768  # no value
NO_MOVE = 0xFFFF
HIGHEST = 96  # plies from the root
OWN, OTHER = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)  # who moves, in a key
SIDE = 4_096  # moves by squares
LATE = 32  # turns before a limit, from which on the table tells apart how many are left

HINTED, TAKING, KILLING = 1 << 40, 1 << 30, 1 << 28  # how promising a move is
MARGIN = 90  # of the value, for each ply: futility
NULL_DEPTH, NULL_CUT = 3, 3
LATE_MOVES, LATE_DEPTH = 3, 3

unpack = rules_on_words(rules).unpack


class Memory(NamedTuple):
    """What searches share, and each one's own working memory."""

    network: nnue.Network
    values: Any  # transposition table
    value_bits: Any
    rows: Any  # of nnue, as sums
    sums: Any
    moves: Any  # [HIGHEST, MAX_MOVES] int64
    order: Any  # the same: how promising they are
    killers: Any  # [HIGHEST, 2] int64
    history: Any  # [2, SIDE] int64
    reductions: Any  # [depth, number of the move] int64
    path: Any  # keys of the positions before
    root: Any  # [2] int64: how many turns had been played, and the contempt for draws
    work: Any  # [2] int64: positions visited, positions allowed


@kernel(allocates=False)
def static_value(pos, memory):
    """Return the network's value."""
    return nnue.evaluate(pos, memory.network, memory.rows, memory.sums)


@kernel(allocates=False)
def lead(pos):
    """Return who would win if the game ended now: +1 the side to move, 0, -1."""
    mine = rules.worth(pos, pos.mine, pos.material)
    theirs = rules.worth(pos, pos.theirs, pos.material)
    return int(mine > theirs) - int(mine < theirs)


@kernel(allocates=False)
def drawn_value(height, contempt):
    """Return what a draw is worth to the side to move.

    The side that moves at the root would rather play on, and if it must draw, then late: the other
    one may still go wrong.
    """
    if contempt == 0:
        return 0
    value = min(height, HIGHEST) - contempt
    return value if height % 2 == 0 else -value


@kernel(allocates=False)
def ended_value(pos, over, height, memory):
    """Return the value of a finished game: the sooner a win, the better."""
    result = rules.score_first(pos, over)
    if result == 0:
        return drawn_value(height, memory.root[1])
    return (-result if pos.second else result) * (WIN - height)


@kernel(allocates=False)
def repeated_value(pos, height, memory):
    """Return what repeating the position is worth."""
    ahead = lead(pos)
    return ahead * REPEATED if ahead else drawn_value(height, memory.root[1])


@kernel(allocates=False)
def table_key(pos, key, height, contempt):
    """Return the key of a position; close to a limit it depends on what is left.

    With contempt it also depends on whether the side that moves at the root is to move.
    """
    if contempt:
        key ^= OWN if height % 2 == 0 else OTHER
    if pos.max_turns and pos.max_turns - pos.ply <= np.uint64(LATE):
        key = mix(key, pos.max_turns - pos.ply + ONE)
    if pos.max_no_progress and pos.no_progress + np.uint64(LATE // 2) >= pos.max_no_progress:
        key = mix(key, pos.max_no_progress - pos.no_progress + np.uint64(1_000))
    return key


@kernel(allocates=False)
def is_repeated(pos, key, memory):
    """Return whether the position has occurred in this search, or twice in the game before."""
    window = min(pos.no_progress, pos.ply)
    root, before, back = np.uint64(memory.root[0]), 0, np.uint64(4)
    while back <= window:
        at = pos.ply - back
        if memory.path[at] == key:
            before += 1
            if at >= root or before == 2:
                return True
        back += TWO
    return False


@kernel(allocates=False)
def gain_of(pos, move):
    """Return what a move takes, with what a promotion adds; 0 for a quiet move."""
    word = np.uint64(move)
    gain = value_at(pos, word >> SIX & SQUARE)
    promotion = word >> TWELVE
    if promotion:
        gain += 9 if promotion == np.uint64(5) else 1
    elif (
        pos.en_passant
        and bit(word & SQUARE) & pos.pawns
        and bit(word >> SIX & SQUARE) & pos.en_passant
    ):
        gain += 1
    return gain


@kernel(allocates=False)
def rank_moves(pos, n, height, hinted, memory):
    """Write how promising each move is."""
    moves, order = memory.moves[height], memory.order[height]
    history = memory.history[np.int64(pos.second)]
    first, second = memory.killers[height, 0], memory.killers[height, 1]
    for i in range(n):
        move = moves[i]
        gain = gain_of(pos, move)
        if move == hinted:
            order[i] = HINTED
        elif gain:
            order[i] = TAKING + 64 * gain - value_at(pos, np.uint64(move) & SQUARE)
        elif move == first:
            order[i] = KILLING + 1
        elif move == second:
            order[i] = KILLING
        else:
            order[i] = history[move & (SIDE - 1)]


@kernel(allocates=False)
def next_move(moves, order, at, n):
    """Bring the most promising of the moves from ``at`` on there, and return it."""
    best = at
    for i in range(at + 1, n):
        if order[i] > order[best]:
            best = i
    order[at], order[best] = order[best], order[at]
    moves[at], moves[best] = moves[best], moves[at]
    return moves[at]


@kernel(allocates=False)
def to_table(value, height):
    """Return a value as counted from the position itself."""
    if value > PROVED:
        return value + height
    return value - height if value < -PROVED else value


@kernel(allocates=False)
def from_table(value, height):
    """Return a value as counted from the root."""
    if value > PROVED:
        return value - height
    return value + height if value < -PROVED else value


@kernel(allocates=False)
def known_value(data, depth, alpha, beta, height):
    """Return a value from the table that decides, or UNKNOWN."""
    if data and depth_of(data) >= depth:
        lower = from_table(lower_value(data), height)
        upper = from_table(upper_value(data), height)
        if lower == upper or lower >= beta:
            return lower
        if upper <= alpha:
            return upper
    return UNKNOWN


@kernel(allocates=False)
def has_pieces(pos):
    """Return whether the side to move has two pieces beside king and pawns: it can hardly be in
    zugzwang."""
    pieces = pos.mine & ~(pos.pawns | pos.kings)
    return below(pieces) != ZERO


@kernel(allocates=False)
def passed(pos):
    """Return the position after a move that does nothing."""
    return rules.Position(
        pos.ply + ONE,
        pos.second ^ ONE,
        pos.pawns,
        pos.knights,
        pos.bishops,
        pos.rooks,
        pos.queens,
        pos.kings,
        pos.theirs,
        pos.mine,
        pos.castling,
        ZERO,
        ZERO,  # nothing before can be repeated
        pos.max_turns,
        pos.max_no_progress,
        pos.max_repetitions,
        pos.material,
    )


@kernel(allocates=False)
def reward(pos, move, depth, height, tried, memory):
    """Remember a quiet move that was too good, and that those tried before it were not."""
    killers, history = memory.killers[height], memory.history[np.int64(pos.second)]
    if killers[0] != move:
        killers[1] = killers[0]
        killers[0] = move
    bonus = min(depth * depth, 400)
    at = move & (SIDE - 1)
    history[at] += bonus - history[at] * bonus // 16_384
    for i in range(tried):
        other = memory.moves[height, i]
        if other != move and gain_of(pos, other) == 0:
            at = other & (SIDE - 1)
            history[at] -= bonus + history[at] * bonus // 16_384


@kernel(allocates=False)
def loses_piece(pos, move, danger):
    """Return whether a capture takes less than it gives where the other side can take back."""
    word = np.uint64(move)
    target = word >> SIX & SQUARE
    return bool(danger & bit(target)) and value_at(pos, target) < value_at(pos, word & SQUARE)


@kernel(allocates=False)
def search(
    pos: Any, depth: Any, alpha: Any, beta: Any, height: Any, may_pass: Any, memory: Any
) -> Any:
    """Return the value of a position to a depth, or a bound of it outside (alpha, beta).

    Without a depth it is a quiescence search: captures alone, unless in check. With more positions
    in ``work`` than allowed, the result means nothing.
    """
    work = memory.work
    work[0] += 1
    if work[0] > work[1]:
        return alpha
    moves, order = memory.moves[height], memory.order[height]
    n = rules.legal_moves(pos, memory.path, moves)
    over = rules.ending(pos, memory.path, n)
    if over:
        return ended_value(pos, over, height, memory)
    key = rules.key(pos)
    if is_repeated(pos, key, memory):
        return repeated_value(pos, height, memory)
    memory.path[np.int64(pos.ply)] = key
    if height >= HIGHEST - 1:
        return static_value(pos, memory)
    is_null = beta == alpha + 1
    check = in_check(pos)
    if check:
        depth = max(depth, 0) + 1
    quiet = depth <= 0
    if quiet:
        depth = 0
    place = table_key(pos, key, height, memory.root[1])
    data = find_value(memory.values, memory.value_bits, place, place)
    if is_null or quiet:
        value = known_value(data, depth, alpha, beta, height)
        if value != UNKNOWN:
            return value
    best, floor, static = -INFINITY, alpha, UNKNOWN
    if not check:
        static = static_value(pos, memory)
        if quiet:
            best = static
            if best >= beta:
                return best
            floor = max(floor, best)
        elif is_null and -PROVED < beta < PROVED:
            if depth <= 6 and static - MARGIN * depth >= beta:
                return static
            if may_pass and depth >= NULL_DEPTH and static >= beta and has_pieces(pos):
                less = depth - NULL_CUT - depth // 5
                value = -search(passed(pos), less, -beta, -alpha, height + 1, ZERO, memory)
                if work[0] > work[1]:
                    return alpha
                if value >= beta:
                    return beta if value > PROVED else value
    hinted = np.int64(move_in(data)) if data else NO_MOVE
    if depth >= 5 and hinted == NO_MOVE:
        depth -= 1  # without a move to begin with, the next depth will find out more
    rank_moves(pos, n, height, hinted, memory)
    chosen, quiets = hinted, 0
    danger = attacked(pos, pos.mine | pos.theirs) if quiet else ZERO
    futile = not check and is_null and depth <= 4 and static + MARGIN + MARGIN * depth <= alpha
    for at in range(n):
        move = next_move(moves, order, at, n)
        gain = gain_of(pos, move)
        if quiet and (gain == 0 or loses_piece(pos, move, danger)):
            if order[at] < KILLING:
                break  # all captures have been tried
            continue
        is_quiet = gain == 0
        if is_quiet:
            quiets += 1
        after = rules.play(pos, move)
        checks = in_check(after)
        is_late = is_null and not check and depth <= 4 and quiets > 4 + depth * depth
        if is_quiet and not checks and best > -PROVED and (futile or is_late):
            continue
        if at == 0 or quiet:
            value = -search(after, depth - 1, -beta, -floor, height + 1, ONE, memory)
        else:
            less = 0
            if depth >= LATE_DEPTH and at >= LATE_MOVES and is_quiet and not check and not checks:
                less = memory.reductions[min(depth, 63), min(at, 63)]
                if not is_null:
                    less -= 1
                if order[at] >= KILLING:
                    less -= 1
                less = min(max(less, 0), depth - 2)
            value = -search(after, depth - 1 - less, -floor - 1, -floor, height + 1, ONE, memory)
            if value > floor and less > 0:
                value = -search(after, depth - 1, -floor - 1, -floor, height + 1, ONE, memory)
            if floor < value < beta:
                value = -search(after, depth - 1, -beta, -floor, height + 1, ONE, memory)
        if work[0] > work[1]:
            return alpha
        if value > best:
            best = value
            if best > alpha:
                chosen = move
            if best >= beta:
                if is_quiet:
                    reward(pos, move, depth, height, at, memory)
                break
            floor = max(floor, best)
    lower, upper = -INFINITY, INFINITY
    if not LARGEST < abs(best) < PROVED:  # a repetition depends on the way here
        if best > alpha:
            lower = to_table(best, height)
        if best < beta:
            upper = to_table(best, height)
    keep_value(
        *(memory.values, memory.value_bits, place, place),
        *(depth, lower, upper, chosen),
    )
    return best


@kernel(allocates=False)
def search_words(words: Any, depth: Any, alpha: Any, beta: Any, height: Any, memory: Any) -> Any:
    """Do the same for a position as words."""
    return search(unpack(words), depth, alpha, beta, height, ONE, memory)


@kernel(allocates=False)
def table_key_of_words(words: Any, height: Any, contempt: Any) -> Any:
    """Return the key of a position in the table."""
    pos = unpack(words)
    return table_key(pos, rules.key(pos), height, contempt)
