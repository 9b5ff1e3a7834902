"""Read records of go in SGF, as far as they make sense.

A state begins with one board, but a record may set up stones at any time. So a record is read as
stretches: each has a board, set up or empty, and the moves from there.
"""

from typing import TYPE_CHECKING, Any, cast

from hansu.errors import MoveError, PositionError
from hansu.games import sgf_dialect
from hansu.games.game import BLACK, WHITE, Game
from hansu.games.go import board
from hansu.games.go.notation import (
    SGF_LETTERS,
    colors_of,
    format_move,
    format_point,
    format_record,
    resized,
    set_up,
)
from hansu.games.go.tables import MAX_SIDE
from hansu.games.sgf import GameTree, Node
from hansu.games.sgf_dialect import (
    COLORS,
    SHOWN,
    OnProblem,
    SgfDialect,
    Stretch,
    count_moves,
    side_to_move,
)
from hansu.games.state import PlainState

if TYPE_CHECKING:
    from hansu.games.go import Go
    from hansu.games.go.state import GoState

STONES = {"AB": board.BLACK, "AW": board.WHITE, "AE": board.EMPTY}
MAX_SET_UP = 10_000  # values that set up stones in one record
MAX_STRETCHES = 100


class SgfGo(SgfDialect):
    """Go: points as two letters from the top left, komi, handicap."""

    number = "1"
    names = SgfDialect.names | {"KM", "HA"}
    pass_text = "pass"

    def read(self, game: Game, tree: GameTree, refuse: OnProblem, note: OnProblem) -> list[Stretch]:
        """Return the stretches of a record's main line."""
        chosen = cast("Go", game)
        if not tree.nodes[0].text("SZ") and _is_larger(chosen, tree):
            chosen = resized(chosen, str(MAX_SIDE), chosen.komi)  # what no SZ means in SGF
        return read_stretches(chosen, tree, refuse, note)

    def write(self, state: PlainState) -> str:
        """Return the game so far; it is also the text of a state."""
        return format_record(cast("GoState", state))

    def move_text(self, game: Game, value: str) -> str:
        """Return a point such as D6, or a pass."""
        return format_point(cast("Go", game), _parse_move(cast("Go", game), value.strip()))

    def move_value(self, state: PlainState, move: int) -> str:
        """Return two letters, or nothing for a pass."""
        return format_move(cast("GoState", state).game, move)

    def holds_options(self, game: Game) -> bool:
        """Return whether size and komi are all options: SGF has no turn limit."""
        return game.options.max_turns is None


def parse_record(game: "Go", text: str, allow_repeats: bool) -> "GoState":
    """Return the position at the end of a record's main line; raises PositionError.

    Damage that leaves the position clear is accepted: a tail that is cut off, passes after the end,
    stones that are set up in mid-game, a player who moves twice because the other passed.
    """

    def read(tree: GameTree, refuse: OnProblem, note: OnProblem) -> list[Stretch]:
        return read_stretches(game, tree, refuse, note, allow_repeats)

    state: GoState = sgf_dialect.parse_record(text, SgfGo.names, read)
    return state


def read_stretches(
    game: "Go", tree: GameTree, refuse: OnProblem, note: OnProblem, allow_repeats: bool = False
) -> list[Stretch]:
    """Return the stretches of a record's main line, at least one.

    ``refuse`` is called with what cannot be read, and may raise; else that is left out, after an
    unplayable move with all that follows. ``note`` is called with what was corrected.
    """
    values = sum(name in STONES for node in tree.nodes for name, _ in node.properties)
    if values > MAX_SET_UP:
        raise PositionError(f"{values} stones are set up: no board has so many points")
    reader = _Reader(_game_of(game, tree.nodes[0], refuse), tree, refuse, note, allow_repeats)
    for node in tree.nodes:
        reader.set_up(node)
        if not all(reader.play(node, *own) for own in node.properties if own[0] in COLORS):
            break
    reader.finish()
    return reader.stretches


class _Reader:
    """The board and the side to move while a record is read."""

    def __init__(
        self, game: "Go", tree: GameTree, refuse: OnProblem, note: OnProblem, allow_repeats: bool
    ) -> None:
        self.game = game
        self.refuse, self.note = refuse, note
        self.allow_repeats = allow_repeats
        self.stretches: list[Stretch] = []
        self.is_playing = False  # the last stretch is still open
        self.colors: list[Any] = [board.EMPTY] * (game.width * game.height)
        self.side: bool | None = None  # by PL; else the colour of the first move
        self.default_side = WHITE if _has_handicap(tree.nodes[0]) else BLACK
        self.unread = count_moves(tree)
        self.line = tree.line
        self.late_passes: list[int] = []  # the lines of those after the end

    def set_up(self, node: Node) -> None:
        """Put down the stones of a node; on a board that has moves they begin another stretch."""
        self.line = node.line
        if not any(name in STONES or name == "PL" for name, _ in node.properties):
            return
        colors, side = self._board(), side_to_move(node, self.refuse)
        for name, value in node.properties:
            if name in STONES:
                try:
                    for point in _parse_points(self.game, value.strip()):
                        colors[point] = STONES[name]
                except PositionError as error:
                    self.refuse(str(error), node.line)
        if self.is_playing:
            turn = self.stretches[-1].state.turn
            if colors == self._board() and side in (None, turn):
                return  # nothing changes
            self.is_playing = False
            self.side, self.default_side = None, turn
        self.colors, self.side = colors, self.side if side is None else side

    def _board(self) -> list[Any]:
        return colors_of(self.stretches[-1].state.words) if self.is_playing else list(self.colors)

    def play(self, node: Node, name: str, value: str) -> bool:
        """Play a move; whether the record can be read on."""
        color = COLORS[name]
        if not self.is_playing and not self._begin(color, node.line):
            return False
        if self.side not in (None, color) and not self.stretches[-1].nodes:
            what = f"PL says that {SHOWN[not color]} is to move, but {SHOWN[color]} moves"
            self.note(what, node.line)
        stretch = self.stretches[-1]
        state, number = stretch.state, len(stretch.nodes) + 1
        try:
            move = _parse_move(self.game, value.strip())
            if move == state.pass_move and state.is_game_over():
                self.late_passes.append(node.line)
                self.unread -= 1
                return True
            if color != state.turn and not state.is_game_over():
                what = f"{SHOWN[color]} moves twice, so a pass of {SHOWN[not color]} is put in"
                self.note(f"move {number} of the record: {what}", node.line)
                state.push(state.pass_move)
                stretch.nodes.append(None)
            if self.allow_repeats and _only_repeats(state, move):
                state.push_unchecked(move)
            else:
                state.push(move)
        except (MoveError, PositionError) as error:
            self.refuse(f"move {number} of the record: {error}", node.line, self.unread)
            return False
        stretch.nodes.append(node)
        self.unread -= 1
        return True

    def _begin(self, side: bool, line: int) -> bool:
        """Begin a stretch; false where its board cannot be set up, and that was not the first."""
        try:
            if len(self.stretches) == MAX_STRETCHES:
                raise PositionError(f"stones are set up more than {MAX_STRETCHES} times")
            state = set_up(self.game, self.colors, side == WHITE)
        except PositionError as error:
            if not self.stretches:
                raise
            self.refuse(str(error), line)
            return False
        self.stretches.append(Stretch(state, line))
        self.is_playing = True
        return True

    def finish(self) -> None:
        """Add a board without moves at the end as a stretch; report late passes."""
        if not self.is_playing:
            self._begin(self.default_side if self.side is None else self.side, self.line)
        if self.late_passes:
            count = len(self.late_passes)
            passes = "a pass" if count == 1 else f"{count} passes"
            self.note(f"{passes} after the end of the game left out", self.late_passes[0])


def _only_repeats(state: "GoState", move: int) -> bool:
    """Return whether superko is all that speaks against a move."""
    return move != state.pass_move and bool(state.move_ids()) and state.violates_superko(move)


def _game_of(game: "Go", root: Node, refuse: OnProblem) -> "Go":
    """Return the size and komi that a record names, else those of the game that reads it."""
    if root.text("GM", "1") not in ("1", ""):
        raise PositionError(f"the record is of another game than go: GM[{root.text('GM')[:20]}]")
    size = (root.text("SZ") or str(game.options.size)).replace(":", "x")
    game = resized(game, size, game.komi)
    komi = root.text("KM").replace(",", ".")
    if not komi:
        return game
    try:
        return resized(game, size, float(komi))
    except (ValueError, OverflowError) as error:
        reason = str(error) if isinstance(error, PositionError) else ""
        refuse(reason or f"komi is a number, not KM[{komi[:20]}]", root.line)
    return game


def _is_larger(game: "Go", tree: GameTree) -> bool:
    """Return whether a point of a record is on the largest board but not on the game's own."""
    columns, rows = set(SGF_LETTERS[: game.width]), set(SGF_LETTERS[: game.height])
    points = (
        value.strip()
        for node in tree.nodes
        for name, value in node.properties
        if name in COLORS or name in STONES
    )
    return any(
        len(point) == 2
        and set(point) <= set(SGF_LETTERS[:MAX_SIDE])
        and not (point[0] in columns and point[1] in rows)
        for point in points
    )


def _has_handicap(root: Node) -> bool:
    """Return whether Black has two handicap stones or more, so that White begins."""
    count = root.text("HA")
    return count.isdecimal() and len(count) < 4 and int(count) >= 2


def _parse_move(game: "Go", text: str) -> int:
    return game.width * game.height if text in ("", "tt") else _parse_point(game, text)


def _parse_point(game: "Go", text: str) -> int:
    columns, rows = SGF_LETTERS[: game.width], SGF_LETTERS[: game.height]
    if len(text) != 2 or text[0] not in columns or text[1] not in rows:
        raise PositionError(
            f"[{text[:20]}] is not a point of the {game.width}x{game.height} board: "
            f"[aa] (top left) to [{columns[-1]}{rows[-1]}] are"
        )
    return rows.index(text[1]) * game.width + columns.index(text[0])


def _parse_points(game: "Go", text: str) -> list[int]:
    """Return one point, or all of a rectangle such as ``aa:cb``."""
    corners = [_parse_point(game, corner.strip()) for corner in text.split(":", 1)]
    columns = [point % game.width for point in corners]
    rows = [point // game.width for point in corners]
    return [
        row * game.width + column
        for row in range(min(rows), max(rows) + 1)
        for column in range(min(columns), max(columns) + 1)
    ]
