"""State and Outcome: what agents and people see of a position.

``State`` is what every game's state can do; ``PlainState`` is the ready-made one for games whose
moves are plain integers (microchess has its own: a ``chess.Board``).
"""

import contextlib
import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from hansu.errors import HansuError, MoveError
from hansu.games.game import BLACK, COLOR_NAMES, WHITE, Game
from hansu.games.rules_on_words import SECOND, rules_on_words

Words = NDArray[np.uint64]


class Resign:
    """The type of ``hansu.RESIGN``, which an agent may return instead of a move."""

    def __repr__(self) -> str:
        return "hansu.RESIGN"

    def __reduce__(self) -> str:
        return "RESIGN"


RESIGN = Resign()


@dataclass(frozen=True)
class Outcome:
    """How a game ended: who won (True White, False Black, None nobody) and why.

    >>> Outcome(winner=True, reason="checkmate").result()
    '1-0'
    """

    winner: bool | None
    reason: str
    margin: float | None = None  # by how much the winner won, where a game counts that

    def result(self) -> str:
        """Return White's result in the notation of chess: 1-0, 0-1 or 1/2-1/2."""
        return {WHITE: "1-0", BLACK: "0-1", None: "1/2-1/2"}[self.winner]

    def facts(self) -> dict[str, str | None]:
        """Return who won and why, as programs read it.

        >>> Outcome(winner=None, reason="stalemate").facts()
        {'winner': None, 'reason': 'stalemate'}
        """
        return {"winner": COLOR_NAMES[self.winner], "reason": self.reason}

    def __str__(self) -> str:
        who = {WHITE: "White wins", BLACK: "Black wins", None: "draw"}[self.winner]
        by = f" by {self.margin:g}" if self.margin else ""
        return f"{who}{by} ({self.reason.replace('_', ' ')})"


@dataclass(frozen=True)
class Timing:
    """The time control of the move at hand, besides the seconds left on the clocks."""

    increment: float = 0.0  # seconds added to the clock after each move
    move_seconds: float = math.inf  # the limit of each move
    moves_to_go: int | None = None  # moves until the clock is reset; None: it never is


class State:
    """A position, the moves that led to it, and the legal moves.

    The type of a move depends on the game: ``parse_move`` reads one, ``move_text`` writes it.
    """

    game: Game
    white_remain_sec: float = 400.0
    black_remain_sec: float = 400.0
    timing: Timing = Timing()

    # What each game provides -------------------------------------------------------------------

    turn: bool  # whose move it is: hansu.WHITE (True) or hansu.BLACK (False)
    legal_moves: Iterable[Any]
    move_stack: Sequence[Any]  # the moves since the start of this game

    @property
    def words(self) -> Words:
        """The position as compiled code takes it."""
        raise NotImplementedError

    @property
    def path(self) -> Words:
        """The keys of the positions before this one, oldest first, with room for more."""
        raise NotImplementedError

    def path_with_room(self, plies: int | None = None) -> Words:
        """Return a copy of ``path`` for so many more keys; without a number, to the game's end."""
        played = len(self.move_stack)
        more = max(self.game.max_turns - played, 0) + 1 if plies is None else plies
        path = np.zeros(played + more, np.uint64)
        if self.game.rules.USES_PATH:
            path[:played] = self.path[:played]
        return path

    def move_ids(self) -> Sequence[int]:
        """Return the legal moves as compiled code numbers them."""
        raise NotImplementedError

    def move_id(self, move: Any) -> int:
        """Return a move's number in compiled code; raises MoveError for what is no move."""
        raise NotImplementedError

    def move_from_id(self, move_id: int) -> Any:
        """Return the move with a number in compiled code; raises MoveError if there is none."""
        raise NotImplementedError

    def copy(self) -> Self:
        """Return an independent state."""
        raise NotImplementedError

    def push(self, move: Any) -> None:
        """Make a move here, in place."""
        raise NotImplementedError

    def pop(self) -> Any:
        """Take the last move back and return it."""
        raise NotImplementedError

    def text(self) -> str:
        """Return the position as text, which ``game.parse`` reads back."""
        raise NotImplementedError

    def move_text(self, move: Any) -> str:
        """Return a move in this game's notation; raises MoveError for what is no move."""
        raise NotImplementedError

    def read_move(self, text: str) -> Any:
        """Return the move that a text names, legal or not; raises MoveError."""
        raise NotImplementedError

    def svg(self, **options: Any) -> str:
        """Return the board as a picture; see ``hansu.games.board_svg`` for the options."""
        raise NotImplementedError

    def tally(self) -> dict[str, tuple[float, float]]:
        """Return the counts of White and Black by name; the one that decides the game is last."""
        return {}

    # What follows from it, for every game ------------------------------------------------------

    @property
    def color(self) -> bool:
        """Whose move it is: another name of ``turn``."""
        return self.turn

    @property
    def remain_sec(self) -> float:
        """The seconds left to the side to move; infinite without a clock."""
        return self.white_remain_sec if self.turn == WHITE else self.black_remain_sec

    @property
    def increment_sec(self) -> float:
        """The seconds added to a player's clock after each move."""
        return self.timing.increment

    @property
    def max_move_sec(self) -> float:
        """The seconds that a single move may take; infinite without such a limit."""
        return self.timing.move_seconds

    @property
    def key(self) -> int:
        """A hash of the position: equal for equal positions, whichever moves led there."""
        return int(rules_on_words(self.game.rules).key(self.words))

    def forward(self, move: Any) -> Self:
        """Return the state after a move; this one stays as it is.

        >>> import hansu
        >>> state = hansu.game("tictactoe").start()
        >>> state.forward(state.parse_move("b2")).text()
        '....X....'
        """
        after = self.copy()
        after.push(move)
        return after

    def parse_move(self, text: str) -> Any:
        """Return the legal move that a text names; raises MoveError, which names legal ones."""
        if not isinstance(text, str):
            raise MoveError(f"{text!r} is not the text of a move")
        move = self.read_move(text)
        if self.move_id(move) not in self.move_ids():
            raise self.illegal(self.move_text(move))
        return move

    def illegal(self, text: str) -> MoveError:
        """Return the error to raise for a move that is not legal here."""
        legal = [self.move_text(self.move_from_id(move_id)) for move_id in self.move_ids()]
        if not legal:
            return MoveError(f"{text} is not legal: the game is over", rule="the_game_is_over")
        some = ", ".join(legal[:8]) + (", ..." if len(legal) > 8 else "")
        return MoveError(f"{text} is not legal here; legal moves are {some}", rule="not_legal")

    def move_cells(self, move: Any) -> tuple[str, ...]:
        """Return the cells to click to make a move, by their names in the picture.

        >>> import hansu
        >>> state = hansu.game("microchess").start()
        >>> state.move_cells(state.parse_move("d2d4"))
        ('d2', 'd4')
        """
        return (self.move_text(move),)

    def move_name(self, move: Any) -> str:
        """Return a move as people write it in a list of moves: SAN in chess.

        >>> import hansu
        >>> state = hansu.game("microchess").parse("3k/P3/4/4/K3 w - - 0 1")
        >>> state.move_name(state.parse_move("a4a5q"))
        'a5=Q+'
        """
        return self.move_text(move)

    def move_names(self, texts: Sequence[str]) -> list[str]:
        """Return moves that follow each other from here, as people write them.

        What cannot be played, in a variation of another program, stays as it is.

        >>> import hansu
        >>> hansu.game("microchess").start().move_names(["d2d4", "a5b4"])
        ['d4', 'Kb4']
        """
        if type(self).move_name is State.move_name:
            return list(texts)
        state, names = self.copy(), []
        with contextlib.suppress(MoveError):
            for text in texts:
                move = state.parse_move(text)
                names.append(state.move_name(move))
                state.push(move)
        return [*names, *texts[len(names) :]]

    def move_piece(self, move: Any) -> str:
        """Return the name of the piece that a move chooses, such as white_queen, or nothing."""
        return ""

    def captured(self) -> dict[str, list[str]]:
        """Return the names of the pieces that each side, white or black, has lost."""
        return {}

    def warning(self) -> str:
        """Return what the side to move must be warned of, such as check, or nothing."""
        return ""

    def announce(self, move: Any) -> str:
        """Return a move as a referee announces it.

        >>> import hansu
        >>> hansu.game("connect4").start().announce(4)
        'white 4'
        """
        player = COLOR_NAMES[self.turn]
        return f"{player} resigns" if move is RESIGN else f"{player} {self.move_text(move)}"

    def is_game_over(self) -> bool:
        """Return whether a rule has ended the game."""
        return self._ending() != 0

    def outcome(self) -> Outcome | None:
        """Return who won and why; None while the game runs."""
        ending = self._ending()
        if ending == 0:
            return None
        score = int(rules_on_words(self.game.rules).score_first(self.words, ending))
        first = self.game.first_color
        winner = None if score == 0 else first if score > 0 else not first
        return Outcome(winner, self.game.rules.ENDINGS[ending], self._margin())

    def _ending(self) -> int:
        on_words = rules_on_words(self.game.rules)
        return int(on_words.ending(self.words, self.path, len(self.move_ids())))

    def _margin(self) -> float | None:
        """Return by how much a finished game was won, where the game counts points."""
        return None

    def _repr_svg_(self) -> str:
        return self.svg(ground=True)

    def __repr__(self) -> str:
        return f"hansu.game({str(self.game)!r}).parse({self.text()!r})"


def check_state(value: object) -> None:
    """Raise HansuError for what is no state."""
    if not isinstance(value, State):
        raise HansuError(f"{value!r} is not a state: game.start() makes one")


def check_running(value: object) -> None:
    """Raise HansuError for what is no state, or one in which the game is over."""
    check_state(value)
    state = cast(State, value)
    if state.is_game_over():
        raise MoveError(
            f"the game is over, {state.outcome()}: there is no move to choose",
            rule="the_game_is_over",
        )


_NO_PATH = np.empty(0, dtype=np.uint64)


class PlainState(State):
    """The state of a game whose moves are plain integers: the position is an array of words."""

    def __init__(self, game: Game, words: Words) -> None:
        self.game = game
        self.move_stack: list[int] = []
        self._on_words = rules_on_words(game.rules)
        self._words = words
        self._before: list[Words] = []  # the positions that led here, for pop
        self._path = np.empty(32, np.uint64) if game.rules.USES_PATH else _NO_PATH
        self._move_ids: list[int] | None = None

    @property
    def turn(self) -> bool:  # type: ignore[override]
        """Whose move it is: hansu.WHITE (True) or hansu.BLACK (False)."""
        return self.game.first_color == (not self._words[SECOND])

    @property
    def legal_moves(self) -> list[int]:  # type: ignore[override]
        """All legal moves; empty once the board itself ends the game."""
        return list(self.move_ids())

    @property
    def words(self) -> Words:
        return self._words

    @property
    def path(self) -> Words:
        return self._path

    @property
    def start_words(self) -> Words:
        """The position that this game started from."""
        return self._before[0] if self._before else self._words

    def move_ids(self) -> list[int]:
        if self._move_ids is None:
            out = np.empty(self.game.rules.MAX_MOVES, np.int64)
            n = self._on_words.legal_moves(self._words, self._path, out)
            self._move_ids = out[:n].tolist()
        return self._move_ids

    def move_id(self, move: int) -> int:
        if isinstance(move, bool) or not isinstance(move, int | np.integer):
            raise self._no_move(move)
        return int(move)

    def move_from_id(self, move_id: int) -> int:
        try:
            return operator.index(move_id)
        except TypeError:
            raise self._no_move(move_id) from None

    def move_text(self, move: int) -> str:
        """Return a move in this game's notation; raises MoveError for what is no move."""
        try:
            return self.format_move(operator.index(move))
        except TypeError:
            raise self._no_move(move) from None

    def format_move(self, move: int) -> str:
        """Return the name of a move; raises MoveError for a number that is none."""
        raise NotImplementedError

    def _no_move(self, move: object) -> MoveError:
        return MoveError(f"{move!r} is not a {self.game.name} move: a whole number is expected")

    def copy(self) -> Self:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.move_stack = self.move_stack.copy()
        other._before = self._before.copy()
        if self.game.rules.USES_PATH:
            other._path = self._path.copy()
        return other

    def push(self, move: int) -> None:
        """Make a move here, in place; raises MoveError if it is not legal."""
        move = self.move_id(move)
        if move not in self.move_ids():
            raise self.illegal(self._shown(move))
        self.push_unchecked(move)

    def push_unchecked(self, move: int) -> None:
        """Make a move that the compiled rules can play; whether it is legal is not checked."""
        if self.game.rules.USES_PATH:
            turn = len(self.move_stack)
            if turn == len(self._path):
                self._path = np.concatenate([self._path, np.empty_like(self._path)])
            self._path[turn] = self._on_words.key(self._words)
        self._before.append(self._words)
        self.move_stack.append(move)
        self._words = self._on_words.play(self._words, move)
        self._move_ids = None

    def pop(self) -> int:
        """Take the last move back and return it; raises MoveError at the start of the game."""
        if not self._before:
            raise MoveError("there is no move to take back")
        self._words = self._before.pop()
        self._move_ids = None
        return self.move_stack.pop()

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_on_words"}

    def __setstate__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)
        self._on_words = rules_on_words(self.game.rules)

    def _shown(self, move: int) -> str:
        """Return a move for an error message; it may be none."""
        try:
            return self.move_text(move)
        except (MoveError, IndexError):
            return f"move {move}"

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same position, whichever moves led there."""
        return isinstance(other, PlainState) and (self.game, self.key) == (other.game, other.key)

    def __hash__(self) -> int:
        return self.key
