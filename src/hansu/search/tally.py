"""Games won, drawn and lost."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Tally:
    """Games won, drawn and lost by one side. Tallies add up; ``~tally`` is the other side's.

    >>> Tally(3, 1, 0) + ~Tally(2, 0, 1)
    Tally(wins=4, draws=1, losses=2)
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def __invert__(self) -> "Tally":
        return Tally(self.losses, self.draws, self.wins)

    @property
    def games(self) -> int:
        """How many there were."""
        return self.wins + self.draws + self.losses

    @property
    def rate(self) -> float:
        """The share won, a draw counting a half; a half when nothing is known."""
        return (self.wins + 0.5 * self.draws) / self.games if self.games else 0.5

    def facts(self) -> dict[str, float]:
        """The counts and the rate, as programs read them."""
        counts = {"wins": self.wins, "draws": self.draws, "losses": self.losses}
        return {**counts, "rate": round(self.rate, 6)}
