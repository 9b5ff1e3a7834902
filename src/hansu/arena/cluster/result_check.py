"""Whether a result from another machine can be true: the judge replays it move by move."""

from hansu.agents.agent import Answer
from hansu.agents.loading import reference
from hansu.arena.cluster.assignment import Assignment, Nonsense, Side
from hansu.arena.judge import judge
from hansu.errors import HansuError
from hansu.games.state import RESIGN, Outcome, State
from hansu.records.record import FAULTS, RESIGNED, GameRecord, TimeControl

TOLERANCE = 1e-6  # seconds: sums of floats


def read_result(asked: Assignment, line: str) -> GameRecord:
    """Return the record of an assigned game.

    Raises:
        Nonsense: It is another game, other agents played, or it breaks the rules.
    """
    try:
        record = GameRecord.from_json(line)
    except HansuError as error:
        raise Nonsense(str(error)) from None
    _check_terms(asked, record)
    _check_play(asked.start.copy(), record)
    return record


def _check_terms(asked: Assignment, record: GameRecord) -> None:
    start, plan = asked.start, asked.terms.plan
    expected = {
        "game": str(start.game),
        "first": asked.first.name,
        "second": asked.second.name,
        "start": start.text(),
        "first_color": start.game.first_color,
        "seed": asked.game.seed,
        "control": plan.control,
    }
    for name, value in expected.items():
        if getattr(record, name) != value:
            raise Nonsense(f"{name} {getattr(record, name)!r} instead of {value!r}")
    played = record.provenance
    if played is None or (played.first, played.second) != (asked.first.digest, asked.second.digest):
        raise Nonsense("other agents have played: their SHA-256 are not those that were sent")
    if record.isolation is None:
        raise Nonsense("it does not tell how the agents ran")
    for side, level in zip((asked.first, asked.second), record.isolation, strict=True):
        if _must_be_isolated(asked, side) and level != "isolated":
            raise Nonsense(f"{side.name} ran {level} instead of isolated")


def _must_be_isolated(asked: Assignment, side: Side) -> bool:
    is_own = side.bundle is not None or reference(side.contestant) is not None
    return is_own and asked.terms.plan.isolation == "required"


def _check_play(state: State, record: GameRecord) -> None:
    left = record.control.full()
    ended: Outcome | None = None
    for number, turn in enumerate(record.turns, 1):
        ended = ended or state.outcome()
        if ended is not None:
            raise Nonsense(f"move {number} comes after the end of the game")
        try:
            move = RESIGN if turn.move == RESIGNED else state.parse_move(turn.move)
        except HansuError as error:
            raise Nonsense(f"move {number}: {error}") from None
        _check_seconds(number, turn.seconds, record.control, left[state.turn])
        left[state.turn] = record.control.left_after(left[state.turn], turn.seconds)
        verdict = judge(state, Answer(move))
        if verdict.text != turn.move:
            raise Nonsense(f"move {number} is {turn.move[:20]!r}, which is not legal there")
        if verdict.outcome is None:
            state.push(move)
        ended = verdict.outcome
    if record.final != state.text():
        raise Nonsense("its last position is not where its moves lead")
    ended = ended or state.outcome()
    if record.outcome.reason in FAULTS:
        _check_fault(record)
    elif record.outcome != ended:
        raise Nonsense(f"it ends with {record.outcome}, by the rules with {ended}")


def _check_seconds(number: int, used: float, control: TimeControl, left: float | None) -> None:
    """A recorded turn was in time: a late answer is no turn."""
    allowed = [limit for limit in (left, control.move_seconds) if limit is not None]
    if not 0 <= used <= min(allowed, default=used) + TOLERANCE:
        raise Nonsense(f"move {number} has taken {used} seconds")


def _check_fault(record: GameRecord) -> None:
    """Somebody has lost by a fault, with the evidence."""
    winner = record.outcome.winner
    if winner is None or not record.evidence.startswith(f"{record.player(not winner)}: "):
        raise Nonsense("a fault is told without saying whose")
