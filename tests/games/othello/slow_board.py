"""Othello written down the slow, obvious way, to check the compiled rules against."""

from hypothesis import strategies as st

SQUARES = [(column, row) for row in range(8) for column in range(8)]
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


class SlowBoard:
    """The discs by square, (column, row) from the top left, and whose turn it is: X or O."""

    def __init__(self, text: str) -> None:
        letters, self.side = text.split()
        self.discs = {s: c for s, c in zip(SQUARES, letters, strict=True) if c != "-"}

    @property
    def other(self) -> str:
        return "O" if self.side == "X" else "X"

    def turned_by(self, square: tuple[int, int], side: str) -> set[tuple[int, int]]:
        """What a disc on an empty square would turn over."""
        if square in self.discs:
            return set()
        found = set()
        for dx, dy in DIRECTIONS:
            run = []
            x, y = square[0] + dx, square[1] + dy
            while self.discs.get((x, y), side) != side:
                run.append((x, y))
                x, y = x + dx, y + dy
            if (x, y) in self.discs:
                found.update(run)
        return found

    def squares(self, side: str) -> list[int]:
        return [i for i, square in enumerate(SQUARES) if self.turned_by(square, side)]

    def legal(self) -> list[int]:
        mine = self.squares(self.side)
        return mine or ([64] if self.squares(self.other) else [])

    def play(self, move: int) -> None:
        if move != 64:
            square = SQUARES[move]
            turned = self.turned_by(square, self.side)
            self.discs.update(dict.fromkeys([square, *turned], self.side))
        self.side = self.other

    def text(self) -> str:
        return "".join(self.discs.get(square, "-") for square in SQUARES) + " " + self.side


boards = st.builds(
    lambda letters, side: f"{''.join(letters)} {side}",
    st.one_of(
        st.lists(st.sampled_from("XO-"), min_size=64, max_size=64),
        st.lists(st.sampled_from("XOOOO-"), min_size=64, max_size=64),  # long runs
    ),
    st.sampled_from("XO"),
)
"""Any board at all, most of them out of reach."""
