"""Hex once more, as plainly as possible: sets of cells, and connection by joining groups.

The rules spread marks from the edges; here cells are merged into groups (union-find) over the
whole board each time. The two share no code and no idea.
"""

Cell = tuple[int, int]  # column, row


def joined(stones: set[Cell], size: int, across: int) -> bool:
    """Whether stones join the two edges: ``across`` 0 left and right, 1 top and bottom."""
    parent: dict[object, object] = {}

    def find(item: object) -> object:
        while parent.setdefault(item, item) != item:
            item = parent[item]
        return item

    for column, row in stones:
        for other in ((column + 1, row), (column, row + 1), (column + 1, row - 1)):
            if other in stones:
                parent[find((column, row))] = find(other)
        place = (column, row)[across]
        if place == 0:
            parent[find((column, row))] = find("first edge")
        if place == size - 1:
            parent[find((column, row))] = find("second edge")
    return find("first edge") == find("second edge")


class PlainBoard:
    """Stones of both sides, and whose turn it is."""

    def __init__(self, size: int, swap: bool = False) -> None:
        self.size, self.swap = size, swap
        self.stones: tuple[set[Cell], set[Cell]] = (set(), set())  # Black, White
        self.white_to_move = False

    def winner(self) -> str | None:
        if joined(self.stones[0], self.size, 1):
            return "black"
        return "white" if joined(self.stones[1], self.size, 0) else None

    def legal(self) -> set[str]:
        if self.winner():
            return set()
        cells = {(c, r) for c in range(self.size) for r in range(self.size)}
        names = {f"{chr(97 + c)}{r + 1}" for c, r in cells - self.stones[0] - self.stones[1]}
        counts = (len(self.stones[0]), len(self.stones[1]))
        if self.swap and self.white_to_move and counts == (1, 0):
            names.add("swap")
        return names

    def play(self, name: str) -> None:
        if name == "swap":
            column, row = self.stones[0].pop()
            self.stones[1].add((row, column))
        else:
            self.stones[self.white_to_move].add((ord(name[0]) - 97, int(name[1:]) - 1))
        self.white_to_move = not self.white_to_move

    def rows(self) -> list[str]:
        def letter(cell: Cell) -> str:
            return "x" if cell in self.stones[0] else "o" if cell in self.stones[1] else "."

        return ["".join(letter((c, r)) for c in range(self.size)) for r in range(self.size)]
