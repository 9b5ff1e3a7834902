"""Proofs on small go boards by df-pn: is the lead of the side to move greater than a number?

Each side in turn tries to prove its answer, by a strategy that ends the game within so many turns,
whatever the other side does under superko and the turn limit.

What superko forbids depends on the boards before (the graph-history interaction problem), so there
are two kinds of proofs. The first is without conditions: the strategy takes nothing from superko,
neither that the other side may not make a board again nor that it may not take back a ko. Every
turn brings such a strategy nearer to its end, so that it never makes a board again by itself: not
on its own way, and not one that was there before it began, for it would have begun there. It holds
wherever it is found. All other proofs hold in their place; elsewhere only if the path there has
none of the boards that the strategy makes (``dfpn_tables``).

A proof that needs boards of the path before it (``since`` tells which) is not kept at all, until
the search is back where the first of them was.
"""

from typing import Any

import numpy as np

from hansu.games.go.bitboard import ONE, ZERO, lead_of, put, safe_points
from hansu.games.go.dfpn_tables import (
    HALF,
    KO,
    LOW,
    MINE,
    NO,
    PASSED,
    THEIRS,
    UNKNOWN,
    YES,
    find,
    find_conditional,
    keep,
    keep_conditional,
    keep_proof,
    key_of_state,
    proved_answer,
    question,
    sign_of,
    stones_of,
)
from hansu.kernel import kernel, popcount

BACK = 2  # beside the answers: no proof, because a board was there or turns are used up
ANSWER, TURNS, SINCE, FEWEST, SIGN = range(5)
MAX_MOVES = 26
MAX_STONES = 255
FREE = 1 << 20  # a proof without conditions needs no board: it is since never
CONDITIONAL = FREE - 1
ENDLESS = 1 << 28  # a proof number: there is no proof


@kernel(allocates=False)
def turns_of(points, safe, kept):
    """Return the turns that a game still takes if a side only answers in its eyes of two points.

    The other side adds a stone with each turn, elsewhere or once in each of these eyes.
    """
    elsewhere = points - np.int64(popcount(kept))
    return 2 * elsewhere + np.int64(popcount(kept & ~safe)) + 3


@kernel
def by_life(room, mine, theirs, than, left):
    """Return the answer that unconditionally living stones give, and in how many turns."""
    points = np.int64(room.frame.points)
    for answer in (YES, NO):
        if answer == NO:
            mine, theirs, than = theirs, mine, -than - 1
        safe, kept = safe_points(room.frame, mine, theirs, room.strings, room.vital)
        if 2 * np.int64(popcount(safe)) - points > than:
            return answer, 0
        turns = turns_of(points, safe, kept)
        if 2 * np.int64(popcount(kept)) - points > than and turns <= left and not room.salt:
            return answer, turns
    return UNKNOWN, 0


@kernel(allocates=False)
def came_at(room, at):
    """Return when the board was there with the same side to move, or -1."""
    states = room.states
    for i in range(at - 2, -1, -2):
        if states[i, MINE] == states[at, MINE] and states[i, THEIRS] == states[at, THEIRS]:
            return i
    return -1


@kernel(allocates=False)
def is_forbidden(room, at):
    """Return whether superko forbids a board because of those before the root."""
    before, states = room.before[at & 1], room.states
    for i in range(len(before)):
        if before[i, 0] == states[at, MINE] and before[i, 1] == states[at, THEIRS]:
            return True
    return False


@kernel
def judge(room, at, i, than, left):
    """Write what is known of a child at once."""
    child, known = room.children[at, i], room.known[at, i]
    proves = room.task[0] == (at + 1) & 1
    known[ANSWER], known[TURNS], known[SINCE] = UNKNOWN, 0, FREE
    known[FEWEST], known[SIGN] = MAX_STONES, 0
    came = -1 if child[PASSED] else came_at(room, at + 1)
    if left <= 0:
        known[ANSWER], known[SINCE] = BACK, -1
    elif came >= 0:  # whoever proves must do without it, and the other side may not play it
        known[ANSWER], known[SINCE] = YES if proves else BACK, came
    elif child[PASSED] and lead_of(room.frame, child[MINE], child[THEIRS]) > than:
        known[ANSWER], known[TURNS] = YES, 1
    else:
        key = room.keys[at, i] = key_of_state(room, child)
        known[ANSWER], known[TURNS] = proved_answer(find(room.proofs, key), than, left)
        if known[ANSWER] == UNKNOWN:
            turns, fewest, sign = find_conditional(room, at, key, than, proves, left)
            if turns:
                known[ANSWER], known[TURNS] = YES if proves else NO, turns
                known[SINCE], known[FEWEST], known[SIGN] = CONDITIONAL, fewest, sign
            elif not find(room.numbers, question(key, than, proves)):
                answer = by_life(room, child[MINE], child[THEIRS], than, left)
                known[ANSWER], known[TURNS] = answer


@kernel
def find_children(room, at, than, left):
    """Write the positions after all moves, and what is known of them; return how many there are.

    The second of two passes is left out: it ends the game, which was judged before.
    """
    state, children, n = room.states[at], room.children[at], 0
    mine, theirs = state[MINE], state[THEIRS]
    todo = room.frame.full & ~(mine | theirs | state[KO])
    while todo:
        point = todo & (~todo + ONE)
        todo &= ~point
        own, others, ko = put(room.frame, mine, theirs, point)
        child = children[n]
        child[MINE], child[THEIRS], child[KO], child[PASSED] = others, own, ko, ZERO
        room.states[at + 1] = child
        if own and not is_forbidden(room, at + 1):
            judge(room, at, n, -than - 1, left - 1)
            n += 1
    if not state[PASSED]:
        child = children[n]
        child[MINE], child[THEIRS], child[KO], child[PASSED] = theirs, mine, ZERO, ONE
        judge(room, at, n, -than - 1, left - 1)
        n += 1
    return n


@kernel(allocates=False)
def numbers_of(room, at, i, than):
    """Return the proof numbers of a child: for who is to move there, and for the other side."""
    answer, proves = room.known[at, i, ANSWER], room.task[0] == (at + 1) & 1
    if answer == BACK:
        answer = NO if proves else YES
    if answer != UNKNOWN:
        return (0, ENDLESS) if answer == YES else (ENDLESS, 0)
    entry = find(room.numbers, question(room.keys[at, i], than, proves))
    if entry:
        return np.int64(entry & LOW), np.int64(entry >> HALF)
    return 1, 1


@kernel(allocates=False)
def mark_path(room, at, proves):
    """Keep account of the boards on the path that the side that proves may not make again."""
    signs, most = ZERO, ZERO
    if at > 0:
        signs, most = room.path[at - 1, 0], room.path[at - 1, 1]
    if not proves:
        mine, theirs = room.states[at, MINE], room.states[at, THEIRS]
        signs |= sign_of(room, mine, theirs)
        most = max(most, np.uint64(stones_of(mine, theirs)))
    room.path[at, 0], room.path[at, 1] = signs, most


@kernel
def proof_of(room, at, n):
    """Return the turns of the proof that the children give, and what it depends on.

    Who proves needs one of them, best one without conditions, and makes its board; of the other
    side all are needed.
    """
    known, proves = room.known[at], room.task[0] == at & 1
    turns, since, fewest, sign = 1, FREE, MAX_STONES, 0
    if not proves:
        for i in range(n):
            turns, since = max(turns, known[i, TURNS] + 1), min(since, known[i, SINCE])
            fewest, sign = min(fewest, known[i, FEWEST]), sign | known[i, SIGN]
        return turns, since, fewest, sign
    best = -1
    for i in range(n):
        if known[i, ANSWER] == NO:
            if room.children[at, i, KO]:  # that the ko may not be taken back is superko's doing
                known[i, SINCE] = min(known[i, SINCE], CONDITIONAL)
            if best < 0 or known[i, SINCE] > known[best, SINCE]:
                best = i
    turns, since, fewest, sign = known[best, TURNS] + 1, known[best, SINCE], known[best, FEWEST], 0
    sign = known[best, SIGN]
    child = room.children[at, best]
    if since < FREE and not child[PASSED]:
        fewest = min(fewest, stones_of(child[MINE], child[THEIRS]))
        sign |= np.int64(sign_of(room, child[MINE], child[THEIRS]))
    return turns, since, fewest, sign


@kernel
def keep_found(room, at, n, key, than, out):
    """Write down a proof where its conditions are known, and what it is to ``out``."""
    proves = room.task[0] == at & 1
    turns, since, fewest, sign = proof_of(room, at, n)
    answer = YES if proves else NO
    if since == FREE:
        keep_proof(room.proofs, key, than, answer, turns)
    elif since >= at:
        keep_conditional(room, key, than, proves, turns, fewest, sign)
        since = CONDITIONAL
    out[ANSWER], out[TURNS], out[SINCE], out[FEWEST], out[SIGN] = answer, turns, since, fewest, sign


@kernel
def search(room, at, key, than, left, most, most_other, out):
    """Search a position until one of its proof numbers reaches its limit.

    ``most`` limits how hard it is for the side to move to get its way, ``most_other`` for the other
    side. ``out`` is what becomes known of the position.
    """
    room.work[0] += 1
    proves = room.task[0] == at & 1
    mark_path(room, at, proves)
    n = find_children(room, at, than, left)
    while True:
        least, second, hardest, still, chosen = ENDLESS, ENDLESS, 0, 0, -1
        first, last = FREE, -2  # boards that the lack of a proof depends on
        for i in range(n):
            child, other = numbers_of(room, at, i, -than - 1)
            if room.known[at, i, ANSWER] == BACK:
                first = min(first, room.known[at, i, SINCE])
                last = max(last, room.known[at, i, SINCE])
            elif other == 0:
                last = FREE
            if other < least:
                least, second, chosen = other, least, i
            elif other < second:
                second = other
            if child > 0:
                hardest, still = max(hardest, child), still + 1
        other = ENDLESS if hardest >= ENDLESS else hardest + max(still - 1, 0)
        if (least if proves else other) == 0:
            keep_found(room, at, n, key, than, out)
            return
        if (other if proves else least) == 0 and (first if proves else last) < at:
            out[ANSWER], out[SINCE] = BACK, first if proves else last
            return
        is_over = room.work[0] >= room.work[1] or room.work[0] >= room.task[1]
        if least >= most or other >= most_other or is_over:
            entry = np.uint64(least) | np.uint64(other) << HALF
            keep(room.numbers, question(key, than, proves), entry)
            out[ANSWER], out[SINCE] = UNKNOWN, FREE
            return
        room.states[at + 1] = room.children[at, chosen]
        there, found = room.keys[at, chosen], room.known[at, chosen]
        limit, limit_other = most_other - max(still - 1, 0), min(most, second + second // 4 + 1)
        search(room, at + 1, there, -than - 1, left - 1, limit, limit_other, found)


@kernel
def prove(room: Any, than: Any, left: Any, out: Any) -> Any:
    """Search the position ``states[0]`` with ``left`` turns left; return the answer."""
    mine, theirs = room.states[0, MINE], room.states[0, THEIRS]
    if room.states[0, PASSED] and lead_of(room.frame, mine, theirs) > than:
        return YES
    answer, _ = by_life(room, mine, theirs, than, left)
    if answer != UNKNOWN:
        return answer
    # With literals there were two forms, and forms that call each other cannot be kept on disk.
    root, most, key = np.int64(0), np.int64(ENDLESS), key_of_state(room, room.states[0])
    search(room, root, key, than, left, most, most, out)
    return out[ANSWER]
