"""``hansu uci``: any agent as a UCI engine that plays microchess.

The main thread reads commands and another one searches, so that ``stop`` and ``isready`` work at
once. A line that makes no sense is answered by an ``info string``.
"""

import math
import re
import threading
import time
import typing
from collections.abc import Callable, Iterable
from dataclasses import fields
from importlib.metadata import version
from typing import Annotated, Any

from hansu.agents.agent import Agent
from hansu.agents.agent_life import AgentLife
from hansu.agents.asking import ask
from hansu.agents.budget import move_seconds
from hansu.agents.registry import RESIGN_OPTION, named_agent
from hansu.errors import HansuError, UnknownName
from hansu.games.game import WHITE, Game
from hansu.games.state import RESIGN, State, Timing
from hansu.options import Range, split_options
from hansu.protocols.centipawns import centipawns
from hansu.search.info import SearchInfo
from hansu.search.limits import Limits, SearchHandle

REPORT_SECONDS = 0.5  # between two ``info`` lines of one search
ANY = Range(-(2**31), 2**31 - 1)
NUMBERS = ("depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo", "mate")
DEPTH_AND_NODES = ("depth", "nodes")
FLAGS = ("infinite", "ponder", "searchmoves")


class UciServer:
    """One agent behind UCI; ``write`` gets every line of the answer, ``load`` makes the agent."""

    def __init__(
        self,
        who: str,
        game: Game,
        write: Callable[[str], None],
        load: Callable[[str, Game], Agent] = named_agent,
    ) -> None:
        if game.name != "microchess":
            raise HansuError(f"UCI is for microchess, not for {game.name}")
        self.who, self.game, self._load = who, game, load
        self.state: State = game.start()
        self._life = AgentLife(self._made({}))
        self.multi_pv = 1
        self._write = write
        self._write_lock = threading.Lock()
        self._changed: dict[str, Any] = {}  # options that were set
        self._thinker: threading.Thread | None = None
        self._halted = threading.Event()
        self._handle = SearchHandle()  # of the search in progress
        self._seconds_after_hit: float | None = None  # that a pondering search may go on
        self._reported = 0.0

    @property
    def agent(self) -> Agent:
        """Who thinks."""
        return self._life.agent

    def run(self, lines: Iterable[str]) -> None:
        """Serve until ``quit`` or the end of the input."""
        commands: dict[str, Callable[[str], None]] = {
            "uci": self._introduce,
            "isready": self._answer_ready,
            "ucinewgame": self._new_game,
            "setoption": self._set_option,
            "position": self._set_position,
            "go": self._go,
            "stop": lambda _: self._halt(),
            "ponderhit": self._ponder_hit,
            **dict.fromkeys(("debug", "register"), lambda _: None),
        }
        try:
            for line in lines:
                word, _, rest = line.strip().partition(" ")
                if word == "quit":
                    break
                try:
                    if word in commands:
                        commands[word](rest.strip())
                    elif word:
                        self._complain(f"{word[:40]} is not a UCI command")
                except Exception as error:
                    self._complain(str(error))
        finally:
            self._halt()
            self._life.release()

    # Setting up --------------------------------------------------------------------------------

    def _introduce(self, _: str) -> None:
        self._say(f"id name hansu {self.who} {version('hansu')}")
        self._say("id author the hansu developers")
        self._say("option name UCI_Variant type combo default microchess var microchess")
        self._say("option name MultiPV type spin default 1 min 1 max 100")
        for name, value, kind in self._own_options():
            known = _known_values(kind)
            accepted = [each for each in known if each == value or self._accepts(name, each)]
            if not known or accepted != [value]:
                self._say(f"option name {name} type {_described(value, kind, accepted)}")
        self._say("uciok")

    def _own_options(self) -> list[tuple[str, Any, Any]]:
        """Return the agent's options: name, value, type. UCI knows no resigning."""
        options = self.agent.options
        kinds = typing.get_type_hints(type(options), include_extras=True)
        named = [(field.name, getattr(options, field.name)) for field in fields(options)]
        return [(name, value, kinds[name]) for name, value in named if name != RESIGN_OPTION]

    def _accepts(self, name: str, value: Any) -> bool:
        """Return whether the agent can play with an option, if need be with its limits lifted."""
        options = self._own_options()
        lifted = {other: None for other, _, kind in options if type(None) in typing.get_args(kind)}
        try:
            self._made({**lifted, name: value}).check(self.game)
        except Exception:  # an agent of one's own may raise anything
            return False
        return True

    def _set_option(self, text: str) -> None:
        match = re.fullmatch(r"name\s+(.+?)(?:\s+value(?:\s+(.*))?)?", text)
        if match is None:
            raise HansuError("setoption name NAME value VALUE is expected")
        name, value = match[1], (match[2] or "").strip()
        if name.lower() == "uci_variant":
            if value != "microchess":
                raise HansuError(f"{value} is not played here, only microchess")
            return
        self._halt()
        if name.lower() == "multipv":
            if not value.isdecimal() or int(value) < 1:
                raise HansuError(f"MultiPV is a whole number from 1, not {value!r}")
            self.multi_pv = int(value)
            return
        known = {own.lower(): own for own, _, _ in self._own_options()}
        if name.lower() not in known:
            raise UnknownName("option", name, known.values())
        changed = {**self._changed, known[name.lower()]: "" if value == "<empty>" else value}
        replacement = AgentLife(self._made(changed))
        self._life.release()
        self._life, self._changed = replacement, changed

    def _made(self, changed: dict[str, Any]) -> Agent:
        """Return the agent with some options changed."""
        made = self._load(self.who, self.game)
        if changed:
            name, given = split_options(self.who)
            made = type(made)(name, WHITE, **{**given, **changed})
            made.game = self.game
        return made

    def _answer_ready(self, _: str) -> None:
        try:
            self._get_ready()
        finally:
            self._say("readyok")

    def _get_ready(self) -> None:
        """Compile and load before the clock runs."""
        if not self._life.is_playing and self._thinker is None:
            self._life.begin_game(self.game.start())

    def _new_game(self, _: str) -> None:
        self._halt()
        if self._life.is_playing:
            self._life.begin_game(self.game.start())
        self.state = self.game.start()

    def _set_position(self, text: str) -> None:
        self._halt()
        self.state = self.game.parse(text)

    # Thinking ----------------------------------------------------------------------------------

    def _go(self, text: str) -> None:
        self._halt()
        words = self._words(text)
        try:
            self._get_ready()
        except Exception as error:  # a controller waits for its answer all the same
            self._complain(str(error))
        self._halted.clear()
        self._seconds_after_hit = None
        self._handle = SearchHandle(self._report)
        self._reported = time.monotonic()
        self.agent.color = self.state.turn
        arguments = (*self._asked(words), self._legal(words.get("searchmoves", [])))
        self._thinker = threading.Thread(target=self._think, args=arguments, daemon=True)
        self._thinker.start()

    def _words(self, text: str) -> dict[str, Any]:
        """Return the words after ``go``; report and drop a number that is none."""
        limits: dict[str, Any] = {}
        words = text.split()
        while words:
            word = words.pop(0)
            if word in FLAGS:
                limits[word] = []
                while words and word == "searchmoves" and words[0] not in (*NUMBERS, *FLAGS):
                    limits[word].append(words.pop(0))
            elif word in NUMBERS and words and re.fullmatch(r"-?\d{1,12}", words[0]):
                limits[word] = int(words.pop(0))
            else:
                self._complain(f"go: {word[:40]} is not understood")
        return limits

    def _asked(self, words: dict[str, Any]) -> tuple[State, Limits]:
        """Return the state with the clocks on it, and the limits that ``go`` asks for."""
        state, white = self.state.copy(), self.state.turn == WHITE

        def seconds(name: str) -> float:
            return float(max(0.001, words[name] / 1000))

        if "wtime" in words:
            state.white_remain_sec = seconds("wtime")
        if "btime" in words:
            state.black_remain_sec = seconds("btime")
        increment = "winc" if white else "binc"
        state.timing = Timing(
            increment=seconds(increment) if words.get(increment, 0) > 0 else 0.0,
            moves_to_go=words["movestogo"] if words.get("movestogo", 0) > 0 else None,
        )
        depth, nodes = (max(1, words[name]) if name in words else None for name in DEPTH_AND_NODES)
        limit = None
        if "movetime" in words:
            limit = seconds("movetime")
        elif "infinite" in words:
            limit = math.inf
        elif (depth or nodes) and ("wtime" if white else "btime") in words:
            limit = move_seconds(state)
        if "ponder" in words:
            self._seconds_after_hit = move_seconds(state) if limit is None else limit
            limit = math.inf
        return state, Limits(limit, depth, nodes, exact=self.multi_pv > 1)

    def _legal(self, words: list[str]) -> list[str]:
        """Those of the words that are moves; the others are told and left out."""
        legal = {self.state.move_text(move) for move in self.state.legal_moves}
        for word in words:
            if word not in legal:
                self._complain(f"searchmoves: {word[:40]} is not a legal move")
        return [word for word in words if word in legal]

    def _ponder_hit(self, _: str) -> None:
        """Let a search that ponders go on for the time of the move, and answer then."""
        if self._seconds_after_hit is not None:
            seconds = min(self._seconds_after_hit, threading.TIMEOUT_MAX)
            self._seconds_after_hit = None
            timer = threading.Timer(seconds, self._handle.stop)
            timer.daemon = True
            timer.start()
            self._halted.set()

    def _think(self, state: State, limits: Limits, allowed: list[str]) -> None:
        best = "(none)"
        try:
            if not state.is_game_over():
                best = self._best(state, limits, allowed)
        except Exception as error:
            self._complain(f"{self.who} failed: {type(error).__name__}: {error}")
            if self._handle.stopped:  # an isolated agent has nothing to say then
                best = allowed[0] if allowed else state.move_text(next(iter(state.legal_moves)))
        if limits.seconds == math.inf:
            self._halted.wait()  # the answer is not wanted before
        self._say(f"bestmove {best}")

    def _best(self, state: State, limits: Limits, allowed: list[str]) -> str:
        answer = ask(self.agent, state.copy(), limits, self._handle)
        move, info = answer.move, answer.info
        if info is not None:
            self._tell(info)
            lines = [line for line in info.lines if not allowed or line.text in allowed]
            if lines and (move is RESIGN or allowed):
                return lines[0].text
        if move is RESIGN:
            move = next(iter(state.legal_moves))
        best = state.move_text(move)
        return best if not allowed or best in allowed else allowed[0]

    def _halt(self) -> None:
        """End the search in progress, if any; its answer is sent when this returns."""
        if self._thinker is not None:
            self._handle.stop()
            self._halted.set()
            self._thinker.join()
            self._thinker = None

    # Talking -----------------------------------------------------------------------------------

    def _report(self, info: Callable[[], SearchInfo]) -> None:
        if time.monotonic() - self._reported >= REPORT_SECONDS:
            self._reported = time.monotonic()
            self._tell(info())

    def _tell(self, info: SearchInfo) -> None:
        speed = round(info.nodes / info.seconds) if info.seconds > 0 else 0
        cost = f"nodes {info.nodes} nps {speed} time {round(1000 * info.seconds)}"
        for number, line in enumerate(info.lines[: self.multi_pv], 1):
            variation = line.variation or (line.text,)
            depth = info.depth or len(variation)
            score = f"score cp {centipawns(line.value)}"
            moves = " ".join(variation)
            self._say(f"info depth {depth} multipv {number} {score} {cost} pv {moves}")

    def _complain(self, text: str) -> None:
        self._say(f"info string {' '.join(text.split())}")

    def _say(self, line: str) -> None:
        with self._write_lock:
            self._write(line)


def _known_values(kind: Any) -> list[Any]:
    """Return the values of a switch or a list, the ends of a range; nothing for what is a text."""
    if kind is bool:
        return [True, False]
    if typing.get_origin(kind) is typing.Literal:
        return list(typing.get_args(kind))
    wanted, *rules = typing.get_args(kind) if typing.get_origin(kind) is Annotated else (kind,)
    limits = next((rule for rule in rules if isinstance(rule, Range)), ANY)
    return [limits.least + limits.above, limits.most] if wanted is int else []


def _described(value: Any, kind: Any, accepted: list[Any]) -> str:
    """Return an option's type and default in UCI's words."""
    if kind is bool:
        return f"check default {str(value).lower()}"
    if typing.get_origin(kind) is typing.Literal:
        return f"combo default {value} " + " ".join(f"var {choice}" for choice in accepted)
    if ends := _known_values(kind):
        return f"spin default {value} min {ends[0]} max {ends[1]}"
    return f"string default {'none' if value is None else value if value != '' else '<empty>'}"
