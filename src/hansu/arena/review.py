"""Review a recorded game: what each position was worth, and what each move gave away."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from hansu.agents.agent import Agent
from hansu.agents.agent_life import AgentLife
from hansu.arena.accuracy import Accuracy
from hansu.arena.analysis import analyse
from hansu.errors import RecordError
from hansu.games.game import BLACK, COLOR_NAMES, WHITE
from hansu.games.state import Outcome, State
from hansu.records.record import RESIGNED, GameRecord
from hansu.records.replay import states
from hansu.search.limits import Limits, SearchHandle

STRONGEST = "engine"  # the agent that reviews unless another is chosen
INACCURACY = 0.05  # of the win probability; a move that loses less has kept the value
SIZES = ((0.15, "blunder"), (0.10, "mistake"), (INACCURACY, "inaccuracy"))  # as lichess has them
FOLLOWED = 6  # plies of a better move's continuation, at most
COUNTED = {"agreement"}  # endings that the rules themselves do not know


@dataclass(frozen=True)
class Assessment:
    """What a position is worth to the side to move, and the principal variation."""

    value: float  # win probability, from 0 to 1
    proved: bool = False
    variation: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReviewedTurn:
    """A turn, and what it changed for the side that moved."""

    number: int  # from 1
    color: bool
    move: str
    before: float  # win probability with the best move
    after: float  # and with the move that was played
    proved: bool  # whether both are certain
    better: tuple[str, ...] = ()  # the best move and its continuation, if another was played

    @property
    def lost(self) -> float:
        """The win probability that the move gave away."""
        return self.before - self.after

    @property
    def size(self) -> str:
        """``blunder``, ``mistake``, ``inaccuracy``, or nothing."""
        return next((name for least, name in SIZES if self.lost >= least), "")

    def facts(self) -> dict[str, Any]:
        """Return the numbers, as programs read them."""
        return {
            "turn": self.number,
            "color": COLOR_NAMES[self.color],
            "move": self.move,
            "before": round(self.before, 4),
            "after": round(self.after, 4),
            "lost": round(self.lost, 4),
            "size": self.size,
            "proved": self.proved,
            "better": list(self.better),
        }


@dataclass(frozen=True)
class Review:
    """A game as far as it is reviewed; later positions come first."""

    record: GameRecord
    movers: tuple[bool, ...]  # who is to move in each position, the last one included
    assessments: tuple[Assessment | None, ...]

    @property
    def done(self) -> int:
        """The positions that are assessed."""
        return sum(found is not None for found in self.assessments)

    def values(self) -> list[float | None]:
        """Return White's win probability in each position, where it is assessed."""
        return [
            None if found is None else found.value if mover == WHITE else 1.0 - found.value
            for found, mover in zip(self.assessments, self.movers, strict=True)
        ]

    def turns(self) -> list[ReviewedTurn]:
        """Return the turns before and after which the position is assessed."""
        found = (self._turn(number) for number in range(len(self.record.turns)))
        return [turn for turn in found if turn is not None]

    def mistakes(self) -> list[ReviewedTurn]:
        """Return the turns that gave something away, the costliest first."""
        return sorted((turn for turn in self.turns() if turn.size), key=lambda turn: -turn.lost)

    def accuracy(self, color: bool) -> Accuracy:
        """Return how many moves of a side kept the value: exactly, where it is proved."""
        moves = sum(mover == color for mover in self.movers[:-1])
        own = [turn for turn in self.turns() if turn.color == color]
        return Accuracy(moves, len(own), sum(bool(turn.size) for turn in own), games=1)

    def _turn(self, number: int) -> ReviewedTurn | None:
        before, after = self.assessments[number : number + 2]
        if before is None or after is None:
            return None
        mover, then = self.movers[number], self.movers[number + 1]
        return compared(number + 1, mover, self.record.moves[number], before, after, then)

    def facts(self) -> dict[str, Any]:
        """Return the numbers, as programs read them."""
        values = [None if value is None else round(value, 4) for value in self.values()]
        sides = {COLOR_NAMES[color]: self.accuracy(color) for color in (WHITE, BLACK)}
        return {
            "done": self.done,
            "positions": len(self.assessments),
            "proved": sum(found is not None and found.proved for found in self.assessments),
            "values": values,
            "accuracy": {
                str(color): {
                    "share": round(found.share, 4) if found.judged else None,
                    "judged": found.judged,
                    "moves": found.moves,
                }
                for color, found in sides.items()
            },
            "mistakes": [turn.facts() for turn in self.mistakes()],
        }


def review(
    record: GameRecord,
    agent: Agent,
    limits: Limits,
    handle: SearchHandle | None = None,
    tell: Callable[[Review], None] = lambda found: None,
    see: Callable[[State], State] = lambda state: state,
) -> Review:
    """Let an agent walk through a recorded game, each position within the limits.

    It begins at the end: what a solver has found late in the game helps it earlier. ``tell`` is
    called after each position; ``see`` returns the state that a search gets to see. Stopping the
    handle ends the review with what it has found.

    >>> import hansu
    >>> from hansu.records.record import Turn
    >>> moves = [Turn(move) for move in ("b2", "b1", "a1", "c3", "a3", "c1", "a2")]
    >>> record = GameRecord("tictactoe", "Ann", "Bea", "", True, 0, moves)
    >>> agent = hansu.agent("tictactoe", "perfect")
    >>> found = review(record, agent, Limits(1.0))
    >>> [(turn.move, turn.lost, turn.better[0]) for turn in found.mistakes()]
    [('b1', 0.5, 'a1')]
    >>> found.accuracy(True).share
    1.0
    """
    handle = handle or SearchHandle()
    positions = list(states(record))
    if len(positions) < 2:
        raise RecordError("there is nothing to review: the game has no moves")
    movers = tuple(state.turn for state in positions)
    found = Review(record, movers, (None,) * len(positions))
    with AgentLife(agent) as life:
        for number in reversed(range(len(positions))):
            state = positions[number]
            known = _ended(record, state) if number == len(positions) - 1 else None
            if known is None:
                known = _assess(life, see(state), limits, handle)
                if handle.stopped:
                    return found
            found = _with(found, number, known)
            tell(found)
        for number in _unexplained(found):
            if handle.stopped:
                break
            explained = _followed(life, see(positions[number]), found, number, limits, handle)
            found = _with(found, number, explained)
            tell(found)
    return found


def compared(
    number: int, mover: bool, move: str, before: Assessment, after: Assessment, then: bool
) -> ReviewedTurn:
    """Return what a move changed; ``then`` is the side to move after it."""
    worth = after.value if then == mover else 1.0 - after.value
    is_best = move == (before.variation or ("",))[0]
    # A search may value the best move lower than the next search, one ply deeper, does.
    best = worth if is_best else max(before.value, worth)
    return ReviewedTurn(
        *(number, mover, move, best, worth),
        proved=before.proved and after.proved,
        better=() if is_best else before.variation,
    )


def judge_move(
    life: AgentLife, state: State, text: str, limits: Limits, handle: SearchHandle
) -> ReviewedTurn:
    """Let an agent judge a move before it is played, both positions within the limits.

    >>> import hansu
    >>> state = hansu.game("tictactoe").parse("b2")
    >>> with AgentLife(hansu.agent(state.game, "perfect")) as life:
    ...     found = judge_move(life, state, "b1", Limits(1.0), SearchHandle())
    >>> found.size, found.before, found.after, found.better[0]
    ('blunder', 0.5, 0.0, 'a1')
    """
    before = _assess(life, state, limits, handle)
    then = state.forward(state.parse_move(text))
    outcome = then.outcome()
    if outcome is None:
        after = _assess(life, then, limits, handle)
    else:
        after = Assessment(_value(outcome, then.turn), proved=True)
    return compared(len(state.move_stack) + 1, state.turn, text, before, after, then.turn)


def _ended(record: GameRecord, last: State) -> Assessment | None:
    """Return what the end of a game is worth; None where nobody knows."""
    if record.moves[-1] == RESIGNED:
        return Assessment(0.0, proved=True)
    outcome = record.outcome if record.outcome.reason in COUNTED else last.outcome()
    return None if outcome is None else Assessment(_value(outcome, last.turn), proved=True)


def _value(outcome: Outcome, color: bool) -> float:
    return 0.5 if outcome.winner is None else float(outcome.winner == color)


def _assess(life: AgentLife, state: State, limits: Limits, handle: SearchHandle) -> Assessment:
    life.begin_game(state, seed=0)
    info = analyse(life.agent, state, replace(limits, exact=True), handle)
    best = info.lines[0]
    proved = best.proved and (best.value == 1.0 or info.proved)
    return Assessment(best.value, proved, best.variation or (best.text,))


def _unexplained(found: Review) -> Iterable[int]:
    """Return the positions whose better move has no continuation yet, the costliest first."""
    return [turn.number - 1 for turn in found.mistakes() if len(turn.better) == 1]


def _followed(
    life: AgentLife, state: State, found: Review, number: int, limits: Limits, handle: SearchHandle
) -> Assessment:
    """Return an assessment with the continuation of its best move: what the agent would play."""
    known = found.assessments[number]
    assert known is not None
    texts, now = list(known.variation), state.copy()
    seconds = None if limits.seconds is None else limits.seconds / FOLLOWED
    now.push(now.parse_move(texts[0]))
    while len(texts) < FOLLOWED and not now.is_game_over() and not handle.stopped:
        then = _assess(life, now, replace(limits, seconds=seconds), handle)
        texts.append(then.variation[0])
        now.push(now.parse_move(texts[-1]))
    return replace(known, variation=tuple(texts))


def _with(found: Review, number: int, known: Assessment) -> Review:
    """Return a review with one assessment more."""
    each = found.assessments
    return replace(found, assessments=(*each[:number], known, *each[number + 1 :]))
