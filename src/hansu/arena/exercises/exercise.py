"""What an exercise is: a task for an agent, and one sentence about how the agent did."""

import random
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from hansu.arena.judge import attempt, judge
from hansu.arena.player import Fault, Player
from hansu.arena.referee import play
from hansu.arena.seat import seat
from hansu.games.game import Game, game
from hansu.games.state import State
from hansu.records.record import TimeControl
from hansu.statistics.sprt import Sprt
from hansu.statistics.stats import Played, Stats

MOVE_SECONDS = 10.0  # for one position


class Verdict(NamedTuple):
    """Whether an agent passed, and the sentence that says why."""

    passed: bool
    sentence: str
    state: State | None = None  # the position in which it failed


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

    @property
    def time(self) -> str:
        """How long the agent may think."""
        raise NotImplementedError

    def check(self, player: Player, seed: int = 0) -> Verdict:
        """Try an agent; its faults are told in the sentence."""
        raise NotImplementedError


@dataclass(frozen=True)
class Positions(Exercise):
    """Find a right move in each of some positions."""

    puzzles: Callable[[Game, random.Random], Iterator[Puzzle]]
    count: int

    @property
    def time(self) -> str:
        """The time for one position."""
        return f"{MOVE_SECONDS:g} seconds a position"

    def check(self, player: Player, seed: int = 0) -> Verdict:
        """Ask for a move in every position; the first wrong one is shown."""
        source = self.puzzles(self.game, random.Random(seed))
        for number in range(1, self.count + 1):
            state, right, asked = next(source)
            answer = attempt(_answer, player, state, seed)
            verdict = judge(state, answer)
            where = f"in position {number} of {self.count}"
            if isinstance(answer, Fault) or verdict.text is None:
                return Verdict(False, f"{where} it failed: {verdict.evidence}", state)
            if answer.move not in right:
                found = " or ".join(sorted(map(state.move_text, right)))
                return Verdict(False, f"{where} it played {verdict.text}; {found} {asked}", state)
        return Verdict(True, f"it found a right move in all {self.count} positions")


@dataclass(frozen=True)
class Match(Exercise):
    """Score so many points against an agent, half of the games with the first move."""

    opponent: str
    games: int
    points: float  # that are needed
    seconds: float = 60.0  # per player per game

    @property
    def time(self) -> str:
        """The time of the agent for a whole game."""
        return f"{self.seconds:g} seconds a game"

    def check(self, player: Player, seed: int = 0) -> Verdict:
        """Play the match; a game lost by breaking the rules ends it."""
        scored = 0.0
        for game_played in self._games(player, seed):
            if isinstance(game_played, Verdict):
                return game_played
            scored += game_played.score
        return Verdict(
            scored >= self.points,
            f"it scored {scored:g} of {self.games} points against {self.opponent}, "
            f"and {self.points:g} are needed",
        )

    def _games(self, player: Player, seed: int) -> Iterator[Played | Verdict]:
        """Play game by game; one that is lost by breaking the rules is a verdict."""
        with closing(seat(self.opponent, self.game)) as opponent:
            for number in range(self.games):
                first = number % 2 == 0
                pair = (player, opponent) if first else (opponent, player)
                control = TimeControl(self.seconds)
                record = play(self.game.start(), *pair, control, seed + number)
                mine = record.score_first if first else 1.0 - record.score_first
                if record.evidence and mine == 0.0:
                    yield Verdict(False, f"it lost game {number + 1}: {record.evidence}")
                yield Played(first, mine, record.start, tuple(record.moves))


@dataclass(frozen=True)
class Proof(Match):
    """Be shown stronger than an agent by a sequential test, within so many games."""

    points: float = 0.0  # nobody counts them
    test: ClassVar[Sprt] = Sprt(0.0, 100.0, alpha=0.01, beta=0.01)

    def check(self, player: Player, seed: int = 0) -> Verdict:
        """Play until the test decides."""
        played: list[Played] = []
        for each in self._games(player, seed):
            if isinstance(each, Verdict):
                return each
            played.append(each)
            stats = Stats.of(played)
            decision = self.test.decision(stats.evidence) if len(played) % 2 == 0 else None
            if decision:
                stronger = decision == "elo1"
                found = "stronger" if stronger else "not stronger"
                return Verdict(
                    stronger,
                    f"after {len(played)} games the test finds it {found} than {self.opponent} "
                    f"({stats.tally.points:g} points)",
                )
        return Verdict(
            False,
            f"the test was undecided after {self.games} games against {self.opponent} "
            f"({stats.tally.points:g} points)",
        )


def _answer(player: Player, state: State, seed: int) -> Any:
    TimeControl(move_seconds=MOVE_SECONDS).show_on(state, {True: None, False: None})
    player.reset(state.turn, state, seed)
    answer = player.act(state, MOVE_SECONDS)
    player.end_game()
    return answer
