"""The exact solver of small go boards; the score is the lead in points, komi counted."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hansu.errors import HansuError
from hansu.games.go import dfpn, proof, rules
from hansu.games.go.board import EMPTIES, LOST_BLACK, LOST_WHITE, has_dead
from hansu.games.go.dfpn_tables import NO, YES
from hansu.games.go.small_board import MAX_POINTS, PATHS, SmallBoard, fits, lead_above, part
from hansu.games.solver import UNBOUNDED, Bounds, Solver, Work, new_table

if TYPE_CHECKING:
    from hansu.games.go import Go

NEAR = 16  # points, or empty ones: such positions are mostly solved in seconds
MAX_KOMI = 100  # scores are kept as bytes
HINTS = 1 << 16
FIRST_TRY = 500  # positions that each side searches for a proof before the other one tries


class GoSolver(Solver):
    """Proofs by df-pn; near the turn limit null-window search on the path itself; anytime."""

    table: NDArray[np.uint64]
    few: ClassVar[int] = 200

    def __init__(self, game: "Go", memory: int) -> None:
        self._points = game.width * game.height
        if not fits(game.width, game.height):
            size = f"{game.width}x{game.height}"
            raise HansuError(f"go has an exact solver to {MAX_POINTS} points, not for {size}")
        if abs(game.komi) > MAX_KOMI:
            raise HansuError(f"go has an exact solver with a komi to {MAX_KOMI}, not {game.komi:g}")
        self._board = SmallBoard(game.width, game.height)
        self.table, self._text = new_table(memory), str(game)
        self._order = np.array([*_centrality(game.width, game.height), -self._points], np.int64)

    def bounds(self, state: Any) -> Bounds:
        """Return what the rules and unconditionally living stones tell."""
        return Bounds(*proof.bounds_of_words(state.words, state.path_with_room(1)))

    def is_near(self, state: Any) -> bool:
        """Return whether the board is small, or nearly full."""
        return self._points <= NEAR or int(state.words[EMPTIES]) <= NEAR

    def narrow(self, state: Any, known: Bounds, window: Bounds, work: Work) -> Bounds:
        """Search until the window is decided: for proofs by a strategy, then move by move."""
        if not has_dead(state.words):
            known = self._by_strategy(state, known, window, work)
        return self._by_depth(state, known, window, work)

    def prepare(self, start: Any) -> None:
        """Compile the search that follows where no strategy is a proof."""
        self._by_depth(start, UNBOUNDED, Bounds(0, 1), np.array([0, 1], np.int64))

    def _by_strategy(self, state: Any, known: Bounds, window: Bounds, work: Work) -> Bounds:
        """Let both sides look for proofs, in turn and longer and longer."""
        left = state.game.max_turns - len(state.move_stack)
        room = self._board.room(state, left, self.table, work)
        out, tries, in_vain = np.zeros(5, np.int64), FIRST_TRY, 0
        while not known.decide(window) and work[0] < work[1] and in_vain < 2:
            lower, upper = known & window
            than, in_vain = lower + (upper - lower) // 2, 0
            for room.task[0] in (0, 1):
                room.task[1] = work[0] + tries
                answer = dfpn.prove(room, lead_above(state, than), left, out)
                if answer == YES:
                    known &= Bounds(than + 1, known.upper)
                elif answer == NO:
                    known &= Bounds(known.lower, than)
                if answer in (YES, NO) or work[0] >= work[1]:
                    break
                in_vain += work[0] < room.task[1]  # there is no proof
            tries *= 2
        return known

    def _by_depth(self, state: Any, known: Bounds, window: Bounds, work: Work) -> Bounds:
        """Search deeper and deeper."""
        left = state.game.max_turns - len(state.move_stack)
        room = self._room(state, left, work)
        has_captured = state.words[LOST_BLACK] + state.words[LOST_WHITE] > 0
        most = self._points if has_captured else self._points - state.stones().count(None)
        for depth in range(1, left + 1):
            while not known.decide(window) and work[0] < work[1]:
                lower, upper = known & window
                than = lower + (upper - lower) // 2
                answer = proof.compare_words(state.words, room, depth, than, most)
                if answer == proof.UNKNOWN:
                    break
                known &= Bounds(than + 1, known.upper) if answer > 0 else Bounds(known.lower, than)
        return known

    def rules_text(self) -> str:
        """Return the board and its komi."""
        return self._text

    def _room(self, state: Any, left: int, work: Work) -> proof.Room:
        return proof.Room(
            stack=np.empty((left + 2, len(state.words)), np.uint64),
            path=state.path_with_room(left + 2),
            moves=np.empty((left + 2, rules.MAX_MOVES), np.int64),
            order=self._order,
            fewest=np.empty(left + 2, np.int64),
            hints=np.full(HINTS, -1, np.int64),
            table=part(self.table, PATHS),
            work=work,
        )


def _centrality(width: int, height: int) -> list[int]:
    """Return how near each point is to the middle, the greater the nearer."""
    return [
        -abs(2 * x + 1 - width) - abs(2 * y + 1 - height)
        for y in range(height)
        for x in range(width)
    ]
