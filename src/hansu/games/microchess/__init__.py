"""Microchess: chess on four files and five ranks; material decides a drawn game.

White begins. A state is a python-chess ``Board`` and moves are ``chess.Move``; while this package
is loaded, ``chess.pgn`` reads and writes its games too (``[Variant "Microchess"]``).
"""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

import chess.variant

from hansu.errors import OptionError
from hansu.games.features import Features
from hansu.games.game import Game, GameOptions
from hansu.games.microchess import (
    draw,
    evaluate,
    features,
    features_absolute,
    material,
    notation,
    playout,
    rules,
)
from hansu.games.microchess.endings import evaluate_ending, pack_tables
from hansu.games.microchess.solver import (
    MicrochessSolver,
    folder_of,
    judge_of,
    open_tablebase,
)
from hansu.games.microchess.state import MicrochessState
from hansu.games.microchess.tablebase.building import build
from hansu.games.microchess.tablebase.classes import MOST
from hansu.games.training_size import TrainingSize
from hansu.games.transcript import bare

if TYPE_CHECKING:
    from hansu.games.microchess.depth_search import MicrochessDepthSearch
    from hansu.games.solver import Solver

LONGEST = 10_000  # a game without a turn limit is never expected to last longer
MEMORY = 64  # megabytes of tables that a search keeps in memory

chess.variant.VARIANTS.append(MicrochessState)  # where chess.pgn looks for a game's Variant


@dataclass(frozen=True)
class MicrochessOptions(GameOptions):
    """The rules of microchess that can be chosen; a limit can be none.

    >>> import hansu
    >>> hansu.game("microchess:max_turns=none,adjudication=off")
    hansu.game('microchess:max_turns=none,adjudication=off')
    """

    max_turns: int | None = 80  # counted from where the game started
    no_progress: int | None = 50  # turns without a capture or a pawn move
    repetitions: int | None = 5  # of the same position
    material: str = material.USUAL  # piece values for adjudication
    adjudication: bool = True  # off: draws stay draws

    def __post_init__(self) -> None:
        limits = (("max_turns", 1, LONGEST), ("no_progress", 1, LONGEST), ("repetitions", 2, 255))
        for name, least, most in limits:
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                raise OptionError(
                    f"microchess option {name}: {value} is not none or {least} to {most}"
                )
        table = material.format_table(material.parse_table(self.material))
        object.__setattr__(self, "material", table)


class Microchess(Game[MicrochessOptions]):
    """Chess on 4x5; draws are adjudicated by material."""

    name = "microchess"
    title = "Microchess"
    Options = MicrochessOptions
    # Random games say little about a won ending, material after a few plies says much.
    mcts_defaults: ClassVar[Mapping[str, Any]] = {"max_depth": 6, "reward_amplify": True}
    rules = rules
    evaluate = staticmethod(evaluate.evaluate)  # material
    heavy_move = staticmethod(playout.heavy_move)  # captures by what they gain
    pieces = notation.PIECES
    formats = ("pgn",)
    training_size = TrainingSize(
        "R64x3", temperature_turns=12, noise_alpha=0.8, random_opening_plies=6
    )
    refusals: ClassVar[Mapping[str, str]] = {
        "no_white_king": "FEN field {field}: White has no king",
        "no_black_king": "FEN field {field}: Black has no king",
        "many_kings": "FEN field {field}: a side has more than one king",
        "pawn_on_edge": "FEN field {field}: a pawn stands on rank 1 or rank 5",
        "opposite_check": "FEN field {field}: the side that is not to move is in check",
    }

    @functools.cached_property
    def limits(self) -> tuple[int, int, int, int]:
        """The rule set as the last words of a position."""
        chosen = self.options
        table = material.pack(chosen.material) if chosen.adjudication else 0
        return chosen.max_turns or 0, chosen.no_progress or 0, chosen.repetitions or 0, table

    @property
    def max_turns(self) -> int:
        """The turn limit, or far more turns than a game takes."""
        return self.options.max_turns or LONGEST

    def start(self) -> MicrochessState:
        """Return the usual start."""
        return MicrochessState(game=self)

    def showcase(self) -> MicrochessState:
        """Return a position whose picture shows what the game is like."""
        return self.parse("startpos moves d2d4 b5c3 d1c2 c3b1 a1b1")

    def counted(self) -> MicrochessState:
        """Return an ending in which neither side can mate: a bishop more wins."""
        return self.parse("8/8/8/1k6/8/3K4/8/2b5 b - - 0 1")

    def drawn(self, rows: list[str], turn: bool) -> str:
        """Return a FEN; king and rook that stand at home may castle."""
        return notation.drawn_fen(rows, turn)

    def parse(self, text: str) -> MicrochessState:
        """Read a FEN in either form or ``startpos``, with ``moves d2d4 ...``, or a game in PGN.

        >>> import hansu
        >>> game = hansu.game("microchess")
        >>> print(game.parse("8/8/8/8/k7/8/K7/2b5 b - - 0 14").outcome())
        Black wins (insufficient material)
        >>> game.parse("startpos moves d2d4 a4a3").text()
        '8/8/8/knbr4/3P4/p7/8/RBNK4 w Kk - 0 2'
        """
        return notation.parse_game(self.start(), bare(text))

    def piece_svg(self, name: str, set_name: str = "classic") -> str:
        """Return a picture of one piece, such as white_pawn, from a set; raises UnknownName."""
        return draw.piece_svg(name, set_name)

    def make_solver(self, memory: int) -> MicrochessSolver:
        """Return the solver: tablebases and search; raises HansuError without tables."""
        return MicrochessSolver(self, memory)

    def make_depth_search(
        self, memory: int, solver: "Solver | None" = None
    ) -> "MicrochessDepthSearch":
        """Return the alpha-beta search on a small network."""
        from hansu.games.microchess.depth_search import (
            MicrochessDepthSearch,
        )  # for those who search

        return MicrochessDepthSearch(memory)

    def endings(self, state: Any) -> MicrochessSolver | None:
        """Return the solver if a position has few enough pieces for the tables that are there."""
        pieces = state.occupied.bit_count()
        if pieces > MOST or pieces > open_tablebase(self, MEMORY).pieces:
            return None
        return MicrochessSolver(self, MEMORY)

    def prepare_endings(self) -> None:
        """Compile how positions are looked up in the tablebases, if there are some."""
        if open_tablebase(self, MEMORY).pieces:
            MicrochessSolver(self, MEMORY).prepare(self.start())

    def ending_evaluator(self) -> tuple[Any, Any] | None:
        """Return the evaluation by tablebases, if there are some."""
        tablebase = open_tablebase(self, MEMORY)
        return (evaluate_ending, pack_tables(tablebase)) if tablebase.pieces else None

    def build_tables(
        self,
        pieces: int,
        memory: int,
        threads: int,
        report: Callable[[int, int, str], None],
        stopped: Callable[[], bool],
    ) -> tuple[str, dict[str, Any]]:
        """Build the tablebases for these rules; say what is there, with its facts."""
        judge, folder = judge_of(self), folder_of(self)
        built = build(judge, folder, pieces, memory, threads, report, stopped)
        return str(built), {**vars(built), "folder": str(built.folder)}

    @functools.cached_property
    def features(self) -> Features:
        """Twelve planes and a vector of four, seen by the side to move; 400 actions."""
        return self._make_features(features)

    @functools.cached_property
    def _absolute_features(self) -> Features:
        return self._make_features(features_absolute)

    def make_features(self, mirror: bool) -> Features:
        """Return the features; with ``mirror`` the board is turned for Black."""
        return self.features if mirror else self._absolute_features

    def _make_features(self, compiled: ModuleType) -> Features:
        return Features(
            self,
            compiled,
            features.SHAPE,
            features.ACTIONS,
            features.SYMMETRIES,
            vector=features.VECTOR,
            packing=features.PACKING,
        )
