"""``Game``, the base class of all games, and the table of games."""

import functools
import importlib
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from typing_extensions import TypeVar

from hansu.errors import HansuError, OptionError, PositionError, UnknownName
from hansu.games.board_svg import Look, Picture
from hansu.games.open_spiel import OpenSpielGame
from hansu.games.training_size import TrainingSize
from hansu.importing import import_named
from hansu.options import make_options, option_text, split_options

if TYPE_CHECKING:
    from hansu.games.depth_search import DepthSearch
    from hansu.games.evaluator import Evaluator
    from hansu.games.features import Features
    from hansu.games.gtp import GtpDialect
    from hansu.games.sgf_dialect import SgfDialect
    from hansu.games.solver import Solver
    from hansu.games.state import State

WHITE = True
BLACK = False
COLOR_NAMES = {WHITE: "white", BLACK: "black", None: None}

GAMES = {
    "microchess": "hansu.games.microchess:Microchess",
    "go": "hansu.games.go:Go",
    "othello": "hansu.games.othello:Othello",
    "connect4": "hansu.games.connect4:Connect4",
    "tictactoe": "hansu.games.tictactoe:TicTacToe",
    "hex": "hansu.games.hex:Hex",
}
"""Short name -> module:class, as the page orders them. A game is imported when it is first used."""


@dataclass(frozen=True)
class GameOptions:
    """The options of a game; each game lists its own with the competition's defaults."""


OptionsT = TypeVar("OptionsT", bound=GameOptions, default=Any)


def check_color(color: object) -> None:
    """Raise OptionError for what is neither WHITE nor BLACK."""
    if not isinstance(color, Hashable) or color not in (WHITE, BLACK):
        raise OptionError(f"color: {color!r} is neither hansu.WHITE nor hansu.BLACK")


class Game(Generic[OptionsT]):
    """One game under chosen options: its start, its rules, its notation, its evaluation.

    Subclasses set the class attributes and implement ``start``, ``parse``, ``max_turns`` and
    ``features``; ``hansu.check_game`` then reports what is still wrong.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    first_color: ClassVar[bool] = WHITE
    Options: ClassVar[type[Any]] = GameOptions
    mcts_defaults: ClassVar[Mapping[str, Any]] = {}  # of the agent mcts, where this game differs
    mcts_strongest: ClassVar[Mapping[str, Any]] = {}  # its options where strength is all
    rules: ModuleType  # the rules module: see docs/design/kernel.md for the contract
    evaluate: ClassVar[Any]  # compiled evaluate(pos) -> the first player's share, in [0, 1]
    heavy_move: ClassVar[Any] = None  # the policy of heavy playouts; None: win at once, else random
    training_size: ClassVar[TrainingSize] = TrainingSize()
    formats: ClassVar[tuple[str, ...]] = ("transcript",)  # file formats of its own
    pieces: ClassVar[tuple[tuple[str, str], ...]] = ()  # as pictures name them, with letters
    draw_piece: ClassVar[Any]  # draw_piece(picture, name): one of them, on the first cell
    has_pass: ClassVar[bool] = False
    refusals: ClassVar[Mapping[str, str]] = {}  # of positions: what pages translate, by kind
    counts_dead_stones: ClassVar[bool] = False  # players may agree on them before counting

    def __init__(self, **options: Any) -> None:
        self.options: OptionsT = make_options(self.Options, self.name, options)

    def start(self) -> "State":
        """Return the position in which every game begins."""
        raise NotImplementedError

    def drawn(self, rows: list[str], turn: bool) -> str:
        """Return a position as text from rows of letters, from the top; ``.`` is an empty cell.

        ``pieces`` has the letters. Games whose counts tell who is to move do without ``turn``.
        """
        return "/".join(rows)

    def on_playout_board(self, state: "State") -> tuple[ModuleType, Any] | None:
        """Return a position as numbers without arrays: rules and words; None where it has none.

        Random games to the end are played there: see docs/design/kernel.md.
        """
        return None

    def start_from(self, position: str | None) -> "State":
        """Return the position of a text, or the start for None; raises PositionError."""
        if position is None:
            return self.start()
        if not isinstance(position, str):
            raise PositionError(f"{position!r} is not a position: a text is expected")
        return self.parse(position)

    def parse(self, text: str) -> "State":
        """Read a position or a record in this game's notation; raises PositionError."""
        raise NotImplementedError

    @property
    def max_turns(self) -> int:
        """The most turns that a game can last; buffers are sized by it."""
        raise NotImplementedError

    @functools.cached_property
    def evaluator(self) -> "Evaluator":
        """The hand-written evaluation of this game."""
        from hansu.games.evaluator import Evaluator  # which imports this module

        return Evaluator(self, self.evaluate)

    @functools.cached_property
    def features(self) -> "Features":
        """The position as planes and the moves as actions, for networks."""
        raise NotImplementedError

    def make_features(self, mirror: bool) -> "Features":
        """Return the features with the board turned for the side to move, or without."""
        if not mirror:
            raise OptionError(f"{self.name} is shown in one way only: mirror cannot be off")
        return self.features

    def showcase(self) -> "State":
        """Return a position whose picture shows what the game is like."""
        return self.start()

    def counted(self) -> "State | None":
        """Return a finished game that counting decides, for the page of rules; None: none does."""
        return None

    def piece_svg(self, name: str, set_name: str = "classic") -> str:
        """Return a picture of one piece by its name, from a set; raises UnknownName."""
        known = [piece for piece, _ in self.pieces]
        if name not in known:
            raise UnknownName("piece", name, known)
        picture = Picture(1, 1, Look(coordinates=False), name)
        self.draw_piece(picture, name)
        return picture.render()

    def make_solver(self, memory: int) -> "Solver":
        """Return an exact solver that uses so many megabytes; raises HansuError without one."""
        raise HansuError(f"{self.name} has no exact solver yet")

    def endings(self, state: "State") -> "Solver | None":
        """Return a solver that has this position in its tables; None where there are none."""
        return None

    def prepare_endings(self) -> None:
        """Compile how positions are looked up in the tables, where there are some."""

    def ending_evaluator(self) -> tuple[Any, Any] | None:
        """Return a leaf evaluation by tables, ``evaluate(pos, tables)``, and the tables."""
        return None

    def build_tables(
        self,
        pieces: int,
        memory: int,
        threads: int,
        report: Callable[[int, int, str], None],
        stopped: Callable[[], bool],
    ) -> tuple[str, dict[str, Any]]:
        """Build tables of all endings with up to so many pieces; say what is there, with its facts.

        ``memory`` is in megabytes; ``report`` hears what is done, of how much, and what is being
        built. Raises HansuError where the game has no such tables.
        """
        raise HansuError(f"{self.name} has no tables by the number of pieces")

    def make_depth_search(self, memory: int, solver: "Solver | None" = None) -> "DepthSearch":
        """Return the game's own search to a depth; raises HansuError without one.

        It uses so many megabytes, and the memory of the solver where it solves something.
        """
        raise HansuError(f"{self.name} has no search of its own")

    def gtp(self) -> "GtpDialect":
        """Return what GTP programs expect of this game; raises HansuError where there are none."""
        raise HansuError(f"no GTP program plays {self.name}")

    def sgf(self) -> "SgfDialect":
        """Return how SGF writes this game, where ``formats`` names it."""
        raise HansuError(f"SGF does not hold {self.name}")

    def open_spiel(self) -> OpenSpielGame:
        """Return the same game in OpenSpiel; raises HansuError where it has none."""
        raise HansuError(f"OpenSpiel has no {self.name}")

    def __str__(self) -> str:
        options = option_text(self.options)
        return f"{self.name}:{options}" if options else self.name

    def __repr__(self) -> str:
        return f"hansu.game({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.options == other.options

    def __hash__(self) -> int:
        return hash((type(self), self.options))

    def __reduce__(self) -> Any:
        return _remake, (type(self), self.options)


def _remake(kind: type[Game], options: GameOptions) -> Game:
    made = kind()
    made.options = options
    return made


def game(name: str | Game, **options: Any) -> Game:
    """Return a game by name, with its options as keywords or in the text.

    >>> import hansu
    >>> hansu.game("go", size=5)
    hansu.game('go:size=5')
    >>> hansu.game("go:size=5") == hansu.game("go", size=5)
    True

    A game of your own goes by its class: ``hansu.game("my_package.my_module:MyGame")``.
    """
    if isinstance(name, Game):
        if options:
            raise OptionError(f"{name} is already made; give its options when making it")
        return name
    if not isinstance(name, str):
        raise HansuError(f"{name!r} is not a game: a text such as 'go:size=5' is expected")
    place, _, rest = name.partition(":")
    class_name, colon, given = rest.partition(":")
    if place not in GAMES and class_name.isidentifier():
        kind, texts = _own_class(place, class_name), split_options(f"{colon}{given}")[1]
    else:
        short, texts = split_options(name)
        if short not in GAMES:
            raise UnknownName("game", short, GAMES)
        module_name, class_name = GAMES[short].split(":")
        kind = getattr(importlib.import_module(module_name), class_name)
    for option in texts.keys() & options.keys():
        raise OptionError(f"{name}: {option} is given twice")
    made: Game = kind(**texts, **options)
    return made


def _own_class(module_name: str, class_name: str) -> type[Game]:
    """Return the class of a user's own game; raises HansuError."""
    place = f"{module_name}:{class_name}"
    if not all(part.isidentifier() for part in module_name.split(".")):
        raise UnknownName("game", place, GAMES)
    found = getattr(import_named(module_name), class_name, None)
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise HansuError(f"{place} is not a game: a subclass of hansu.Game is expected")
    return found
