"""The log of a game: the position, the turns, both clocks and the result."""

from typing import Any

from hansu.agents.agent import Answer
from hansu.arena.player import turn_of
from hansu.games.state import RESIGN, Outcome, State
from hansu.records.record import RESIGNED, GameRecord, Remaining, TimeControl, Turn
from hansu.web.agreement import Agreement
from hansu.web.session_clock import SessionClock


class GameLog:
    """A game that can be recorded, and taken back turn by turn.

    >>> import hansu
    >>> state = hansu.game("tictactoe").start()
    >>> log = GameLog(state, {True: "human", False: "random"}, TimeControl(None))
    >>> for move in list(state.legal_moves)[:2]:
    ...     log.begin_turn()
    ...     log.play(Answer(move), state.move_text(move))
    >>> log.take_back(1)
    >>> log.state.text()
    'X........'
    """

    def __init__(self, start: State, names: dict[bool, str], control: TimeControl) -> None:
        self.state, self.names, self.clock = start, names, SessionClock(control)
        self.first = start.turn  # who had the first turn
        self.turns: list[Turn] = []
        self.move_names: list[str] = []  # of the turns, as people write them
        self.outcome: Outcome | None = None
        self.evidence = ""
        self.agreement: Agreement | None = None  # which stones are dead, after two passes
        self.taken_back = 0  # how often a person took a move back
        self.resumed = False  # once already there was no agreement
        self._start = start.text()
        self._left = self.clock.remaining  # both players' seconds when this turn began
        self._left_before: list[Remaining] = []  # the same for every turn, to take it back

    def begin_turn(self) -> None:
        """Remember how the clocks stand."""
        self._left = dict(self.clock.remaining)

    def set_clock_back(self) -> None:
        """Set the clocks back to the start of this turn."""
        self.clock.remaining = dict(self._left)

    def play(self, answer: Answer, text: str) -> None:
        """Record a turn, and make its move unless the player resigns."""
        self.turns.append(turn_of(text, round(self.clock.used, 3), answer.info))
        self._left_before.append(self._left)
        resigns = answer.move is RESIGN
        self.move_names.append(text if resigns else self.state.move_name(answer.move))
        if not resigns:
            self.state.push(answer.move)

    def take_back(self, turns: int) -> None:
        """Return to the game after ``turns`` turns."""
        while len(self.turns) > turns:
            if self.turns.pop().move != RESIGNED:
                self.state.pop()
            self.move_names.pop()
            self.clock.remaining = self._left_before.pop()
        self.outcome, self.evidence, self.agreement = None, "", None

    def state_after(self, turns: int) -> State:
        """Return the position after so many turns."""
        state = self.state.copy()
        for turn in self.turns[turns:]:
            if turn.move != RESIGNED:
                state.pop()
        return state

    def finish(self, outcome: Outcome, evidence: str = "") -> None:
        """End the game."""
        self.clock.stop()
        self.outcome, self.evidence = outcome, evidence

    def tally(self) -> dict[str, tuple[float, float]]:
        """Return the game's counts, without stones marked dead."""
        return self.agreement.tally() if self.agreement else self.state.tally()

    def agreement_facts(self) -> dict[str, Any] | None:
        """Return what the page shows of an open agreement."""
        if self.agreement is None or self.outcome is not None:
            return None
        return {**self.agreement.facts(), "resumed": self.resumed}

    def record(self) -> GameRecord:
        """Return the game so far."""
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
