"""Restore an agent to a turn of a recorded game."""

from dataclasses import dataclass
from typing import Any

from hansu.arena.player import Fault, LocalPlayer
from hansu.arena.referee import player_seeds
from hansu.errors import HansuError
from hansu.games.state import State
from hansu.records.record import GameRecord, written
from hansu.records.replay import states


@dataclass(frozen=True)
class Moment:
    """The state of a turn, the move played there, and earlier turns that differ now."""

    state: State
    played: str | None  # None after the last turn
    departures: list[str]  # earlier turns in which the agent now moves otherwise


def restore_agent(
    player: LocalPlayer, record: GameRecord, turns: int, rethink: bool = True
) -> Moment:
    """Restore a player's agent to a turn of a recorded game; raises HansuError.

    It gets the seed and the states with the clocks of the game. With ``rethink`` it also plays its
    earlier turns again, so that its random numbers and its memory are those of the game.
    """
    positions = list(states(record))
    if not 0 <= turns < len(positions):
        raise HansuError(f"the game has {len(record.turns)} turns: there is no turn {turns}")
    state = positions[turns]
    if (outcome := state.outcome()) is not None:
        raise HansuError(f"after {turns} turns the game is over, {outcome}")
    first, second = player_seeds(record.seed)
    seed = first if state.turn == record.first_color else second
    departures = []
    turn = 0
    try:
        player.reset(state.turn, positions[0].copy(), seed)
        for turn in range(1, turns + 1 if rethink else 1):
            before, then = positions[turn - 1], record.moves[turn - 1]
            if before.turn == state.turn:
                now = move_shown(before, player.act(before, None).move)
                if now != then:
                    departures.append(f"turn {turn}: {now} instead of {then}")
    except Fault as fault:
        where = f"in turn {turn}" if turn else "before the game"
        raise HansuError(f"{player.name} failed {where}: {fault.evidence}") from None
    played = record.moves[turns] if turns < len(record.turns) else None
    return Moment(state, played, departures)


def move_shown(state: State, move: Any) -> str:
    """Return an answer as a record has it, whatever it is."""
    try:
        return written(state, move)
    except Exception:
        return repr(move)[:40]
