"""Hex in SGF, as HexGui writes it: ``(;FF[4]GM[11]SZ[11];B[a1];W[swap-pieces];B[f6])``."""

from typing import TYPE_CHECKING, cast

from hansu.errors import MoveError, PositionError
from hansu.games import sgf_dialect
from hansu.games.game import BLACK, Game
from hansu.games.hex import notation, rules
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
    from hansu.games.hex import Hex
    from hansu.games.hex.state import HexState

STONES = {"AB": "x", "AW": "o", "AE": "."}
RESIGNATIONS = ("resign", "forfeit")


class SgfHex(SgfDialect):
    """Hex: cells a1 (top left) and so on, ``swap-pieces``."""

    number = "11"

    def read(self, game: Game, tree: GameTree, refuse: OnProblem, note: OnProblem) -> list[Stretch]:
        """Return the moves of a record's main line from the board that its root sets up."""
        chosen = _game_of(cast("Hex", game), tree)
        stretch = Stretch(_set_up(chosen, tree, refuse), tree.line)
        unread = count_moves(tree)
        for node in tree.nodes:
            for name, value in node.properties:
                try:
                    if name in STONES and stretch.nodes:
                        raise PositionError("stones are set up in mid-game")
                    if name in COLORS:
                        _play(stretch, node, COLORS[name], value)
                        unread -= 1
                except (MoveError, PositionError) as error:
                    refuse(str(error), node.line, unread + (name in STONES))
                    return [stretch]
        return [stretch]

    def write(self, state: PlainState) -> str:
        """Return the game so far, from the board it started from."""
        game, start = cast("HexState", state).game, state.start_words
        root = f"(;FF[4]GM[11]CA[UTF-8]AP[hansu]SZ[{game.size}]"
        colors = notation.colors_of(start)
        for name, color in (("AB", rules.BLACK), ("AW", rules.WHITE)):
            cells = [cell for cell, own in enumerate(colors) if own == color]
            stones = "".join(f"[{notation.format_cell(game.size, cell)}]" for cell in cells)
            root += name + stones if stones else ""
        white = bool(start[rules.SECOND])
        root += f"PL[{'BW'[white]}]" if any(colors) else ""
        turns = [
            f";{'BW'[white ^ turn % 2]}[{_sgf_move(game, move)}]"
            for turn, move in enumerate(state.move_stack)
        ]
        return f"{root}{''.join(turns)})"

    def move_text(self, game: Game, value: str) -> str:
        """Return a cell, or the swap."""
        size = cast("Hex", game).size
        return notation.format_cell(size, notation.parse_cell(size, value.strip().lower()))

    def move_value(self, state: PlainState, move: int) -> str:
        """Return a cell, or swap-pieces."""
        return _sgf_move(cast("HexState", state).game, move)

    def holds_options(self, game: Game) -> bool:
        """Return whether swapping is off: a record shows only a swap that was made."""
        return not game.options.swap


def parse_record(game: "Hex", text: str) -> "HexState":
    """Return the position at the end of a record's main line; raises PositionError."""

    def read(tree: GameTree, refuse: OnProblem, note: OnProblem) -> list[Stretch]:
        return SgfHex().read(game, tree, refuse, note)

    state: HexState = sgf_dialect.parse_record(text, SgfHex.names, read)
    return state


def _game_of(game: "Hex", tree: GameTree) -> "Hex":
    """Return the game with the size that a record names, and the swap if the record has one."""
    root = tree.nodes[0]
    number = root.text("GM", SgfHex.number)
    if number != SgfHex.number:
        raise PositionError(f"the record is of another game than hex: GM[{number[:20]}]")
    written = root.text("SZ") or str(game.size)
    width, _, height = written.partition(":")
    is_size = width.isdecimal() and len(width) < 4 and height in ("", width)
    if not is_size or not rules.MIN_SIZE <= int(width) <= rules.MAX_SIZE:
        raise PositionError(
            f"SZ[{written[:20]}] is not a size: {rules.MIN_SIZE} to {rules.MAX_SIZE} are"
        )
    swaps = any(value.strip().lower() in notation.SWAP_TEXTS for value in _moves(tree))
    return type(game)(size=int(width), swap=game.options.swap or swaps)


def _moves(tree: GameTree) -> list[str]:
    nodes = [*tree.nodes, *tree.variations]
    return [value for node in nodes for name, value in node.properties if name in COLORS]


def _set_up(game: "Hex", tree: GameTree, refuse: OnProblem) -> "HexState":
    """Return the board that stands before the first move."""
    letters, side, first = ["."] * game.cells, None, None
    for node in tree.nodes:
        side = side_to_move(node, refuse) if "PL" in node else side
        for name, value in node.properties:
            if name in STONES:
                try:
                    letters[_cell(game, value)] = STONES[name]
                except MoveError as error:
                    refuse(str(error), node.line)
        first = next((COLORS[name] for name, _ in node.properties if name in COLORS), None)
        if first is not None:
            break
    if letters.count(".") == game.cells:
        return game.start()
    to_move = side if first is None else first
    said = "" if to_move is None else f" {'x' if to_move == BLACK else 'o'} to move"
    return game.parse("".join(letters) + said)


def _cell(game: "Hex", value: str) -> int:
    cell = notation.parse_cell(game.size, value)
    if cell == game.cells:
        raise MoveError("a swap sets up no stone")
    return cell


def _play(stretch: Stretch, node: Node, color: bool, value: str) -> None:
    """Play a move; raises MoveError or PositionError."""
    state: HexState = stretch.state
    move = value.strip().lower()
    try:
        if stretch.is_resigned:
            raise PositionError(f"{SHOWN[state.turn]} has resigned already")
        if state.turn != color and not state.is_game_over():
            raise PositionError(f"it is {SHOWN[state.turn]}'s turn, not {SHOWN[color]}'s")
        if move == "swap-sides":
            raise PositionError("swap-sides is not understood; swap-pieces is")
        if move in RESIGNATIONS:
            stretch.is_resigned = True
            return
        state.push(state.parse_move(move))
        stretch.nodes.append(node)
    except (MoveError, PositionError) as error:
        raise PositionError(f"move {len(stretch.nodes) + 1} of the record: {error}") from None


def _sgf_move(game: "Hex", move: int) -> str:
    return "swap-pieces" if move == game.cells else notation.format_cell(game.size, move)
