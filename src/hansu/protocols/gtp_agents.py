"""GTP engines as agents: ``gnugo``, ``grhino``, and any other by its command."""

import contextlib
import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, cast

from hansu.agents.agent import Answer, Options
from hansu.agents.budget import move_seconds
from hansu.errors import MoveError
from hansu.games.game import Game
from hansu.games.go.state import GoState
from hansu.games.gtp import COLORS
from hansu.games.state import RESIGN, PlainState, State
from hansu.options import Range
from hansu.protocols.engine_agent import LONGEST, EngineAgent, EngineOptions
from hansu.protocols.gtp_client import GtpEngine, GtpRefusal
from hansu.protocols.program import split_command
from hansu.search.limits import Limits, SearchHandle

GNUGO_SECONDS = 0.3  # that GNU Go's level 1 takes at most for a move on 9x9, on a busy machine
GNUGO_GROWTH = 0.7  # doublings of that with each level
SLOWEST = 8  # its slowest move takes this many times its average
GRHINO_SECONDS = {1: 0.02, 2: 0.05, 3: 0.5, 4: 6.0, 5: 300.0}  # that a move may take at a level


@dataclass(frozen=True)
class GtpOptions(EngineOptions):
    """The program to run."""

    command: str = ""


class GtpAgent(EngineAgent):
    """A GTP engine; it gets the moves since it was last asked."""

    engine: GtpEngine | None
    _told_seconds: float | None = None  # for a move, as the engine was last told
    _told: tuple[bytes, list[int]] | None = None  # where the engine's board started, and its moves

    def start(self) -> GtpEngine:
        """Start the program."""
        return GtpEngine(self.open())

    def check(self, game: Game) -> None:
        """Raise HansuError unless the engine knows game and board and is installed."""
        super().check(game)
        game.gtp().check(game)

    def begin(self) -> None:
        """Forget the last game; a program that plays by chance gets a new seed."""
        self._told = self._told_seconds = None
        engine = self.running()
        if "set_random_seed" in engine.commands:
            engine.ask(f"set_random_seed {self.rng.getrandbits(30)}")
        if self.game is not None:
            self._tell(engine, cast(PlainState, self.game.start()))

    def choose(self, state: State, limits: Limits, handle: SearchHandle) -> Answer:
        """Bring the engine's board up to date and let it move. GTP tells nothing but the move."""
        engine, board = self.running(), cast(PlainState, state)
        if board.game.gtp().is_implicit(board):
            return Answer(board.move_ids()[0])
        self._tell(engine, board)
        color = COLORS[board.turn]
        self._tell_time(engine, color, state, limits)
        answer = engine.ask(f"genmove {color}", self.patience(state, LONGEST)).strip()
        if answer.lower() == "resign":
            return Answer(RESIGN)
        try:
            move = board.read_move(answer)
        except MoveError:
            return Answer(answer)  # the referee will say what is wrong with it
        cast(Any, self._told)[1].append(move)
        return Answer(move)

    def _tell_time(self, engine: GtpEngine, color: str, state: State, limits: Limits) -> None:
        """Tell how many seconds the move may take, as a byo-yomi period of one stone.

        With ``move_time=none`` send nothing, unless the caller gives seconds, or it is a program
        that minds its own clock.
        """
        seconds = self.bounded(state, limits).seconds
        left_alone = self.options.move_time is None and not self.is_asked(limits)
        if left_alone and self.hears_clock and math.isfinite(state.remain_sec):
            if self._told_seconds is None:
                self._told_seconds = state.remain_sec
                self._advise(engine, "time_settings {} 0 0", state.remain_sec)
            self._advise(engine, f"time_left {color} {{}} 0", state.remain_sec)
        if left_alone or math.isinf(seconds):
            return
        if seconds != self._told_seconds:
            self._told_seconds = seconds
            self._advise(engine, "time_settings 0 {} 1", seconds)
        self._advise(engine, f"time_left {color} {{}} 1", seconds)

    def _tell(self, engine: GtpEngine, board: PlainState) -> None:
        """Send the moves since the last question, or the whole game if it is another one."""
        dialect = board.game.gtp()
        start, moves = board.start_words.tobytes(), board.move_stack
        told = self._told
        if told is None or told[0] != start or told[1] != moves[: len(told[1])]:
            told = self._told = (start, [])
            root = board.copy()
            while root.move_stack:
                root.pop()
            for command in dialect.opening(root):
                engine.ask(command)
        replay = board.copy()
        for _ in moves[len(told[1]) :]:
            replay.pop()
        for move in moves[len(told[1]) :]:
            if not dialect.is_implicit(replay):
                engine.ask(f"play {COLORS[replay.turn]} {dialect.move_text(replay, move)}")
            replay.push(move)
            told[1].append(move)

    def _advise(self, engine: GtpEngine, command: str, seconds: float) -> None:
        """Time commands are optional: ignore a refusal.

        GTP counts in whole seconds. Below one a fraction is tried first, for some take it.
        """
        if command.split()[0] not in engine.commands:
            return
        for text in [str(int(seconds))] if seconds >= 1 else [f"{max(0.01, seconds):.2f}", "1"]:
            with contextlib.suppress(GtpRefusal):
                engine.ask(command.format(text))
                return


class AnyGtp(GtpAgent):
    """Any GTP engine by its command: ``gtp:gnugo --mode gtp --level 5;move_time=2``."""

    Options: ClassVar[type[Options]] = GtpOptions

    def command(self) -> list[str]:
        """Return the command that was named."""
        return split_command(self.options.command)


@dataclass(frozen=True)
class GnuGoOptions(EngineOptions):
    """How strong it is; a higher level thinks longer and is lowered when time is short."""

    level: Annotated[int, Range(1, 10)] = 10


class GnuGo(GtpAgent):
    """GNU Go under our rules; it takes dead stones off the board before it passes."""

    _level = 0  # the program's level now

    Options: ClassVar[type[Options]] = GnuGoOptions
    games: ClassVar[tuple[str, ...]] = ("go",)

    def command(self) -> list[str]:
        """Return the program with our rules: area, no self-capture, situational superko."""
        rules = "--chinese-rules --forbid-suicide --situational-superko"
        ending = "--capture-all-dead --never-resign"  # the referee counts every stone as alive
        return f"gnugo --mode gtp {rules} {ending} --level {self.options.level}".split()

    def choose(self, state: State, limits: Limits, handle: SearchHandle) -> Answer:
        """Move, at a lower level where its own would lose on time."""
        asked = limits.seconds if self.is_asked(limits) else None
        seconds = min(SLOWEST * move_seconds(state), state.max_move_sec) if asked is None else asked
        points = len(cast(GoState, state).stones())
        doublings = math.log2(max(min(seconds, LONGEST) * 81 / points / GNUGO_SECONDS, 1e-9))
        level = max(0, min(self.options.level, 1 + math.floor(doublings / GNUGO_GROWTH)))
        engine = self.running()
        if level != self._level:
            engine.ask(f"level {level}")
            self._level = level
        return super().choose(state, limits, handle)

    def begin(self) -> None:
        """Forget the last game, at the level of the option again."""
        super().begin()
        self._level = self.options.level

    def _tell_time(self, engine: GtpEngine, color: str, state: State, limits: Limits) -> None:
        """Tell it nothing: with a clock it would choose another level by itself."""

    def dead_stones(self, state: State) -> frozenset[int]:
        """Return the points of the stones it counts as dead when the game is over."""
        engine, board = self.running(), cast(PlainState, state)
        self._tell(engine, board)
        names = engine.ask("final_status_list dead", LONGEST).split()
        return frozenset(board.read_move(name) for name in names)


@dataclass(frozen=True)
class GrhinoOptions(EngineOptions):
    """How strong it is: level 4 takes seconds a move and level 5 minutes."""

    level: Annotated[int, Range(1, 5)] = 3


class Grhino(GtpAgent):
    """GRhino, without its opening book: it plays the same moves every time."""

    Options: ClassVar[type[Options]] = GrhinoOptions
    games: ClassVar[tuple[str, ...]] = ("othello",)
    deterministic: ClassVar[bool] = True
    _highest = max(GRHINO_SECONDS)  # level that suits the time of the games
    _level: int | None = None  # below both, for the rest of a game whose time has become short

    def command(self) -> list[str]:
        """Return the program, which takes its level when it starts."""
        level = self._level or min(self.options.level, self._highest)
        return f"gtp-rhino --level={level} --book=0 --rand=0".split()

    def prepare(self, start: State) -> None:
        """Choose a level for the time of the games: a restart takes longer than a move may."""
        self._highest = _fitting_level(move_seconds(start))

    def choose(self, state: State, limits: Limits, handle: SearchHandle) -> Answer:
        """Move, at a lower level for the rest of the game where its own would lose on time."""
        asked = limits.seconds if self.is_asked(limits) else None
        fitting = _fitting_level(move_seconds(state) if asked is None else asked)
        if fitting < (self._level or min(self.options.level, self._highest)):
            self.release()
            self._level, self._told = fitting, None
            self.engine = self.start()
        return super().choose(state, limits, handle)

    def begin(self) -> None:
        """Forget the last game, at the level for the beginning again."""
        if self._level is not None:
            self.release()
            self._level = None
            self.engine = self.start()
        super().begin()


def _fitting_level(seconds: float) -> int:
    """The highest level of GRhino that moves within some seconds."""
    return max(n for n, needed in GRHINO_SECONDS.items() if n == 1 or needed <= seconds)
