"""Our own protocol of lines: the least that a program in any language must understand.

    we write                         it writes
    hansu 1 GAME                     ready            once
    new COLOR SEED POSITION          ready            for each game: its colour, a seed, the start
    play MOVE                                         a move of either side since the last question
    legal MOVE MOVE ...                               the moves that it may choose from
    go OWN OTHER INCREMENT LIMIT     MOVE, or resign  seconds left, and for this move; - is no limit
    quit

Moves and positions are written as everywhere in hansu. What we may write later begins with another
word: a program passes over lines that it does not know.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from hansu.agents.agent import Answer, Options
from hansu.games.game import COLOR_NAMES, WHITE
from hansu.games.state import RESIGN, State
from hansu.protocols.engine_agent import EngineAgent, EngineOptions
from hansu.protocols.pipe import LineEngine, Pipe
from hansu.protocols.program import START_SECONDS, split_command
from hansu.records.record import RESIGNED
from hansu.search.limits import Limits, SearchHandle

VERSION = 1
READY = "ready"


class LinesEngine(LineEngine):
    """A running program that speaks our protocol of lines."""

    protocol = "the protocol of lines"

    def __init__(self, pipe: Pipe, game: str) -> None:
        super().__init__(pipe)
        self.title = pipe.name
        self.prepare(f"hansu {VERSION} {game}")

    def prepare(self, line: str) -> None:
        """Send a line to which it answers that it is ready."""
        answer = self.ask(line, START_SECONDS)
        if answer != READY:
            self._fail(f"answered {line.split()[0]!r} with {answer[:80]!r} instead of {READY!r}")

    def tell(self, line: str) -> None:
        """Send a line that needs no answer."""
        with self._question(line.split()[0], "read", START_SECONDS):
            self.pipe.send(line)

    def ask(self, line: str, seconds: float) -> str:
        """Send a line and return the answer: the next line that is not empty."""
        word = line.split()[0]
        with self._question(word, f"answer {word!r}", seconds) as deadline:
            self.pipe.send(line)
            answer = ""
            while not answer:
                answer = self.pipe.receive(deadline).strip()
        return answer


@dataclass(frozen=True)
class LinesOptions(EngineOptions):
    """The program to run."""

    command: str = ""


class AnyLines(EngineAgent):
    """A program by its command: ``lines:./my_program --fast;move_time=2``."""

    Options: ClassVar[type[Options]] = LinesOptions
    engine: LinesEngine | None
    _told: tuple[str, list[Any]] | None = (
        None  # where its game started, and the moves that it knows
    )

    def command(self) -> list[str]:
        """Return the command that was named."""
        return split_command(self.options.command)

    def start(self) -> LinesEngine:
        """Start the program and tell it the game."""
        assert self.game is not None
        return LinesEngine(self.open(), str(self.game))

    def begin(self) -> None:
        """Forget the last game; the program hears of the new one with its start."""
        self._told = None
        if self.game is not None:
            self._follow(self.running(), self.game.start())

    def choose(self, state: State, limits: Limits, handle: SearchHandle) -> Answer:
        """Tell what has been played since, and ask for a move."""
        engine = self.running()
        self._follow(engine, state)
        legal = [state.move_text(move) for move in state.legal_moves]
        engine.tell(f"legal {' '.join(legal)}")
        seconds = self.bounded(state, limits).seconds
        left_alone = self.options.move_time is None and not self.is_asked(limits)
        white, black = state.white_remain_sec, state.black_remain_sec
        own, other = (white, black) if state.turn == WHITE else (black, white)
        limit = state.max_move_sec if left_alone else seconds
        clocks = (own, other, state.increment_sec, limit)
        answer = engine.ask(f"go {' '.join(map(_shown, clocks))}", self.patience(state, math.inf))
        if answer == RESIGNED:
            return Answer(RESIGN)
        # The referee says what is wrong with anything else.
        return Answer(state.parse_move(answer) if answer in legal else answer)

    def _follow(self, engine: LinesEngine, state: State) -> None:
        """Send the moves since the last question, or the whole game if it is another one."""
        root = state.copy()
        while root.move_stack:
            root.pop()
        start, moves = root.text(), list(state.move_stack)
        told = self._told
        if told is None or told[0] != start or told[1] != moves[: len(told[1])]:
            seed = self.rng.getrandbits(63)
            engine.prepare(f"new {COLOR_NAMES[self.color]} {seed} {start}")
            told = self._told = (start, [])
        for move in moves[: len(told[1])]:
            root.push(move)
        for move in moves[len(told[1]) :]:
            engine.tell(f"play {root.move_text(move)}")
            root.push(move)
            told[1].append(move)


def _shown(seconds: float) -> str:
    return f"{seconds:.3f}" if math.isfinite(seconds) else "-"
