"""One game: the referee owns the true state and the clocks; players only ever get copies."""

import random
import time
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from hansu.agents.agent import Answer
from hansu.arena.clock import Clock, Timer
from hansu.arena.player import Fault, Player, crash_evidence, turn_of
from hansu.errors import OptionError
from hansu.games.game import Game
from hansu.games.state import RESIGN, Outcome, State
from hansu.options import whole_number
from hansu.records.record import GameRecord, TimeControl

Watcher = Callable[[State, Answer, float], None]
"""Called after each turn with the state before it, the answer and the seconds it took."""


def with_turn_limit(game: Game, turns: int) -> Game:
    """The same game with another turn limit; games without that rule cannot take one."""
    if "max_turns" not in {field.name for field in fields(game.rules)}:
        raise OptionError(f"{game.name} has no turn limit: it always ends by itself")
    limited = type(game)()
    limited.rules = replace(game.rules, max_turns=whole_number(turns, "max_turns", 1))
    return limited


def play(
    start: State,
    first: Player,
    second: Player,
    control: TimeControl = TimeControl(),  # noqa: B008 - frozen
    seed: int = 0,
    watch: Watcher | None = None,
    timer: Timer = time.monotonic,
) -> GameRecord:
    """Play one game from a state. Nothing a player does raises: it loses, with a reason."""
    state = start.copy()
    color = state.game.first_color
    record = GameRecord(
        str(state.game), first.name, second.name, start.text(), color, seed, control=control
    )
    seats = {color: first, not color: second}
    seeds = dict(zip(seats, player_seeds(seed), strict=True))
    faults: list[tuple[bool, Fault]] = []
    for side, player in seats.items():
        _attempt(faults, side, player.reset, side, state.copy(), seeds[side])
    if not faults:
        clock = Clock(control, timer)
        record.outcome = _until_over(state, seats, clock, record, faults, watch)
    for side, player in seats.items():
        _attempt(faults, side, player.end_game)
    if faults:
        side, fault = faults[0]
        record.outcome = Outcome(not side, fault.reason)
        record.evidence = f"{seats[side].name}: {fault.evidence}"
    record.final = state.text()
    return record


def player_seeds(seed: int) -> tuple[int, int]:
    """The seeds of the first and the second player in the game with a seed."""
    seeds = random.Random(seed)
    return seeds.getrandbits(63), seeds.getrandbits(63)


def _until_over(
    state: State,
    seats: dict[bool, Player],
    clock: Clock,
    record: GameRecord,
    faults: list[tuple[bool, Fault]],
    watch: Watcher | None,
) -> Outcome:
    """Let the players move in turn until a rule or a fault ends the game."""
    while (outcome := state.outcome()) is None:
        side = state.turn
        clock.control.show_on(state, clock.remaining)
        clock.start(side)
        answer = _attempt(faults, side, seats[side].act, state.copy(), clock.budget(side))
        used = clock.stop()
        move = None if answer is None else answer.move
        if clock.is_late:
            fault = Fault("timeout", f"took {used:.3f} s and had {used - clock.overdue:.3f} s")
            faults[:] = [(side, fault)]
        elif not faults and move is not RESIGN and not is_legal(state, move):
            faults.append((side, Fault("illegal_move", describe_illegal(state, move))))
        if faults:
            return Outcome(not side, faults[0][1].reason)
        before = state.copy() if watch else state
        text = "resign" if move is RESIGN else state.move_text(move)
        record.turns.append(turn_of(text, used, answer.info))
        if move is not RESIGN:
            state.push(move)
        if watch:
            clock.control.show_on(state, clock.remaining)
            watch(before, answer, used)
        if move is RESIGN:
            return Outcome(not side, "resignation")
    return outcome


def _attempt(
    faults: list[tuple[bool, Fault]], side: bool, method: Callable[..., Any], *arguments: Any
) -> Any:
    """Call a player's method; a fault is noted against its side."""
    try:
        return method(*arguments)
    except Fault as fault:
        faults.append((side, fault))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # such as SystemExit: it ends the game, not the arena
        faults.append((side, Fault("crash", crash_evidence(error))))
    return None


def is_legal(state: State, move: Any) -> bool:
    """Whether an answer, which may be anything at all, is a legal move."""
    try:
        return state.code(move) in state.codes()
    except Exception:
        return False


def describe_illegal(state: State, move: Any) -> str:
    """What was answered instead of a legal move, and what would have been one."""
    try:
        shown = repr(move)[:80]
    except Exception:
        shown = f"a {type(move).__name__}"
    if isinstance(move, str):
        shown += ", a text where a move is expected (state.parse_move reads one)"
    return f"answered {shown}: {state.illegal('it')}"
