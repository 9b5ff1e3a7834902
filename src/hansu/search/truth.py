"""``Truth``: what is proved about a position and its moves."""

from dataclasses import dataclass, replace
from typing import Any

from hansu.games.solver import UNBOUNDED, Bounds
from hansu.search.info import Line, SearchInfo

OUTCOMES = {1.0: "won", 0.5: "drawn", 0.0: "lost"}


def value_of(score: int) -> float:
    """Return 1 for a score that wins, a half for a draw, 0 for one that loses."""
    return 0.5 + 0.5 * ((score > 0) - (score < 0))


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"


def proved_value(bounds: Bounds) -> float | None:
    """Return the value that bounds prove, or None.

    >>> proved_value(Bounds(3, 18)), proved_value(Bounds(0, 18))
    (1.0, None)
    """
    lower, upper = map(value_of, bounds)
    return lower if lower == upper else None


@dataclass(frozen=True)
class KnownMove:
    """A move of the root with the bounds of its score, for the side that plays it."""

    move: Any
    text: str
    bounds: Bounds
    plies: int | None = None  # turns to the end of the game, this one included, where known

    @property
    def score(self) -> int | None:
        """The exact score, where it is proved."""
        return self.bounds.lower if self.bounds.exact else None

    @property
    def value(self) -> float | None:
        """1 for a win, a half for a draw, 0 for a loss, where it is proved."""
        return proved_value(self.bounds)

    def line(self) -> Line:
        """Return the move as part of a search's result; what is not proved lies half-way."""
        lower, upper = map(value_of, self.bounds)
        is_proved = self.value is not None
        return Line(
            *(self.move, self.text, (lower + upper) / 2),
            variation=(self.text,),
            proved=is_proved,
            score=self.score,
        )

    def facts(self) -> dict[str, Any]:
        """Return the numbers, as programs read them."""
        return {
            "move": self.text,
            "value": self.value,
            "score": self.score,
            "bounds": list(self.bounds),
            "plies": self.plies,
        }

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.text:>8}  score {self.bounds.lower} to {self.bounds.upper}"
        score = f"{self.score:+d}" if self.score else "" if self.score == 0 else "score "
        if self.score is None:
            score += f"{self.bounds.lower:+d} to {self.bounds.upper:+d}"
        end = "" if self.plies is None or not self.score else f"in {_turns(self.plies)}"
        return f"{self.text:>8}  {OUTCOMES[self.value]:<6}{score:>4}  {end}".rstrip()


@dataclass(frozen=True)
class Truth:
    """What is proved about a position: exactly, or within honest bounds.

    >>> import hansu
    >>> truth = hansu.solve(hansu.game("tictactoe").parse("XX. OO. ..."))
    >>> truth.value, truth.score, truth.plies, truth.best
    (1.0, 3, 1, ('c1',))
    """

    moves: tuple[KnownMove, ...]  # best first
    nodes: int  # positions searched
    seconds: float
    known: Bounds = UNBOUNDED  # of the position's score without search, as from a book

    @property
    def bounds(self) -> Bounds:
        """The bounds of the position's score, for the side to move."""
        return self.known & Bounds(
            max(move.bounds.lower for move in self.moves),
            max(move.bounds.upper for move in self.moves),
        )

    @property
    def value(self) -> float | None:
        """1 for a win, a half for a draw, 0 for a loss of the side to move; None: not proved."""
        return proved_value(self.bounds)

    @property
    def score(self) -> int | None:
        """The exact score as the game counts it; None: not proved."""
        return self.bounds.lower if self.bounds.exact else None

    @property
    def plies(self) -> int | None:
        """Turns to the end of the game under best play, where that is known."""
        return self.moves[0].plies if self.solved else None

    @property
    def best(self) -> tuple[str, ...]:
        """The moves that are as good as any, as far as is proved.

        There is none where a book tells more of the position than is proved of any move.
        """
        most = self.bounds.lower
        return tuple(move.text for move in self.moves if move.bounds.lower == most)

    @property
    def solved(self) -> bool:
        """Whether the score is known, and a move that has it."""
        return self.bounds.exact and bool(self.best)

    @property
    def proved(self) -> bool:
        """Whether it is proved who wins."""
        return self.value is not None

    def lost(self, text: str) -> tuple[float, int | None] | None:
        """Return what a move gives away: of the value at least, of the score where that is known.

        None where it is not proved whether it keeps the value.

        >>> import hansu
        >>> truth = hansu.solve(hansu.game("tictactoe").parse("XX. OO. ..."))
        >>> truth.lost("c1"), truth.lost("c2")
        ((0.0, 0), (0.5, 3))
        """
        played = next(move for move in self.moves if move.text == text)
        lower, upper = map(value_of, played.bounds)
        if self.value is None or lower < self.value <= upper:
            return None
        scores = (self.score, played.score)
        lost = None if None in scores else scores[0] - scores[1]  # type: ignore[operator]
        return max(0.0, self.value - upper), lost

    def info(self, line: tuple[str, ...] = ()) -> SearchInfo:
        """Return it as the result of a search; ``line`` is how the best move goes on."""
        best, *others = (move.line() for move in self.moves)
        best = replace(best, variation=line or best.variation)
        return SearchInfo((best, *others), self.nodes, self.seconds)

    def facts(self) -> dict[str, Any]:
        """Return the numbers, as programs read them."""
        return {
            "value": self.value,
            "score": self.score,
            "bounds": list(self.bounds),
            "plies": self.plies,
            "best": list(self.best),
            "proved": self.proved,
            "moves": [move.facts() for move in self.moves],
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
        }

    def __str__(self) -> str:
        rows = [str(move) for move in self.moves]
        return "\n".join([self.headline(), *rows])

    def headline(self) -> str:
        """Say in one line what is proved, and what was searched for it."""
        lower, upper = self.bounds
        if self.value is None:
            known = f"not solved: the score is {lower} to {upper}"
        else:
            known = f"proved: {OUTCOMES[self.value]}"
            if self.score:
                known += f", score {self.score:+d}"
                known += "" if self.plies is None else f", in {_turns(self.plies)}"
            elif self.score is None:
                known += f", score {lower:+d} to {upper:+d}"
        return f"{known} ({self.nodes:,} positions in {self.seconds:.2f} s)"
