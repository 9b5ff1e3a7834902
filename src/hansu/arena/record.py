"""What is kept of a game: enough to play it again, and from which every table is counted."""

from dataclasses import dataclass, field

from hansu.games.state import Outcome


@dataclass(frozen=True)
class Turn:
    """One move, as it was played."""

    move: str
    seconds: float


@dataclass
class GameRecord:
    """One finished game. ``first`` is the player who has the game's first colour."""

    game: str
    first: str
    second: str
    start: str
    first_color: bool
    seed: int
    turns: list[Turn] = field(default_factory=list)
    outcome: Outcome = field(default_factory=lambda: Outcome(None, "unfinished"))
    evidence: str = ""  # why somebody was disqualified
    final: str = ""  # the last position

    @property
    def moves(self) -> list[str]:
        """The moves in the game's notation."""
        return [turn.move for turn in self.turns]

    @property
    def score_first(self) -> float:
        """1, a half or 0 for the player with the first colour."""
        if self.outcome.winner is None:
            return 0.5
        return float(self.outcome.winner == self.first_color)

    @property
    def winner(self) -> str | None:
        """The name of the winner."""
        return {1.0: self.first, 0.0: self.second}.get(self.score_first)
