"""``hansu gtp``: any agent as a GTP engine that plays go, othello or hex.

The commands are those of GTP version 2, and ``all_legal_moves`` of hex programs. Every line gets
its answer, an error one if need be; the score counts all stones as alive, as our rules do.
"""

import inspect
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from hansu.agents.agent import Agent
from hansu.agents.agent_life import AgentLife
from hansu.agents.asking import ask
from hansu.agents.registry import named_agent
from hansu.errors import HansuError, MoveError
from hansu.games.game import BLACK, WHITE, Game
from hansu.games.gtp import COLORS
from hansu.games.state import RESIGN, PlainState, State, Timing

COLOR_WORDS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
MAX_COMMAND = 100_000  # characters


@dataclass
class GtpClock:
    """A player's time: what is left, and for how many stones (0: for the whole game)."""

    left: float
    stones: int

    def show_on(self, state: State) -> None:
        """Tell a state what its side to move has left, and for how many moves."""
        if state.turn == WHITE:
            state.white_remain_sec = max(0.01, self.left)
        else:
            state.black_remain_sec = max(0.01, self.left)
        state.timing = Timing(moves_to_go=self.stones or None)

    def spend(self, seconds: float, byo_yomi: float, stones: int) -> None:
        """Use up time for a move; start the next period when this one is over."""
        self.left -= seconds
        was_last = self.stones == 1
        self.stones = max(0, self.stones - 1)
        if byo_yomi > 0 and (was_last or (self.stones == 0 and self.left <= 0)):
            self.left, self.stones = byo_yomi, stones


class GtpServer:
    """One agent behind GTP; ``write`` gets every answer, ``load`` makes the agent."""

    def __init__(
        self,
        who: str,
        game: Game,
        write: Callable[[str], None],
        load: Callable[[str, Game], Agent] = named_agent,
    ) -> None:
        self.dialect = game.gtp()
        self.dialect.check(game)
        self.who, self._write = who, write
        self._life = AgentLife(load(who, game))
        self.byo_yomi = (0.0, 0)  # seconds, stones
        self.clocks: dict[bool, GtpClock] = {}
        self.start = cast(PlainState, game.start())
        self.plays: list[tuple[bool, int]] = []  # since the start
        self.state = self.start
        self._before: list[PlainState] = []  # the state before each play
        self._quit = False
        self.commands: dict[str, Callable[..., str]] = {
            method.removeprefix("do_"): getattr(self, method)
            for method in sorted(dir(self))
            if method.startswith("do_")
        }

    @property
    def agent(self) -> Agent:
        """Who thinks."""
        return self._life.agent

    def run(self, lines: Iterable[str]) -> None:
        """Serve until ``quit`` or the end of the input."""
        with self._life:
            for line in lines:
                answer = self.answer(line)
                if answer is not None:
                    self._write(f"{answer}\n")
                if self._quit:
                    break

    def answer(self, line: str) -> str | None:
        """Answer a line; None if there is no command on it."""
        text = re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "", line[:MAX_COMMAND]).partition("#")[0]
        match = re.match(r"\s*(\d*)\s*(\S*)\s*(.*)", text)
        assert match is not None  # anything matches
        number, command, arguments = match[1], match[2], match[3].split()
        if not command:
            return None
        try:
            return f"={number} {self._obey(command, arguments)}".rstrip(" ")
        except HansuError as error:
            problem = str(error)
        except Exception as error:
            problem = f"{self.who} failed: {type(error).__name__}: {error}"
        return f"?{number} {' '.join(problem.split())}"

    def _obey(self, command: str, arguments: list[str]) -> str:
        if command not in self.commands:
            raise HansuError("unknown command")
        method = self.commands[command]
        try:
            inspect.signature(method).bind(*arguments)
        except TypeError:
            raise HansuError(f"syntax error: {method.__doc__}") from None
        return method(*arguments)

    # About the engine --------------------------------------------------------------------------

    def do_protocol_version(self) -> str:
        """protocol_version"""
        return "2"

    def do_name(self) -> str:
        """name"""
        return f"hansu {self.who}"

    def do_version(self) -> str:
        """version"""
        return version("hansu")

    def do_known_command(self, name: str) -> str:
        """known_command NAME"""
        return str(name in self.commands).lower()

    def do_list_commands(self) -> str:
        """list_commands"""
        return "\n".join(self.commands)

    def do_quit(self) -> str:
        """quit"""
        self._quit = True
        return ""

    # Setting up --------------------------------------------------------------------------------

    def do_boardsize(self, size: str, height: str = "") -> str:
        """boardsize SIZE"""
        if height and _whole(height) != _whole(size):  # Hex programs tell both
            raise HansuError(f"unacceptable size: {size}x{height} is no square")
        self._begin(self.dialect.resized(self.start.game, _whole(size)))
        return ""

    def do_clear_board(self) -> str:
        """clear_board"""
        self._begin(self.start.game)
        self._get_ready()
        return ""

    def do_komi(self, komi: str) -> str:
        """komi POINTS"""
        plays, start = self.plays, self.start
        game = self.dialect.with_komi(start.game, _number(komi))
        if game != start.game:
            self._begin(game, self.dialect.set_up(game, start))
            for color, move in plays:
                self._play(color, move)
        return ""

    def do_fixed_handicap(self, count: str) -> str:
        """fixed_handicap NUMBER"""
        return self._handicap(self.dialect.handicap(self.start.game, _whole(count)))

    def do_place_free_handicap(self, count: str) -> str:
        """place_free_handicap NUMBER"""
        return self.do_fixed_handicap(count)

    def do_set_free_handicap(self, *vertices: str) -> str:
        """set_free_handicap VERTEX ..."""
        points = [self.state.read_move(vertex) for vertex in vertices]
        if len(set(points)) < len(points) or len(points) < 2 or self.start.move_ids()[-1] in points:
            raise HansuError("bad vertex list: two or more different points are expected")
        self._handicap(points)
        return ""

    def do_loadsgf(self, file: str, move_number: str = "") -> str:
        """loadsgf FILE [MOVE_NUMBER]"""
        try:
            text = Path(file).read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise HansuError(f"cannot load file: {error.strerror}") from None
        state = cast(PlainState, self.start.game.parse(text))
        self.dialect.check(state.game)
        plays: list[tuple[bool, int]] = []
        while state.move_stack:
            move = state.pop()
            plays.insert(0, (state.turn, move))
        self._begin(state.game, state)
        for color, move in plays[: _whole(move_number) - 1 if move_number else None]:
            self._play(color, move)
        return ""

    def _handicap(self, points: list[int]) -> str:
        if self.plays or any(self.dialect.stones(self.start)):
            raise HansuError("board not empty")
        for point in points:
            self._play(BLACK, point)
        return " ".join(self._vertex(point) for point in points)

    def _begin(self, game: Game, start: PlainState | None = None) -> None:
        """Start from an empty board, or from a set-up one; keep the clocks."""
        self.start = self.state = start or cast(PlainState, game.start())
        self.plays, self._before = [], []
        self._life.end_game()

    def _get_ready(self) -> None:
        """Compile, load and reset before the clock runs."""
        if not self._life.is_playing:
            self._life.begin_game(self.start.game.start())

    # Playing -----------------------------------------------------------------------------------

    def do_play(self, color: str, vertex: str) -> str:
        """play COLOR VERTEX"""
        self._play(_color(color), self.state.read_move(vertex))
        return ""

    def do_genmove(self, color: str) -> str:
        """genmove COLOR"""
        side = _color(color)
        move = self._choose(side)
        if move is RESIGN:
            return "resign"
        if not self.state.is_game_over() or move != self.state.read_move("pass"):
            self._play(side, move)
        return self._vertex(move)

    def do_reg_genmove(self, color: str) -> str:
        """reg_genmove COLOR"""
        move = self._choose(_color(color))
        return "resign" if move is RESIGN else self._vertex(move)

    def do_undo(self) -> str:
        """undo"""
        if not self.plays:
            raise HansuError("cannot undo")
        self.plays.pop()
        self.state = self._before.pop()
        return ""

    def _play(self, color: bool, move: int) -> None:
        state = self.dialect.to_play(self.state, color)
        try:
            after = state.forward(move)
        except MoveError as error:
            raise HansuError(f"illegal move: {error}") from None
        self._before.append(self.state)
        self.plays.append((color, move))
        self.state = after

    def _choose(self, color: bool) -> Any:
        """Return the agent's move within its clock."""
        state = self.dialect.to_play(self.state, color)
        if state.is_game_over():
            if not state.game.has_pass:
                raise HansuError("the game is over")
            return state.read_move("pass")
        self._get_ready()
        self.agent.color = color
        clock = self.clocks.get(color)
        begin = time.monotonic()
        asked = state.copy()
        if clock is not None:
            clock.show_on(asked)
        move = ask(self.agent, asked).move
        if clock is not None:
            clock.spend(time.monotonic() - begin, *self.byo_yomi)
        if move is not RESIGN:
            state.forward(move)  # an agent of one's own may answer anything
        return move

    def _vertex(self, move: int) -> str:
        return self.dialect.vertex(self.state, move)

    # Time --------------------------------------------------------------------------------------

    def do_time_settings(self, main: str, byo_yomi: str, stones: str) -> str:
        """time_settings MAIN_SECONDS BYO_YOMI_SECONDS BYO_YOMI_STONES"""
        seconds, period, moves = _number(main), _number(byo_yomi), _whole(stones)
        self.byo_yomi = (period, moves) if moves else (0.0, 0)
        self.clocks = {}
        unlimited = (period > 0 and moves == 0) or (seconds <= 0 and period <= 0)
        if not unlimited:
            for color in COLORS:
                self.clocks[color] = GtpClock(seconds, 0) if seconds else GtpClock(period, moves)
        return ""

    def do_time_left(self, color: str, seconds: str, stones: str) -> str:
        """time_left COLOR SECONDS STONES"""
        self.clocks[_color(color)] = GtpClock(_number(seconds), _whole(stones))
        return ""

    # What the board says -----------------------------------------------------------------------

    def do_final_score(self) -> str:
        """final_score"""
        return self.dialect.score(self.state)

    def do_final_status_list(self, status: str) -> str:
        """final_status_list alive|seki|dead"""
        if status not in ("alive", "seki", "dead"):
            raise HansuError(f"syntax error: {self.do_final_status_list.__doc__}")
        return "\n".join(self.dialect.stones(self.state)) if status == "alive" else ""

    def do_all_legal_moves(self) -> str:
        """all_legal_moves"""
        return " ".join(self._vertex(move) for move in self.state.legal_moves)

    def do_showboard(self) -> str:
        """showboard"""
        return f"\n{self.state}"


def _color(text: str) -> bool:
    if text.lower() not in COLOR_WORDS:
        raise HansuError(f"invalid color {text!r}: black or white is expected")
    return COLOR_WORDS[text.lower()]


def _whole(text: str) -> int:
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII):
        raise HansuError(f"syntax error: {text!r} is not a whole number")
    return int(text)


def _number(text: str) -> float:
    if not re.fullmatch(r"[+-]?\d{0,9}(\.\d{0,9})?", text, re.ASCII) or not re.search(r"\d", text):
        raise HansuError(f"syntax error: {text!r} is not a number")
    return float(text)
