"""A game as it is written down: the position, the turns, both clocks and how it ended."""

from typing import Any

from hansu.arena.player import turn_of
from hansu.games.state import Outcome, State
from hansu.records.record import GameRecord, Remaining, TimeControl, Turn
from hansu.search.info import SearchInfo
from hansu.web.session_clock import SessionClock

RESIGNS = "resign"  # how a record writes that turn


class GameLog:
    """What can be kept, and taken back turn by turn.

    >>> import hansu
    >>> state = hansu.game("tictactoe").start()
    >>> log = GameLog(state, {True: "human", False: "random"}, TimeControl(None))
    >>> for move in list(state.legal_moves)[:2]:
    ...     log.begin_turn()
    ...     log.play(move, 0.0, None)
    >>> log.take_back(1)
    >>> log.state.text()
    'X........'
    """

    def __init__(self, start: State, names: dict[bool, str], control: TimeControl) -> None:
        self.state, self.names, self.clock = start, names, SessionClock(control)
        self.first = start.turn  # who had the first turn
        self.turns: list[Turn] = []
        self.outcome: Outcome | None = None
        self.evidence = ""
        self._start = start.text()
        self._left = self.clock.remaining  # both players' seconds when this turn began
        self._left_before: list[Remaining] = []  # the same for every turn, to take it back

    def begin_turn(self) -> None:
        """Remember how the clocks stand."""
        self._left = dict(self.clock.remaining)

    def set_clock_back(self) -> None:
        """The turn that was begun is begun anew."""
        self.clock.remaining = dict(self._left)

    def play(self, move: Any, used: float, info: SearchInfo | None) -> None:
        """A turn: the move, its seconds, and what the player found."""
        self._write(turn_of(self.state.move_text(move), round(used, 3), info))
        self.state.push(move)

    def resign(self, used: float = 0.0) -> None:
        """The side to move gives up instead of moving."""
        self._write(Turn(RESIGNS, round(used, 3)))

    def take_back(self, turns: int) -> None:
        """Be where the game was after so many turns."""
        while len(self.turns) > turns:
            if self.turns.pop().move != RESIGNS:
                self.state.pop()
            self.clock.remaining = self._left_before.pop()
        self.outcome, self.evidence = None, ""

    def finish(self, outcome: Outcome, evidence: str = "") -> None:
        """The game is over."""
        self.clock.stop()
        self.outcome, self.evidence = outcome, evidence

    def record(self) -> GameRecord:
        """The game so far."""
        first = self.state.game.first_color
        return GameRecord(
            str(self.state.game),
            self.names[first],
            self.names[not first],
            self._start,
            first,
            0,
            list(self.turns),
            self.outcome or Outcome(None, "unfinished"),
            self.evidence,
            self.state.text(),
            self.clock.control,
        )

    def _write(self, turn: Turn) -> None:
        self.turns.append(turn)
        self._left_before.append(self._left)
