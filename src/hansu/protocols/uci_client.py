"""A UCI engine as a plain object: one question, one answer, always with a deadline."""

import re
from collections.abc import Callable, Iterable
from typing import Any

import chess.engine
from chess.engine import EngineError, InfoDict, Limit, Option

from hansu.errors import OptionError
from hansu.protocols.pipe import LineEngine, Pipe
from hansu.protocols.program import START_SECONDS, EngineFailure

MAX_OUTPUT = 1 << 22  # characters of one answer
TOLD = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE | chess.engine.INFO_PV
NO_MOVE = ("", "(none)", "NULL", "0000")
_PARTS = ("name", "type", "default", "min", "max", "var")
_SPLIT = re.compile(rf"\s*\b({'|'.join(_PARTS)})\b\s*")


class UciEngine(LineEngine):
    """A running UCI engine. Every error is an EngineFailure that says what and why."""

    protocol = "UCI"

    def __init__(self, pipe: Pipe) -> None:
        super().__init__(pipe)
        self.options: dict[str, Option] = {}
        self.title = pipe.name
        self._set: dict[str, Any] = {}  # the values of its options
        self._game: object = None
        self._ask("uci", "answer uci with uciok", START_SECONDS, self._introduced)
        self._set = {name: option.default for name, option in self.options.items()}

    def _introduced(self, line: str) -> bool | None:
        word, _, rest = line.strip().partition(" ")
        if word == "option":
            option = read_option(rest)
            self.options[option.name] = option
        elif word == "id" and rest.startswith("name "):
            self.title = rest[5:].strip()
        return True if line.strip() == "uciok" else None

    def add_variant(self, name: str) -> None:
        """Note a variant that the engine has learnt since it listed those it knows."""
        known = self.options["UCI_Variant"]
        self.options["UCI_Variant"] = Option(
            known.name, known.type, known.default, known.min, known.max, [*(known.var or []), name]
        )

    def configure(self, options: dict[str, Any]) -> None:
        """Set options; one that the engine does not offer, or a wrong value, is an OptionError."""
        try:
            for name, value in options.items():
                self._set_option(name, value)
        except OptionError:
            self.close()
            raise
        self.ping()

    def ping(self) -> None:
        """Wait until the engine is ready."""
        what = "answer isready with readyok"
        self._ask("isready", what, START_SECONDS, lambda line: line.strip() == "readyok" or None)

    def play(
        self,
        board: chess.Board,
        limit: Limit,
        patience: float,
        game: object,
        root_moves: Iterable[chess.Move] | None = None,
    ) -> tuple[chess.Move | str | None, InfoDict]:
        """Return the engine's move within a limit, and what it said of it.

        An illegal move comes as the text that was sent. Past ``patience`` seconds the engine counts
        as dead. A new ``game`` is announced to it.
        """
        if game != self._game or game is None:
            self._game = game
            self._send("ucinewgame")
            self.ping()
        if "UCI_Variant" in self.options:
            self._set_option("UCI_Variant", type(board).uci_variant)
        self._send(_position(board))
        found: InfoDict = {}

        def heard(line: str) -> str | None:
            word, _, rest = line.strip().partition(" ")
            if word == "info":
                found.update(chess.engine._parse_uci_info(rest, board.copy(stack=False), TOLD))
            return (rest.split() or [""])[0] if word == "bestmove" else None

        answer = self._ask(_go(limit, root_moves), "answer go with bestmove", patience, heard)
        return _read_move(board, answer), found

    def stop(self) -> None:
        """Let the engine answer at once; from any thread."""
        if self.is_alive:
            self._send("stop")

    def _set_option(self, name: str, value: Any) -> None:
        if name not in self.options:
            offered = ", ".join(self.options)
            raise OptionError(
                f"{self.name} does not support option {name} (available options: {offered})"
            )
        try:
            value = self.options[name].parse(value)
        except EngineError as error:
            raise OptionError(f"{self.name}: {error}") from None
        if value is None or value != self._set.get(name):
            shown = str(value).lower() if isinstance(value, bool) else value
            self._send(f"setoption name {name}" + ("" if shown is None else f" value {shown}"))
            self._set[name] = value

    def _send(self, line: str) -> None:
        with self._question(line.split()[0], "read", START_SECONDS):
            self.pipe.send(line)

    def _ask(self, question: str, what: str, seconds: float, heard: Callable[[str], Any]) -> Any:
        """Send a line and read others until ``heard`` makes something of one."""
        if not self.is_alive:
            raise EngineFailure(f"{self.name} is not running")
        with self._question(question.split()[0], what, seconds) as deadline:
            self.pipe.send(question)
            size, answer = 0, None
            while answer is None:
                line = self.pipe.receive(deadline)
                size += len(line) + 1
                if size > MAX_OUTPUT:
                    raise ValueError(f"more than {MAX_OUTPUT} bytes of output")
                answer = heard(line)
        return answer


def read_option(text: str) -> Option:
    """Return an option from what follows the word ``option``.

    >>> read_option("name Skill Level type spin default 20 min 0 max 20").max
    20
    """
    parts, variants, current = dict.fromkeys(_PARTS[:-1], ""), [], ""
    for token in _SPLIT.split(text.strip()):
        if token == "var" or (token in parts and not parts[token]):
            current = token
        elif current == "var":
            variants.append(token)
        elif current:
            parts[current] = token
    low, high = (
        int(n) if re.fullmatch(r"-?\d+", n) else None for n in (parts["min"], parts["max"])
    )
    plain = Option(parts["name"], parts["type"], None, low, high, variants)
    try:
        default = plain.parse(parts["default"])
    except EngineError:  # its own default is wrong: that is its own affair
        default = None
    return Option(plain.name, plain.type, default, low, high, variants)


def _position(board: chess.Board) -> str:
    moves = [move.uci() for move in board.move_stack]
    fen = board.root().fen(en_passant="fen")
    return " ".join(["position fen", fen, *(["moves", *moves] if moves else [])])


def _go(limit: Limit, root_moves: Iterable[chess.Move] | None) -> str:
    seconds = {
        "wtime": limit.white_clock,
        "btime": limit.black_clock,
        "winc": limit.white_inc,
        "binc": limit.black_inc,
    }
    words = ["go"]
    for name, value in seconds.items():
        if value is not None:
            words += [name, str(max(1, round(1000 * value)))]
    for name, count in (("depth", limit.depth), ("nodes", limit.nodes)):
        if count is not None:
            words += [name, str(max(1, int(count)))]
    if limit.time is not None:
        words += ["movetime", str(max(1, round(1000 * limit.time)))]
    if root_moves is not None:
        words += ["searchmoves", *(move.uci() for move in root_moves)]
    return " ".join(words)


def _read_move(board: chess.Board, answer: str) -> chess.Move | str | None:
    """Return a legal move, or the answer as it was: the referee will say what is wrong with it."""
    if answer in NO_MOVE:
        return answer or None
    try:
        return board.parse_uci(answer.lower())
    except ValueError:
        return answer
