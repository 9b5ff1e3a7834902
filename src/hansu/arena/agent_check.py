"""Stress-test an agent: would it be disqualified?"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hansu.arena.player import Player
from hansu.arena.referee import play
from hansu.arena.seat import seat
from hansu.games.game import Game
from hansu.games.state import State
from hansu.records.record import GameRecord, TimeControl

SECONDS = 60.0  # per player per game: enough for any agent that watches its clock
CORNER = 20.0  # in corner cases
HURRY = 3.0


@dataclass(frozen=True)
class Situation:
    """A game that an agent must survive."""

    name: str
    start: State
    first: bool  # whether the agent has the first colour
    seconds: float = SECONDS
    essential: bool = False  # whoever fails here cannot play at all


@dataclass(frozen=True)
class Finding:
    """A game that the agent lost by breaking the rules of the arena."""

    situation: str
    reason: str
    evidence: str
    record: GameRecord  # from which ``hansu replay --debug`` restores the moment

    def facts(self) -> dict[str, Any]:
        """Return it as JSON facts: ``turn`` is the turn, from 1, at which it happened."""
        return {
            "situation": self.situation,
            "reason": self.reason,
            "evidence": self.evidence,
            "turn": len(self.record.turns) + 1,
        }


def situations(game: Game, seed: int = 0, seconds: float = SECONDS) -> Iterator[Situation]:
    """Yield the start with both colours, corner cases of random games, and a short clock."""
    yield Situation("from the start, moving first", game.start(), True, seconds, True)
    yield Situation("from the start, moving second", game.start(), False, seconds, True)
    seen = _random_states(game, random.Random(seed))
    corners = {
        "the fewest legal moves": min(seen, key=lambda state: len(state.move_ids())),
        "the most legal moves": max(seen, key=lambda state: len(state.move_ids())),
        "late in a long game": max(seen, key=lambda state: len(state.move_stack)),
    }
    for name, state in corners.items():
        yield Situation(name, state, state.turn == game.first_color, min(CORNER, seconds))
    if seconds > HURRY:
        yield Situation(f"only {HURRY:g} seconds for the game", game.start(), True, HURRY)


def _random_states(game: Game, rng: random.Random) -> list[State]:
    """Return every unfinished position of some random games."""
    seen = []
    for _ in range(20):
        state = game.start()
        while not state.is_game_over():
            seen.append(state.copy())
            state.push(rng.choice(list(state.legal_moves)))
    return seen


def check_agent(
    player: Player, game: Game, seed: int = 0, seconds: float = SECONDS
) -> Iterator[tuple[Situation, Finding | None]]:
    """Play every situation against ``random``; yield each with the disqualification, if any."""
    opponent = seat("random", game)
    for number, situation in enumerate(situations(game, seed, seconds)):
        pair = (player, opponent) if situation.first else (opponent, player)
        record = play(situation.start, *pair, TimeControl(situation.seconds), seed + number)
        lost = record.score_first == (0.0 if situation.first else 1.0)
        found = None
        if record.evidence and lost:
            found = Finding(situation.name, record.outcome.reason, record.evidence, record)
        yield situation, found
