"""Go written the obvious way: a dictionary of stones, flood fill, a set of all boards so far."""

import copy
from collections.abc import Iterator

Point = tuple[int, int]  # column, row from the top


class SlowBoard:
    """A game on a board of any shape; moves are numbered as in the rules."""

    def __init__(
        self, width: int, height: int, stones: dict[Point, str] | None = None, turn: str = "x"
    ) -> None:
        self.width, self.height = width, height
        self.stones = stones or {}
        self.turn = turn
        self.passes = 0
        self.lost = {"x": 0, "o": 0}
        self.seen = {self._situation(self.stones, turn)}

    def copy(self) -> "SlowBoard":
        other = copy.copy(self)
        other.lost, other.seen = self.lost.copy(), self.seen.copy()
        return other

    def legal_moves(self) -> list[int]:
        if self.passes == 2:
            return []
        points = range(self.width * self.height)
        return [move for move in points if self._after(move) is not None] + [len(points)]

    def play(self, move: int) -> None:
        other = "o" if self.turn == "x" else "x"
        if move == self.width * self.height:
            self.passes += 1
        else:
            self.passes = 0
            before = list(self.stones.values()).count(other)
            self.stones = self._after(move)
            self.lost[other] += before - list(self.stones.values()).count(other)
        self.turn = other
        self.seen.add(self._situation(self.stones, other))

    def rows(self) -> list[str]:
        return [
            "".join(self.stones.get((column, row), ".") for column in range(self.width))
            for row in range(self.height)
        ]

    def area(self) -> tuple[int, int]:
        count = {"x": 0, "o": 0}
        for row in range(self.height):
            for column in range(self.width):
                reached = self._reached((column, row))
                if len(reached) == 1:
                    count[reached.pop()] += 1
        return count["x"], count["o"]

    def remove_lifeless(self) -> None:
        """Take all strings without a liberty off a board that is being set up."""
        dead = [point for point in self.stones if not self._liberties(self.stones, point)]
        for point in dead:
            del self.stones[point]
        self.seen = {self._situation(self.stones, self.turn)}

    def _after(self, move: int) -> dict[Point, str] | None:
        point = move % self.width, move // self.width
        if point in self.stones:
            return None
        other = "o" if self.turn == "x" else "x"
        stones = {**self.stones, point: self.turn}
        for near in self._near(point):
            if stones.get(near) == other and not self._liberties(stones, near):
                for stone in self._string(stones, near):
                    del stones[stone]
        if not self._liberties(stones, point) or self._situation(stones, other) in self.seen:
            return None
        return stones

    def _near(self, point: Point) -> Iterator[Point]:
        column, row = point
        for near in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
            if 0 <= near[0] < self.width and 0 <= near[1] < self.height:
                yield near

    def _string(self, stones: dict[Point, str], start: Point) -> set[Point]:
        found, left = {start}, [start]
        while left:
            for near in self._near(left.pop()):
                if near not in found and stones.get(near) == stones.get(start):
                    found.add(near)
                    left.append(near)
        return found

    def _liberties(self, stones: dict[Point, str], start: Point) -> set[Point]:
        string = self._string(stones, start)
        return {near for stone in string for near in self._near(stone) if near not in stones}

    def _reached(self, point: Point) -> set[str]:
        if point in self.stones:
            return {self.stones[point]}
        region = self._string(self.stones, point)
        return {self.stones[n] for p in region for n in self._near(p) if n in self.stones}

    @staticmethod
    def _situation(stones: dict[Point, str], turn: str) -> tuple[frozenset[object], str]:
        return frozenset(stones.items()), turn
