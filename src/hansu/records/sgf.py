"""SGF: games of go, read and written through sgfmill's grammar.

Properties beyond the standard: ``HG`` (a rule set that size and komi do not tell), ``HR`` (our
reason for the end), ``HE`` (evidence), ``HS`` (seed), ``HM`` (seconds for each move) and ``HO``
(how many of the moves are the opening that the players were given).
"""

import itertools
import math
import re
from collections.abc import Iterable

from sgfmill import sgf_grammar

from hansu.errors import RecordError
from hansu.games.game import BLACK, WHITE, game
from hansu.games.state import Outcome, State
from hansu.options import split_options
from hansu.records.record import GameRecord, TimeControl, Turn
from hansu.records.replay import RESIGNED, completed, states
from hansu.records.source import MAX_GAME, MAX_TURNS, BadGames, Source, read_each, text_of
from hansu.records.tags import bounded

Node = dict[str, list[bytes]]

_RESULT = re.compile(r"([BW])\+(.*)|(0|draw|jigo)", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{0,9})?")
_BY = {"resignation": "R", "timeout": "T"}  # any other fault is a forfeit
_FAULTS = ("crash", "illegal_move", "disqualified")


def read_sgf(source: Source, bad: BadGames = None) -> list[GameRecord]:
    """The games of a file, along their main lines; what stands between the games is skipped."""
    try:
        trees = sgf_grammar.parse_sgf_collection(text_of(source).encode(errors="replace"))
    except ValueError as error:
        raise RecordError(f"this is not SGF: {error}") from None
    return read_each((list(sgf_grammar.main_sequence_iter(tree)) for tree in trees), _read, bad)


def write_sgf(records: Iterable[GameRecord]) -> str:
    """Games of go in SGF."""
    return "".join(_write(number, record) for number, record in enumerate(records, 1))


# Reading -----------------------------------------------------------------------------------------


def _read(nodes: list[Node]) -> GameRecord:
    root = nodes[0]
    timed = [node for node in nodes if "B" in node or "W" in node]
    passes = len(list(itertools.takewhile(_is_pass, reversed(timed))))
    for node in timed[len(timed) - max(0, passes - 2) :]:  # two passes have ended the game
        node.clear()
    timed = timed[: len(timed) - max(0, passes - 2)]
    if len(timed) > MAX_TURNS:
        raise RecordError(f"a game has at most {MAX_TURNS} turns, not {len(timed)}")
    stones = sum(len(node.get(name, ())) for node in nodes for name in ("AB", "AW", "AE"))
    if stones > MAX_TURNS:
        raise RecordError(f"{stones} stones are set up: no board has so many points")
    rules = _text(root, "HG") or "go"
    if split_options(rules)[0] != "go":
        raise RecordError(f"it is a game of {rules[:40]!r}, not of go")
    state = game(rules).parse(_serialised(nodes))
    moves = [state.move_text(move) for move in state.move_stack]
    opening = min(int(_number(root, "HO") or 0), len(moves))
    while len(state.move_stack) > opening:
        state.pop()
    record = GameRecord(
        game=str(state.game),
        first=_text(root, "PB") or "?",
        second=_text(root, "PW") or "?",
        start=state.text(),
        first_color=BLACK,
        seed=_seed(_text(root, "HS")),
        evidence=_text(root, "HE"),
        control=_read_times(root),
    )
    record.turns = _read_turns(record, moves[opening:], timed[opening:])
    told = _read_result(_text(root, "RE"), _text(root, "HR"))
    if told is not None and told.reason == "resignation":
        record.turns.append(Turn(RESIGNED))
    return completed(record, told)


def _is_pass(node: Node) -> bool:
    return _text(node, "B" if "B" in node else "W").strip() in ("", "tt")


def _read_turns(record: GameRecord, moves: list[str], nodes: list[Node]) -> list[Turn]:
    """The moves with the seconds used, where the file tells what was left on the clocks."""
    left = dict.fromkeys("BW", record.control.seconds)
    turns = []
    for move, node in zip(moves, nodes, strict=True):
        color = "B" if "B" in node else "W"
        before, after = left[color], _number(node, f"{color}L")
        used = 0.0
        if before is not None and after is not None:
            used = max(0.0, round(before + record.control.increment - after, 3))
            left[color] = after
        turns.append(Turn(move, bounded(used)))
    return turns


def _read_times(root: Node) -> TimeControl:
    fischer = re.search(rf"({_NUMBER.pattern})\s*fischer", _text(root, "OT"), re.IGNORECASE)
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


def _serialised(nodes: list[Node]) -> str:
    """The main line alone, as text; what does not matter to the rules is left out."""
    kept = ("GM", "SZ", "KM", "HA", "AB", "AW", "AE", "PL", "B", "W")
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = [{name: node[name] for name in kept if name in node} for node in nodes]
    text: str = sgf_grammar.serialise_game_tree(tree, wrap=None).decode(errors="replace")
    if len(text) > MAX_GAME:
        raise RecordError(f"one game is longer than {MAX_GAME // 2**20} MiB")
    return text


def _text(node: Node, name: str) -> str:
    if name not in node:
        return ""
    text: str = sgf_grammar.text_value(node[name][0]).decode(errors="replace")
    return text


def _number(node: Node, name: str) -> float | None:
    text = _text(node, name).strip()
    return float(text) if _NUMBER.fullmatch(text) else None


def _seed(text: str) -> int:
    return int(text) if re.fullmatch("-?[0-9]{1,40}", text) else 0


# Writing -----------------------------------------------------------------------------------------


def _write(number: int, record: GameRecord) -> str:
    if record.game.partition(":")[0] != "go":
        raise RecordError(
            f"game {number} is a game of {record.game}: SGF holds go only; "
            "jsonl and csv hold every game"
        )
    positions = list(states(record))
    start, last = positions[0], positions[-1]
    tree = sgf_grammar.parse_sgf_game(last.text().encode())
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
        "HG": record.game if "max_turns" in record.game else "",
        "HR": record.outcome.reason,
        "HE": record.evidence,
        "HS": str(record.seed),
        "HO": str(len(start.move_stack) or ""),
    }


def _result(outcome: Outcome) -> str:
    if outcome.winner is None:
        return "?" if outcome.reason == "unfinished" else "0"
    by = "" if outcome.margin is None else f"{outcome.margin:g}"
    by = _BY.get(outcome.reason, "F" if outcome.reason in _FAULTS else by)
    return f"{'W' if outcome.winner == WHITE else 'B'}+{by}"


def _add(node: Node, facts: dict[str, str]) -> None:
    for name, value in facts.items():
        if value:
            node[name] = [sgf_grammar.escape_text(value.encode(errors="replace"))]
