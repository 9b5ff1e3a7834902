"""What df-pn keeps of small go boards: proofs, proofs that boards before may hinder, and numbers.

Positions are kept in one of their symmetries, with all of their key. A proof without conditions is
a pair of bounds of the lead with the turns that each takes. A conditional one answers one question;
it has a sign, in which each board that the strategy makes has set one bit, and the fewest stones of
these boards: where no board on the path has such a bit or so many stones, it holds.
"""

from typing import Any, NamedTuple

import numpy as np

from hansu.games.bounds_table import scattered
from hansu.games.go.bitboard import ONE, ZERO, Frame
from hansu.kernel import kernel, popcount

NO, UNKNOWN, YES = -1, 0, 1
MINE, THEIRS, KO, PASSED = range(4)
OFFSET, BYTE, EIGHT = 64, np.uint64(0xFF), np.uint64(8)
LOWER, UPPER, LOWER_TURNS, UPPER_TURNS = range(4)  # bytes of an entry
WIDEST, NO_TURNS = 60, 255
SIDE, MARK = np.uint64(31), np.uint64(62)  # where a key has the other side's stones, and a pass
HALF, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
ODD_THAN, ODD_ROLE = np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9)
PROVES = np.uint64(1 << 40)
FEWEST = np.uint64(24)
SIGNS = np.uint64(63)


class Room(NamedTuple):
    """What a search reads and writes."""

    frame: Frame
    turned: Any  # [symmetry, byte, value] the points of a part of a set after a symmetry
    proofs: Any  # pairs of words
    conditional: Any  # quadruples of words
    numbers: Any  # pairs of words: proof numbers
    before: Any  # [2, boards, 2] the boards before the root, by who was to move
    salt: Any  # what these make of a position's key
    states: Any  # [depth, 4] the position: my stones, theirs, the point of a ko, whether passed
    path: Any  # [depth, 2] of boards that may not be made again: their signs, the most stones
    children: Any  # [depth, MAX_MOVES, 4]
    keys: Any  # [depth, MAX_MOVES]
    known: Any  # [depth, MAX_MOVES, 5] an answer for who is to move, turns, since, fewest, sign
    strings: Any
    vital: Any
    work: Any  # [2] positions seen, positions allowed
    task: Any  # [2] who proves, 0 is the side to move at the root; positions until a pause


@kernel(allocates=False)
def turn(turned, symmetry, stones):
    """Return a set of points after a symmetry."""
    out = ZERO
    for part in range(4):
        out |= turned[symmetry, part, (stones >> np.uint64(8 * part)) & BYTE]
    return out


@kernel(allocates=False)
def key_of(room, mine, theirs, passed):
    """Return a number that no other position has, the same for its symmetries.

    The point of a ko is marked as taken by both sides. Boards before the root make another game of
    it, without symmetries.
    """
    best = ~ZERO
    for symmetry in range(1 if room.salt else len(room.turned)):
        own = turn(room.turned, symmetry, mine)
        other = turn(room.turned, symmetry, theirs)
        best = min(best, own | other << SIDE | passed << MARK)
    return scattered(best) ^ room.salt


@kernel(allocates=False)
def key_of_state(room, state):
    """Return the key of a position."""
    return key_of(room, state[MINE] | state[KO], state[THEIRS] | state[KO], state[PASSED])


@kernel(allocates=False)
def question(key, than, proves):
    """Return the key of one question about a position."""
    return key ^ np.uint64(than + OFFSET) * ODD_THAN ^ (ODD_ROLE if proves else ZERO)


@kernel(allocates=False)
def find(table, key):
    """Return the entry of a key, or 0."""
    place = (scattered(key) & np.uint64(len(table) // 2 - 1)) << ONE
    entry = table[place + ONE]
    return entry if table[place] ^ entry == key else ZERO


@kernel(allocates=False)
def keep(table, key, entry):
    """Write an entry."""
    place = (scattered(key) & np.uint64(len(table) // 2 - 1)) << ONE
    table[place], table[place + ONE] = key ^ entry, entry


@kernel(allocates=False)
def byte_of(entry, which):
    """Return a number of an entry."""
    return np.int64((entry >> np.uint64(8 * which)) & BYTE)


@kernel(allocates=False)
def keep_proof(table, key, than, answer, turns):
    """Write down what is proved, beside what the table knows already."""
    entry, values = find(table, key), (OFFSET - WIDEST, OFFSET + WIDEST, NO_TURNS, NO_TURNS)
    lower, upper, lower_turns, upper_turns = values
    if entry:
        lower, upper = byte_of(entry, LOWER), byte_of(entry, UPPER)
        lower_turns, upper_turns = byte_of(entry, LOWER_TURNS), byte_of(entry, UPPER_TURNS)
    if answer == YES and (than + 1 + OFFSET > lower or turns < lower_turns):
        lower, lower_turns = than + 1 + OFFSET, turns
    if answer == NO and (than + OFFSET < upper or turns < upper_turns):
        upper, upper_turns = than + OFFSET, turns
    bounds = np.uint64(lower) | np.uint64(upper) << EIGHT
    both_turns = np.uint64(lower_turns) | np.uint64(upper_turns) << EIGHT
    keep(table, key, bounds | both_turns << (EIGHT + EIGHT))


@kernel(allocates=False)
def proved_answer(entry, than, left):
    """Return what an entry tells within the turns that are left, and in how many."""
    if entry:
        lower, turns = byte_of(entry, LOWER) - OFFSET, byte_of(entry, LOWER_TURNS)
        if lower > than and turns <= left:
            return YES, turns
        upper, turns = byte_of(entry, UPPER) - OFFSET, byte_of(entry, UPPER_TURNS)
        if upper <= than and turns <= left:
            return NO, turns
    return UNKNOWN, 0


@kernel(allocates=False)
def sign_of(room, mine, theirs):
    """Return the bit of a board."""
    return ONE << (key_of(room, mine, theirs, ZERO) % SIGNS)


@kernel(allocates=False)
def facts_of(than, proves, turns, fewest):
    """Return the question and the numbers of a conditional proof as a word."""
    asked = np.uint64(than + OFFSET) | (PROVES if proves else ZERO)
    return asked | np.uint64(turns) << EIGHT | np.uint64(fewest) << FEWEST


@kernel(allocates=False)
def place_of(room, key, than, proves):
    """Return where a conditional proof is."""
    number = scattered(question(key, than, proves))
    return (number & np.uint64(len(room.conditional) // 4 - 1)) << (ONE + ONE)


@kernel(allocates=False)
def keep_conditional(room, key, than, proves, turns, fewest, sign):
    """Write a proof that some boards before may hinder."""
    place, table = place_of(room, key, than, proves), room.conditional
    facts, sign = facts_of(than, proves, turns, fewest), np.uint64(sign)
    table[place] = key ^ sign ^ facts
    table[place + ONE], table[place + ONE + ONE] = sign, facts


@kernel(allocates=False)
def find_conditional(room, at, key, than, proves, left):
    """Return the turns of a proof that nothing hinders after the path to ``at``, or 0.

    Return as well the fewest stones of its boards, and its sign.
    """
    place, table = place_of(room, key, than, proves), room.conditional
    sign, facts = table[place + ONE], table[place + ONE + ONE]
    if table[place] ^ sign ^ facts != key:
        return 0, 0, 0
    turns, fewest = byte_of(facts, 1), byte_of(facts, 3)
    same = facts == facts_of(than, proves, turns, fewest)
    free = fewest > np.int64(room.path[at, 1]) or not sign & room.path[at, 0]
    if same and free and turns <= left:
        return turns, fewest, np.int64(sign)
    return 0, 0, 0


@kernel(allocates=False)
def stones_of(mine, theirs):
    """Return how many stones there are."""
    return np.int64(popcount(mine | theirs))
