"""The referee of one game owns the true state and the clocks; agents only ever get copies."""

import random
import time
from collections.abc import Callable
from dataclasses import fields, replace

from hansu.agents.agent import Answer
from hansu.arena.clock import Clock, Timer
from hansu.arena.judge import Verdict, attempt, judge, lost
from hansu.arena.player import Fault, Player, turn_of
from hansu.errors import OptionError
from hansu.games.game import Game
from hansu.games.state import State
from hansu.options import whole_number
from hansu.records.record import GameRecord, TimeControl

Watcher = Callable[[State, Answer, float], None]
"""Called after each turn with the state before it, the answer and the seconds it took."""


def with_turn_limit(game: Game, turns: int) -> Game:
    """Return the game with another turn limit; raises OptionError if it has none."""
    if "max_turns" not in {field.name for field in fields(game.options)}:
        raise OptionError(f"{game.name} has no turn limit: it always ends by itself")
    limited = type(game)()
    limited.options = replace(game.options, max_turns=whole_number(turns, "max_turns", 1))
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
    state, clock = start.copy(), Clock(control, timer)
    control.show_on(state, clock.remaining)  # whoever prepares hears the limits of the game
    color = state.game.first_color
    record = GameRecord(
        str(state.game), first.name, second.name, start.text(), color, seed, control=control
    )
    seats = {color: first, not color: second}
    seeds = dict(zip(seats, player_seeds(seed), strict=True))
    verdict = _first_fault(seats, lambda side: seats[side].reset(side, state.copy(), seeds[side]))
    if verdict is None:
        verdict = _until_over(state, seats, clock, record, watch)
    late_fault = _first_fault(seats, lambda side: seats[side].end_game())
    if late_fault is not None and verdict.text is not None:  # nobody was at fault before
        verdict = late_fault
    assert verdict.outcome is not None
    record.outcome, record.evidence = verdict.outcome, verdict.evidence
    record.final = state.text()
    return record


def _first_fault(seats: dict[bool, Player], call: Callable[[bool], None]) -> Verdict | None:
    """Call both players; return the verdict on the first fault, if there is one."""
    found = [(side, fault) for side in seats if (fault := attempt(call, side)) is not None]
    return lost(*found[0], seats[found[0][0]].name) if found else None


def player_seeds(seed: int) -> tuple[int, int]:
    """Return the seeds of the first and the second player of a game."""
    seeds = random.Random(seed)
    return seeds.getrandbits(63), seeds.getrandbits(63)


def _until_over(
    state: State,
    seats: dict[bool, Player],
    clock: Clock,
    record: GameRecord,
    watch: Watcher | None,
) -> Verdict:
    """Let the players move in turn until a rule, a player or a fault ends the game."""
    while (outcome := state.outcome()) is None:
        side = state.turn
        clock.control.show_on(state, clock.remaining)
        clock.start(side)
        answer = attempt(seats[side].act, state, clock.budget(side))
        clock.stop()
        verdict = judge(state, answer, seats[side].name, clock)
        if verdict.text is None or isinstance(answer, Fault):
            return verdict
        before = state.copy() if watch else state
        record.turns.append(turn_of(verdict.text, clock.used, answer.info))
        if verdict.outcome is None:
            state.push(answer.move)
        if watch:
            clock.control.show_on(state, clock.remaining)
            watch(before, answer, clock.used)
        if verdict.outcome is not None:
            return verdict
    return Verdict("", outcome)
