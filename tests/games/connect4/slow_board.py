"""Connect Four written down the slow, obvious way, to check the compiled rules against."""

from hypothesis import strategies as st

CELLS = [(column, height) for column in range(7) for height in range(6)]
LINES = [
    line
    for column, height in CELLS
    for right, up in [(0, 1), (1, 0), (1, 1), (1, -1)]
    if set(line := [(column + i * right, height + i * up) for i in range(4)]) <= set(CELLS)
]


class SlowBoard:
    """Each column is a list of players, 0 and 1, from the bottom up."""

    def __init__(self, moves: str = "") -> None:
        self.columns: list[list[int]] = [[] for _ in range(7)]
        self.count = 0
        for move in moves:
            self.drop(int(move))

    def drop(self, move: int) -> None:
        self.columns[move - 1].append(self.count % 2)
        self.count += 1

    def cells(self, player: int) -> set[tuple[int, int]]:
        return {
            (column, height)
            for column, stones in enumerate(self.columns)
            for height, owner in enumerate(stones)
            if owner == player
        }

    def winner(self) -> int | None:
        for player in (0, 1):
            cells = self.cells(player)
            if any(cells.issuperset(line) for line in LINES):
                return player
        return None

    def legal(self) -> list[int]:
        if self.winner() is not None:
            return []
        return [move for move in range(1, 8) if len(self.columns[move - 1]) < 6]

    def drawn(self) -> str:
        return "\n".join(
            "".join("xo"[stones[row]] if row < len(stones) else "." for stones in self.columns)
            for row in reversed(range(6))
        )


@st.composite
def games(draw: st.DrawFn) -> str:
    """The columns of a game, up to its end or to somewhere on the way."""
    board, moves = SlowBoard(), ""
    for _ in range(draw(st.integers(0, 42))):
        legal = board.legal()
        if not legal:
            break
        move = draw(st.sampled_from(legal))
        board.drop(move)
        moves += str(move)
    return moves


def as_set(cells: set[tuple[int, int]]) -> int:
    """Cells as the rules number them."""
    return sum(1 << (7 * column + height) for column, height in cells)
