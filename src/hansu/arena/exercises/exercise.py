"""What an exercise is: a task for an agent, and one sentence about how the agent did."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from hansu.arena.judge import attempt, judge
from hansu.arena.player import Fault, Player
from hansu.arena.referee import play
from hansu.arena.seat import seat
from hansu.games.game import Game, game
from hansu.games.state import State
from hansu.records.record import GameRecord, TimeControl

MOVE_SECONDS = 10.0  # for one position


class Verdict(NamedTuple):
    """Whether an agent passed, and the sentence that says why."""

    passed: bool
    sentence: str


class Puzzle(NamedTuple):
    """A position with the moves that solve it."""

    state: State
    right: frozenset[Any]
    asked: str  # what is to be found, as in "the move that …"


@dataclass(frozen=True)
class Exercise:
    """A task of the tutorial. The same seed sets the same task."""

    number: int
    title: str
    which: str  # the game, with its options
    task: str
    hints: tuple[str, ...]

    @property
    def game(self) -> Game:
        """The game that is played."""
        return game(self.which)

    def check(self, player: Player, seed: int = 0) -> Verdict:
        """Try an agent; its faults are told in the sentence."""
        raise NotImplementedError


@dataclass(frozen=True)
class Positions(Exercise):
    """Find a right move in each of some positions."""

    puzzles: Callable[[Game, random.Random], Iterator[Puzzle]]
    count: int

    def check(self, player: Player, seed: int = 0) -> Verdict:
        """Ask for a move in every position; the first wrong one is shown."""
        source = self.puzzles(self.game, random.Random(seed))
        for number in range(1, self.count + 1):
            state, right, asked = next(source)
            answer = attempt(_answer, player, state, seed)
            verdict = judge(state, answer)
            where = f"in position {number} of {self.count}, {state.text()!r},"
            if isinstance(answer, Fault) or verdict.text is None:
                return Verdict(False, f"{where} it lost the game: {verdict.evidence}")
            if answer.move not in right:
                found = " or ".join(sorted(map(state.move_text, right)))
                return Verdict(False, f"{where} it played {verdict.text}; {found} {asked}")
        return Verdict(True, f"it found a right move in all {self.count} positions")


@dataclass(frozen=True)
class Match(Exercise):
    """Score so many points against an agent, half of the games with the first move."""

    opponent: str
    games: int
    points: float  # that are needed
    seconds: float = 60.0  # per player per game

    def check(self, player: Player, seed: int = 0) -> Verdict:
        """Play the match; a game lost by breaking the rules ends it."""
        opponent, scored = seat(self.opponent, self.game), 0.0
        try:
            for number in range(self.games):
                record = self._play(player, opponent, number, seed + number)
                mine = record.score_first if number % 2 == 0 else 1.0 - record.score_first
                if record.evidence and mine == 0.0:
                    return Verdict(False, f"it lost game {number + 1}: {record.evidence}")
                scored += mine
        finally:
            opponent.close()
        enough = scored >= self.points
        return Verdict(
            enough,
            f"it scored {scored:g} of {self.games} points against {self.opponent}, "
            f"and {self.points:g} are needed",
        )

    def _play(self, player: Player, opponent: Player, number: int, seed: int) -> GameRecord:
        pair = (player, opponent) if number % 2 == 0 else (opponent, player)
        return play(self.game.start(), *pair, TimeControl(self.seconds), seed)


def _answer(player: Player, state: State, seed: int) -> Any:
    TimeControl(move_seconds=MOVE_SECONDS).show_on(state, {True: None, False: None})
    player.reset(state.turn, state, seed)
    answer = player.act(state, MOVE_SECONDS)
    player.end_game()
    return answer
