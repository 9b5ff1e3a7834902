"""SGF: games of go and hex; the properties of each game are in its ``SgfDialect``.

Properties beyond the standard: ``HG`` (options that the game's properties do not hold), ``HR``
(our reason for the end), ``HE`` (evidence), ``HI`` (how isolated Black and White ran), ``HS``
(seed), ``HM`` (seconds for each move), ``HO`` (how many of the moves are the opening that the
players were given).
"""

import functools
import math
import re
from collections.abc import Iterable
from typing import cast

from sgfmill import sgf_grammar

from hansu.errors import RecordError
from hansu.games.game import BLACK, GAMES, WHITE, Game, game
from hansu.games.sgf import STRAY, GameTree, Node, is_sgf, parse_trees
from hansu.games.sgf_dialect import Stretch, count_moves
from hansu.games.state import Outcome, PlainState, State
from hansu.options import split_options
from hansu.records.pgn_tags import bounded
from hansu.records.problems import EVERYTHING, Most, Problems, Report, read_each
from hansu.records.reading import MAX_TURNS, Part, Source, text_of
from hansu.records.record import (
    RESIGNED,
    GameRecord,
    TimeControl,
    Turn,
    isolation_text,
    read_isolation,
)
from hansu.records.replay import completed, states, without_reason

GO = "1"  # the GM of a record that does not say it
OWN_FACTS = frozenset(["HG", "HR", "HE", "HI", "HS", "HM", "HO"])
FACTS = OWN_FACTS | {"PB", "PW", "RE", "TM", "OT", "BL", "WL"}
_RESULT = re.compile(r"([BW])\+(.*)|(0|draw|jigo)", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{0,9})?")
_BY = {"resignation": "R", "timeout": "T"}  # any other fault is a forfeit
_FAULTS = ("crash", "illegal_move", "disqualified")


def read_sgf(
    source: Source, problems: Problems = None, most: Most = EVERYTHING
) -> list[GameRecord]:
    """Return the games of a file, along their main lines; text between games is skipped.

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
    record.turns = _read_turns(record, moves[opening:], stretch.nodes[opening:], state.turn)
    stated = _read_result(root.text("RE"), root.text("HR"))
    if stretch.is_resigned and stated is None:
        stated = Outcome(not resigning, "resignation")
    if not is_whole:
        stated = without_reason(stated)
    if stated is not None and stated.reason == "resignation":
        record.turns.append(Turn(RESIGNED))
    return completed(record, stated, report)


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
    tree = sgf_grammar.parse_sgf_game(start.game.sgf().write(last).encode())
    _add(tree.sequence[0], _facts(record, start))
    played = tree.sequence[1 + len(start.move_stack) :]
    for node, after in zip(played, positions[1:], strict=False):
        left = after.black_remain_sec if "B" in node else after.white_remain_sec
        if math.isfinite(left):
            _add(node, {"BL" if "B" in node else "WL": f"{left:.3f}"})
    text: str = sgf_grammar.serialise_game_tree(tree).decode()
    return text


def _facts(record: GameRecord, start: State) -> dict[str, str]:
    control = record.control
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
    }


def _result(outcome: Outcome) -> str:
    if outcome.winner is None:
        return "?" if outcome.reason == "unfinished" else "0"
    by = "" if outcome.margin is None else f"{outcome.margin:g}"
    by = _BY.get(outcome.reason, "F" if outcome.reason in _FAULTS else by)
    return f"{'W' if outcome.winner == WHITE else 'B'}+{by}"


def _add(node: dict[str, list[bytes]], facts: dict[str, str]) -> None:
    for name, value in facts.items():
        if value:
            node[name] = [sgf_grammar.escape_text(value.encode(errors="replace"))]
