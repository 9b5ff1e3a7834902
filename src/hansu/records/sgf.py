"""SGF: games of go and hex; the properties of each game are in its ``SgfDialect``.

Properties beyond the standard: ``HG`` (options that the game's properties do not hold), ``HR``
(our reason for the end), ``HE`` (evidence), ``HI`` (how isolated Black and White ran), ``HS``
(seed), ``HM`` (seconds for each move), ``HO`` (how many of the moves are the opening that the
players were given), ``HT`` (the turns of the game, where a variation goes on after its end).
"""

import functools
import math
import re
from collections.abc import Iterable
from typing import cast

from sgfmill import sgf_grammar

from hansu.errors import MoveError, PositionError, RecordError
from hansu.games.game import BLACK, GAMES, WHITE, Game, game
from hansu.games.sgf import COMMENT, STRAY, GameTree, Node, is_sgf, parse_trees
from hansu.games.sgf_dialect import COLORS, SHOWN, Stretch, count_moves
from hansu.games.state import Outcome, PlainState, State
from hansu.options import split_options
from hansu.records.pgn_tags import bounded
from hansu.records.problems import EVERYTHING, Most, Problems, Report, read_each
from hansu.records.reading import MAX_TURNS, Part, Source, text_of
from hansu.records.record import (
    FAULTS,
    RESIGNED,
    GameRecord,
    TimeControl,
    Turn,
    isolation_text,
    read_isolation,
    tidy_comment,
)
from hansu.records.replay import completed, states, without_reason
from hansu.records.variations import MoveTree, walk
from hansu.records.variations import Node as MoveNode

GO = "1"  # the GM of a record that does not say it
OWN_FACTS = frozenset(["HG", "HR", "HE", "HI", "HS", "HM", "HO", "HT"])
FACTS = OWN_FACTS | {"PB", "PW", "RE", "TM", "OT", "BL", "WL", COMMENT}
_RESULT = re.compile(r"([BW])\+(.*)|(0|draw|jigo)", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{0,9})?")
_BY = {"resignation": "R", "timeout": "T"}  # any other fault is a forfeit


def read_sgf(
    source: Source, problems: Problems = None, most: Most = EVERYTHING
) -> list[GameRecord]:
    """Return the games of a file with variations and comments; text between games is skipped.

    Stones set up after moves divide a game, and its longest stretch is kept: a record begins with
    one board.
    """
    text = text_of(source)
    if not is_sgf(text):
        raise RecordError("this is not SGF: (;GM[1]SZ[9];B[ee]) and the like is expected")
    names = FACTS.union(*(each.sgf().names for each in _games().values()))
    trees = (Part(tree, tree.line) for tree in parse_trees(text, names))
    return read_each(trees, _read, problems, most=most)


def write_sgf(records: Iterable[GameRecord]) -> str:
    """Return games in SGF."""
    return "".join(_write(number, record) for number, record in enumerate(records, 1))


@functools.cache
def _games() -> dict[str, Game]:
    """Return the games with SGF by their value of GM."""
    made = (game(name) for name in GAMES)
    return {each.sgf().number: each for each in made if "sgf" in each.formats}


# Reading -----------------------------------------------------------------------------------------


def _read(tree: GameTree, report: Report) -> GameRecord:
    root = tree.nodes[0]
    written = count_moves(tree)
    if written > MAX_TURNS:
        raise RecordError(f"a game has at most {MAX_TURNS} turns, not {written}")
    chosen = _games().get(root.text("GM"), _games()[GO])
    names = chosen.sgf().names
    if not any(name in names for node in tree.nodes for name, _ in node.properties):
        raise RecordError("there is nothing in it: neither a board nor a move")
    stretch, is_whole = _read_moves(chosen, tree, report)
    state: State = stretch.state
    resigning = state.turn
    moves = [state.move_text(move) for move in state.move_stack]
    if written and not moves and str(state) == str(state.game.start()):
        raise RecordError("none of its moves can be played")
    opening = min(int(_number(root, "HO") or 0), len(moves))
    while len(state.move_stack) > opening:
        state.pop()
    record = GameRecord(
        game=str(state.game),
        first=root.text("PB") or "?",
        second=root.text("PW") or "?",
        start=state.text(),
        first_color=BLACK,
        seed=_seed(root.text("HS")),
        evidence=root.text("HE"),
        isolation=read_isolation(root.text("HI")),
        control=_read_times(root),
    )
    end = opening + _game_length(root, len(moves) - opening)
    record.turns = _read_turns(record, moves[opening:end], stretch.nodes[opening:end], state.turn)
    stated = _read_result(root.text("RE"), root.text("HR"))
    if stretch.is_resigned and stated is None:
        stated = Outcome(not resigning, "resignation")
    if not is_whole:
        stated = without_reason(stated)
    if stated is not None and stated.reason == "resignation":
        record.turns.append(Turn(RESIGNED))
    grown = _Growing(record, state, moves[opening:], stretch.nodes, report)
    grown.add(tree, is_whole)
    return completed(grown.tree.annotated(record), stated, report, (), grown.lines())


def _read_moves(chosen: Game, tree: GameTree, report: Report) -> tuple[Stretch, bool]:
    """Return the longest stretch of a game, and whether it has all moves to the end."""
    rules = tree.nodes[0].text("HG") or chosen.name
    if split_options(rules)[0] != chosen.name:  # other names would run code
        raise RecordError(f"it is a game of {rules[:40]!r}, not of {chosen.name}")
    lost_moves = 0

    def refuse(what: str, line: int, lost: int = 0) -> None:
        nonlocal lost_moves
        lost_moves += lost
        rest = f", with the {lost - 1} after it" if lost > 1 else ""
        report(f"{what}; it is left out{rest}", line)

    stretches = chosen.sgf().read(game(rules), tree, refuse, report)
    longest = _longest(stretches, report)
    for what, line in tree.problems:
        report(what, line)
    lost_moves += sum(len(each.nodes) for each in stretches[stretches.index(longest) + 1 :])
    return longest, not lost_moves and all(what == STRAY for what, _ in tree.problems)


def _longest(stretches: list[Stretch], report: Report) -> Stretch:
    """Return the stretch with the most moves, the first of those; report the others."""
    longest = max(range(len(stretches)), key=lambda at: len(stretches[at].nodes))
    for at in range(1, len(stretches)):
        side, lost = ("before", at - 1) if at <= longest else ("after", at)
        count = len(stretches[lost].nodes)
        what = f"stones are set up in mid-game; the moves {side} that are left out ({count})"
        report(what, stretches[at].line)
    return stretches[longest]


def _read_turns(
    record: GameRecord, moves: list[str], nodes: list[Node | None], mover: bool
) -> list[Turn]:
    """Return the moves with the seconds used, where the file has the clocks."""
    left = record.control.full()
    turns = []
    for move, node in zip(moves, nodes, strict=True):
        name = "BL" if mover == BLACK else "WL"
        before, after = left[mover], None if node is None else _number(node, name)
        used = 0.0
        if before is not None and after is not None:
            used = max(0.0, round(before + record.control.increment - after, 3))
            left[mover] = after
        turns.append(Turn(move, bounded(used)))
        mover = not mover
    return turns


def _game_length(root: Node, moves: int) -> int:
    """Return how many moves of the main line are the game's own."""
    stated = _number(root, "HT")
    return moves if stated is None else min(int(stated), moves)


class _Growing:
    """The variations and comments of a record while they are read."""

    def __init__(
        self,
        record: GameRecord,
        start: State,
        moves: list[str],
        nodes: list[Node | None],
        report: Report,
    ) -> None:
        self.tree = MoveTree(record)
        self._start, self._report = start, report
        self._lines: dict[int, int] = {}
        self._refused: set[int] = set()  # nodes of the file that cannot be played
        self._places: dict[int, MoveNode] = {}  # of nodes of the file
        node, opening = self.tree.root, len(nodes) - len(moves)
        if opening:
            self._places[id(nodes[opening - 1])] = node
        for move, of_file in zip(moves, nodes[opening:], strict=True):
            node = self.tree.add(node, Turn(move))
            if of_file is not None:
                self._places[id(of_file)] = node
                self._lines[id(node)] = of_file.line

    def add(self, tree: GameTree, is_whole: bool) -> None:
        """Add the comments of the main line, and all variations."""
        at: MoveNode | None = self.tree.root if self._begins_with(tree) else None
        lost = 0
        for node in tree.nodes:
            at = self._places.get(id(node), None if _has_moves(node) and not is_whole else at)
            self._comment(node, at)
        for node in tree.variations:
            parent = self._places.get(id(node.parent))
            if parent is not None:
                self._comment(node, self._play(node, parent))
            elif id(node.parent) in self._refused:
                self._refused.add(id(node))
            else:
                lost += _has_moves(node)
        if lost:
            self._report(f"variations of moves that are left out are left out too ({lost} moves)")

    def lines(self) -> list[int]:
        """Return the line of each branch."""
        return [self._lines.get(id(node), 0) for node in self.tree.nodes() if not node.is_played]

    def _begins_with(self, tree: GameTree) -> bool:
        """Return whether the record begins where the file does, not at stones set up later."""
        first = next((node for node in tree.nodes if _has_moves(node)), None)
        return first is None or id(first) in self._places

    def _comment(self, node: Node, at: MoveNode | None) -> None:
        if at is not None:
            self._places[id(node)] = at
            at.add_comment(tidy_comment(node.text(COMMENT)))

    def _play(self, node: Node, at: MoveNode) -> MoveNode | None:
        """Return the place after the moves of a node; None where they cannot be read."""
        dialect = self._start.game.sgf()
        try:
            if any(name in ("AB", "AW", "AE") for name, _ in node.properties):
                raise PositionError("stones are set up in a variation")
            for name, value in node.properties:
                if name not in COLORS:
                    continue
                if COLORS[name] != (self._start.turn ^ bool(at.depth % 2)):
                    if not dialect.pass_text:
                        raise PositionError(f"it is not {SHOWN[COLORS[name]]}'s turn")
                    at = self.tree.add(at, Turn(dialect.pass_text))
                    self._lines[id(at)] = node.line
                at = self.tree.add(at, Turn(dialect.move_text(self._start.game, value)))
                self._lines[id(at)] = node.line
        except (MoveError, PositionError) as error:
            self._report(f"in a variation: {error}; it is left out, with what follows", node.line)
            self._refused.add(id(node))
            return None
        return at


def _has_moves(node: Node) -> bool:
    return any(name in COLORS for name, _ in node.properties)


def _read_times(root: Node) -> TimeControl:
    fischer = re.search(rf"({_NUMBER.pattern})\s*fischer", root.text("OT"), re.IGNORECASE)
    increment = float(fischer[1]) if fischer else 0.0
    return TimeControl(_number(root, "TM") or None, _number(root, "HM"), increment)


def _read_result(text: str, reason: str) -> Outcome | None:
    found = _RESULT.fullmatch(text.strip())
    if found is None:
        return Outcome(None, reason) if reason == "unfinished" else None
    if found[3]:
        return Outcome(None, reason, 0.0)
    winner, by = WHITE if found[1].upper() == "W" else BLACK, found[2].strip()
    reasons = {"R": "resignation", "T": "timeout", "F": "disqualified"}
    margin = float(by) if _NUMBER.fullmatch(by) else None
    return Outcome(winner, reason or reasons.get(by[:1].upper(), ""), margin)


def _number(node: Node, name: str) -> float | None:
    text = node.text(name)
    return float(text) if _NUMBER.fullmatch(text) else None


def _seed(text: str) -> int:
    return int(text) if re.fullmatch("-?[0-9]{1,40}", text) else 0


# Writing -----------------------------------------------------------------------------------------


def _write(number: int, record: GameRecord) -> str:
    held = [each.name for each in _games().values()]
    if record.game.partition(":")[0] not in held:
        raise RecordError(
            f"game {number} is a game of {record.game}: SGF holds {' and '.join(held)} only; "
            "jsonl and csv hold every game"
        )
    positions = list(states(record))
    start, last = positions[0], cast(PlainState, positions[-1])
    written = sgf_grammar.parse_sgf_game(start.game.sgf().write(last).encode()).sequence
    _add(written[0], _facts(record, start))
    opening = len(start.move_stack)
    for node, after in zip(written[1 + opening :], positions[1:], strict=False):
        left = after.black_remain_sec if "B" in node else after.white_remain_sec
        if math.isfinite(left):
            _add(node, {"BL" if "B" in node else "WL": f"{left:.3f}"})
    pieces = ["(", *map(_node_text, written[:opening])]
    pieces += _tree_pieces(record, cast(PlainState, start), written[opening:])
    text: str = sgf_grammar.block_format([piece.encode() for piece in pieces]).decode()
    return text + "\n"


def _tree_pieces(
    record: GameRecord, start: PlainState, played: list[dict[str, list[bytes]]]
) -> list[str]:
    """Return all nodes from the start of a record on, with its comments, and the last bracket."""
    tree = MoveTree(record)
    main = [node for node in tree.main_line() if node.turn.move != RESIGNED]
    ready = {id(node): own for node, own in zip(main, played, strict=True)}
    dialect = start.game.sgf()
    for node, before, move in walk(tree, start):
        if id(node) not in ready:
            value = dialect.move_value(cast(PlainState, before), move)
            ready[id(node)] = {"B" if before.turn == BLACK else "W": [value.encode()]}
    pieces: list[str] = []
    waiting: list[MoveNode | str] = [tree.root]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            pieces.append(part)
            continue
        _add(ready[id(part)], {COMMENT: part.comment})
        pieces.append(_node_text(ready[id(part)]))
        following = [child for child in part.children if child.turn.move != RESIGNED]
        if len(following) == 1:
            waiting += following
        else:
            for child in reversed(following):
                waiting += [")", child, "("]
    return [*pieces, ")"]


def _node_text(properties: dict[str, list[bytes]]) -> str:
    values = ((name, b"][".join(own).decode()) for name, own in properties.items())
    return ";" + "".join(f"{name}[{text}]" for name, text in values)


def _facts(record: GameRecord, start: State) -> dict[str, str]:
    control, turns = record.control, len([move for move in record.moves if move != RESIGNED])
    return {
        "PB": record.first,
        "PW": record.second,
        "RE": _result(record.outcome),
        "TM": "" if control.seconds is None else f"{control.seconds:.10g}",
        "OT": f"{control.increment:.10g} Fischer" if control.increment else "",
        "HM": "" if control.move_seconds is None else f"{control.move_seconds:.10g}",
        "HG": "" if start.game.sgf().holds_options(start.game) else record.game,
        "HR": record.outcome.reason,
        "HE": record.evidence,
        "HI": isolation_text(record.isolation),
        "HS": str(record.seed),
        "HO": str(len(start.move_stack) or ""),
        "HT": str(turns) if any(branch.parent == turns for branch in record.branches) else "",
    }


def _result(outcome: Outcome) -> str:
    if outcome.winner is None:
        return "?" if outcome.reason == "unfinished" else "0"
    by = "" if outcome.margin is None else f"{outcome.margin:g}"
    by = _BY.get(outcome.reason, "F" if outcome.reason in FAULTS else by)
    return f"{'W' if outcome.winner == WHITE else 'B'}+{by}"


def _add(node: dict[str, list[bytes]], facts: dict[str, str]) -> None:
    for name, value in facts.items():
        if value:
            escaped = re.sub(r"([\[\]\\])", r"\\\1", value)  # also [: it would look unclosed
            node[name] = [escaped.encode(errors="replace")]
