"""The referee of one game owns the true state and the clocks; agents only ever get copies."""

import time
from collections.abc import Callable
from dataclasses import fields, replace

from hansu.agents.agent import Answer
from hansu.arena.clock import Clock, Timer
from hansu.arena.judge import Verdict, attempt, judge, lost
from hansu.arena.player import Fault, Player, turn_of
from hansu.arena.seeds import event_seed, player_seeds
from hansu.errors import OptionError
from hansu.games.game import Game
from hansu.games.state import State
from hansu.options import whole_number
from hansu.records.record import GameRecord, TimeControl

FAILED_START = "failed to start: "  # how the evidence begins of a player that could not get ready

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
    seed: int | None = None,
    watch: Watcher | None = None,
    timer: Timer = time.monotonic,
) -> GameRecord:
    """Play one game from a state. Nothing a player does raises: it loses, with a reason.

    Without a seed the game gets a secret one, which its record tells.
    """
    state, seed, clock = start.copy(), event_seed(seed), Clock(control, timer)
    control.show_on(state, clock.remaining)  # whoever prepares hears the limits of the game
    color = state.game.first_color
    record = GameRecord(
        str(state.game), first.name, second.name, start.text(), color, seed, control=control
    )
    record.isolation = first.isolation, second.isolation
    seats = {color: first, not color: second}
    seeds = dict(zip(seats, player_seeds(seed), strict=True))
    verdict = _first_fault(
        seats, lambda side: seats[side].reset(side, state.copy(), seeds[side]), FAILED_START
    )
    if verdict is None:
        verdict = _until_over(state, seats, clock, record, watch)
    late_fault = _first_fault(seats, lambda side: seats[side].end_game())
    if late_fault is not None and verdict.text is not None:  # nobody was at fault before
        verdict = late_fault
    assert verdict.outcome is not None
    record.outcome, record.evidence = verdict.outcome, verdict.evidence
    record.final = state.text()
    return record


def _first_fault(
    seats: dict[bool, Player], call: Callable[[bool], None], what: str = ""
) -> Verdict | None:
    """Call both players; return the verdict on the first fault, if there is one."""
    found = [(side, fault) for side in seats if (fault := attempt(call, side)) is not None]
    if not found:
        return None
    side, fault = found[0]
    return lost(side, Fault(fault.reason, f"{what}{fault.evidence}"), seats[side].name)


def failed_to_start(record: GameRecord) -> bool:
    """Return whether a game was lost by a player that could not get ready for it."""
    loser = record.second if record.score_first == 1.0 else record.first
    return not record.turns and record.evidence.startswith(f"{loser}: {FAILED_START}")


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
        cpu = seats[side].turn_cpu
        verdict = judge(state, answer, seats[side].name, clock, cpu)
        if verdict.text is None or isinstance(answer, Fault):
            return verdict
        before = state.copy() if watch else state
        record.turns.append(turn_of(verdict.text, clock.used, answer.info, cpu))
        if verdict.outcome is None:
            state.push(answer.move)
        if watch:
            clock.control.show_on(state, clock.remaining)
            watch(before, answer, clock.used)
        if verdict.outcome is not None:
            return verdict
    return Verdict("", outcome)
