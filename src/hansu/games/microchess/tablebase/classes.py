"""Material classes: which pieces are on the board.

A class is named as chess names it, the stronger side first: ``KRPvKR``. A position whose stronger
side is Black is looked up with the colours swapped and the board turned around.
"""

import functools
import itertools
from dataclasses import dataclass

KINDS = "QRBNP"  # the order of pieces in a name, and in every index
PROMOTIONS = "QRBN"
FEWEST, MOST = 2, 6  # pieces of the classes that are offered
SQUARES, PAWN_SQUARES = 20, 12
KING_SQUARES, PAWNLESS_KING_SQUARES = 10, 6  # of White's king, with mirrored boards left out


@dataclass(frozen=True)
class MaterialClass:
    """The pieces of both sides beside the kings, each as letters in the order of KINDS.

    >>> str(MaterialClass.of("N", "PR"))
    'KRPvKN'
    """

    white: str
    black: str

    @classmethod
    def of(cls, white: str, black: str) -> "MaterialClass":
        """Return the class of pieces in any order, the stronger side as White."""
        one, other = (_sorted(pieces) for pieces in (white, black))
        return cls(*sorted((one, other), key=_strength, reverse=True))

    def __str__(self) -> str:
        return f"K{self.white}vK{self.black}"

    @property
    def pieces(self) -> int:
        """How many pieces there are, with the kings."""
        return 2 + len(self.white) + len(self.black)

    @property
    def counts(self) -> tuple[int, ...]:
        """How many pieces there are of each kind: White's five kinds, then Black's."""
        return tuple(side.count(kind) for side in (self.white, self.black) for kind in KINDS)

    @property
    def pawns(self) -> int:
        """How many pawns both sides have."""
        return (self.white + self.black).count("P")

    def size(self, rights: int) -> int:
        """Return how many entries a section has; 0 where no rook can castle.

        ``rights`` is 1 if White may castle, plus 2 if Black may.
        """
        if (rights & 1 and "R" not in self.white) or (rights & 2 and "R" not in self.black):
            return 0
        kings = (1 if rights & 1 else SQUARES) * (1 if rights & 2 else SQUARES)
        if not rights:
            kings = (KING_SQUARES if self.pawns else PAWNLESS_KING_SQUARES) * SQUARES
        others = self.pieces - 2 - self.pawns
        return int(2 * kings * SQUARES**others * PAWN_SQUARES**self.pawns)

    @property
    def starts(self) -> tuple[int, ...]:
        """Where the four sections begin, and where the last one ends."""
        return tuple(itertools.accumulate((self.size(rights) for rights in range(4)), initial=0))

    @property
    def entries(self) -> int:
        """How many entries the class has."""
        return self.starts[-1]

    @functools.cached_property
    def next_classes(self) -> frozenset["MaterialClass"]:
        """The classes that a capture or a promotion leads to."""
        found = set()
        for own, other, swap in ((self.white, self.black, False), (self.black, self.white, True)):
            lost = {other, *(_without(other, kind) for kind in other)}
            raised = {own}
            if "P" in own:
                raised |= {_without(own, "P") + kind for kind in PROMOTIONS}
            for mover, rest in itertools.product(raised, lost):
                if (mover, rest) != (own, other):
                    found.add(self.of(*((rest, mover) if swap else (mover, rest))))
        return frozenset(found)


def _sorted(pieces: str) -> str:
    return "".join(sorted(pieces, key=KINDS.index))


def _without(pieces: str, kind: str) -> str:
    return pieces.replace(kind, "", 1)


def _strength(pieces: str) -> tuple[int, list[int]]:
    return len(pieces), [-KINDS.index(kind) for kind in pieces]


@functools.cache
def material_classes(pieces: int) -> tuple[MaterialClass, ...]:
    """Return the classes with so many pieces, each after those that its moves lead to.

    >>> [str(one) for one in material_classes(3)]
    ['KQvK', 'KRvK', 'KBvK', 'KNvK', 'KPvK']
    >>> len(material_classes(4)), len(material_classes(5)), len(material_classes(6))
    (30, 110, 365)
    """
    others = pieces - 2
    found = {
        MaterialClass.of("".join(white), "".join(black)): None
        for black_pieces in range(others // 2 + 1)
        for white in itertools.combinations_with_replacement(KINDS, others - black_pieces)
        for black in itertools.combinations_with_replacement(KINDS, black_pieces)
    }
    return tuple(sorted(found, key=lambda one: one.pawns))
