"""GTP engines as agents: ``gnugo``, ``grhino``, and any other by its command."""

import contextlib
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, cast

from hansu.agents.agent import Options
from hansu.errors import MoveError
from hansu.games.game import Game
from hansu.games.state import RESIGN, PlainState, State
from hansu.options import Range
from hansu.protocols.external import EngineOptions, ExternalAgent, seconds_left
from hansu.protocols.gtp_client import GtpEngine, GtpRefusal
from hansu.protocols.gtp_games import COLORS, GTP_GAMES
from hansu.protocols.program import split_command
from hansu.protocols.uci_agents import CommandOptions

LONGEST = 600.0  # seconds for a move when there is no clock


class GtpAgent(ExternalAgent):
    """A GTP engine. It is told what has happened since it was last asked."""

    games: ClassVar[tuple[str, ...]] = ("go", "othello")
    engine: GtpEngine | None
    _told: tuple[bytes, list[int]] | None = None  # where the engine's board started, and its moves

    def start(self) -> GtpEngine:
        """Start the program."""
        return GtpEngine(self.command())

    def check(self, game: Game) -> None:
        """It must know the game and its board, and be installed."""
        super().check(game)
        GTP_GAMES[game.name].check(game)

    def begin(self) -> None:
        """Forget the last game; a program that plays by chance gets a new seed."""
        self._told = None
        engine = self.running()
        if "set_random_seed" in engine.commands:
            engine.ask(f"set_random_seed {self.rng.getrandbits(30)}")
        if self.game is not None:
            self._tell(engine, cast(PlainState, self.game.start()))

    def act(self, state: State) -> Any:
        """Bring the engine's board up to date and let it move."""
        engine, board = self.running(), cast(PlainState, state)
        if GTP_GAMES[board.game.name].is_unspoken(board):
            return board.codes()[0]
        self._tell(engine, board)
        color = COLORS[board.turn]
        if "time_left" in engine.commands:
            self._advise(engine, f"time_left {color} {self._whole_seconds()} 1")
        patience = min(seconds_left(board), LONGEST) + 0.5
        answer = engine.ask(f"genmove {color}", patience).strip()
        if answer.lower() == "resign":
            return RESIGN
        try:
            move = board.read_move(answer)
        except MoveError:
            return answer  # the referee will say what is wrong with it
        cast(Any, self._told)[1].append(move)
        return move

    def _tell(self, engine: GtpEngine, board: PlainState) -> None:
        """What happened since, or the whole game if it is another one than the engine knows."""
        dialect = GTP_GAMES[board.game.name]
        start, moves = board.start_words.tobytes(), board.move_stack
        told = self._told
        if told is None or told[0] != start or told[1] != moves[: len(told[1])]:
            told = self._told = (start, [])
            root = board.copy()
            while root.move_stack:
                root.pop()
            for command in dialect.opening(root):
                engine.ask(command)
            if "time_settings" in engine.commands:
                self._advise(engine, f"time_settings 0 {self._whole_seconds()} 1")
        replay = board.copy()
        for _ in moves[len(told[1]) :]:
            replay.pop()
        for move in moves[len(told[1]) :]:
            if not dialect.is_unspoken(replay):
                engine.ask(f"play {COLORS[replay.turn]} {replay.move_text(move)}")
            replay.push(move)
            told[1].append(move)

    def _advise(self, engine: GtpEngine, command: str) -> None:
        """About time: who does not want to know may refuse."""
        with contextlib.suppress(GtpRefusal):
            engine.ask(command)

    def _whole_seconds(self) -> int:
        return max(1, round(float(self.options.move_time)))


class AnyGtp(GtpAgent):
    """Any GTP engine by its command: ``gtp:gnugo --mode gtp --level 5;move_time=2``."""

    Options: ClassVar[type[Options]] = CommandOptions

    def command(self) -> list[str]:
        """What was named."""
        return split_command(self.options.command)


@dataclass(frozen=True)
class GnuGoOptions(EngineOptions):
    """How strong it is; the level decides how long it thinks, whatever ``move_time`` says."""

    level: Annotated[int, Range(1, 10)] = 10


class GnuGo(GtpAgent):
    """GNU Go under our rules; it takes dead stones off the board before it passes."""

    Options: ClassVar[type[Options]] = GnuGoOptions
    games: ClassVar[tuple[str, ...]] = ("go",)

    def command(self) -> list[str]:
        """The program with our rules: area, no self-capture, situational superko."""
        rules = "--chinese-rules --forbid-suicide --situational-superko"
        ending = "--capture-all-dead --never-resign"  # the referee counts every stone as alive
        return f"gnugo --mode gtp {rules} {ending} --level {self.options.level}".split()

    def dead_stones(self, state: State) -> frozenset[int]:
        """The points whose stones it holds for dead when the game is over."""
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

    def command(self) -> list[str]:
        """The program."""
        return f"gtp-rhino --level={self.options.level} --book=0 --rand=0".split()
