"""Judge a turn: what an answer means, for referee, page, terminal and environments."""

from collections.abc import Callable
from typing import Any, NamedTuple, ParamSpec, TypeVar

from hansu.agents.agent import Answer
from hansu.arena.clock import Clock
from hansu.arena.player import Fault, crash_evidence
from hansu.errors import HansuError
from hansu.games.state import RESIGN, Outcome, State
from hansu.records.evidence import EVIDENCE
from hansu.records.record import RESIGNED
from hansu.terminal_text import terminal_text

P = ParamSpec("P")
T = TypeVar("T")


class Verdict(NamedTuple):
    """What an answer means: a turn to record, the end of the game, or both."""

    text: str | None  # the turn as a record has it; None for a fault, which is no turn
    outcome: Outcome | None = None  # None: the move is legal and waits to be made
    evidence: str = ""  # for a fault


def judge(
    state: State,
    answer: Answer | Fault,
    name: str = "",
    clock: Clock | None = None,
    cpu: float | None = None,
) -> Verdict:
    """Judge the answer of the side to move, whatever it is; change nothing.

    A late answer loses first of all, then a fault, then an illegal move; a resignation is a turn
    that loses. ``clock`` has just stopped; ``name`` goes before the evidence; ``cpu`` seconds of
    the turn were CPU time: whether the player or the machine was slow.

    >>> import hansu
    >>> state = hansu.game("tictactoe").start()
    >>> judge(state, Answer(state.parse_move("b2")))
    Verdict(text='b2', outcome=None, evidence='')
    >>> judge(state, Answer(9)).outcome
    Outcome(winner=False, reason='illegal_move', margin=None)
    """
    if clock is not None and clock.is_late:
        had = clock.used - clock.overdue
        facts = {"used": f"{clock.used:.3f}", "had": f"{had:.3f}"}
        if cpu is None:
            answer = Fault("timeout", EVIDENCE["timeout"].format(**facts))
        else:
            answer = Fault("timeout", EVIDENCE["timeout_cpu"].format(**facts, cpu=f"{cpu:.3f}"))
    elif not isinstance(answer, Fault) and not _is_allowed(state, answer.move):
        answer = Fault("illegal_move", describe_illegal(state, answer.move))
    if isinstance(answer, Fault):
        return lost(state.turn, answer, name)
    if answer.move is RESIGN:
        return Verdict(RESIGNED, Outcome(not state.turn, "resignation"))
    return Verdict(state.move_text(answer.move))


def lost(side: bool, fault: Fault, name: str = "") -> Verdict:
    """Return the verdict on a side at fault."""
    evidence = f"{name}: {fault.evidence}" if name else fault.evidence
    return Verdict(None, Outcome(not side, fault.reason), terminal_text(evidence))


def attempt(method: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | Fault:
    """Call a player's method; return whatever it raises as a fault."""
    try:
        return method(*args, **kwargs)
    except Fault as fault:
        return fault
    except KeyboardInterrupt:
        raise
    except HansuError as error:  # a player that cannot be started again
        return Fault("crash", str(error))
    except BaseException as error:  # such as SystemExit: it ends the game, not the arena
        return Fault("crash", crash_evidence(error))


def describe_illegal(state: State, move: Any) -> str:
    """Return what was answered instead of a legal move, and some legal moves."""
    try:
        shown = repr(move)[:80]
    except Exception:
        shown = f"a {type(move).__name__}"
    if isinstance(move, str):
        shown += ", a text where a move is expected (state.parse_move reads one)"
    return f"answered {shown}: {state.illegal('it')}"


def _is_allowed(state: State, move: Any) -> bool:
    try:
        return move is RESIGN or state.move_id(move) in state.move_ids()
    except Exception:
        return False
