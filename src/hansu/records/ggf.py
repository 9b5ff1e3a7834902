"""GGF: othello games as the Generic Game Server writes them.

    (;GM[Othello]PB[Ann]PW[Bob]RE[+8.000]TI[6:40]TY[8]BO[8 ---- ... *]B[d3//1.25]W[c3//0.8];)

``BO`` is the board at the start (* Black, O White, then the side to move), a move is
``square/evaluation/seconds``, PA passes. The result is Black's lead in discs; ``:r`` after it is
a resignation, ``:t`` a time-out.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from hansu.errors import RecordError
from hansu.games.game import BLACK, WHITE
from hansu.games.state import Outcome
from hansu.records.pgn_tags import bounded
from hansu.records.problems import EVERYTHING, Most, Problems, Report, read_each
from hansu.records.reading import MAX_TURNS, Part, Source, text_of
from hansu.records.record import RESIGNED, UNTIMED, GameRecord, TimeControl, Turn
from hansu.records.replay import completed, start_of, without_reason

_PROPERTY = re.compile(r"\s*+([A-Za-z]{1,20})\s*+\[((?:[^\]\\]|\\.)*+)\]", re.DOTALL)
_BEGIN = re.compile(r"(?:^|(?<=[\s)]))\(;")  # inside a name it would begin no game
_END = re.compile(r"\s*;?\s*\)")
_LOST = re.compile(r"\b[BW]\[")
_RESULT = re.compile(r"\s*([+-]?[0-9]{1,3}(?:\.[0-9]{0,9})?)\s*(?::\s*([a-z]))?.*", re.DOTALL)
_FLAGS = {"resignation": ":r", "timeout": ":t"}
_COLORS = {"B": BLACK, "W": WHITE}


def read_ggf(
    source: Source, problems: Problems = None, most: Most = EVERYTHING
) -> list[GameRecord]:
    """Return the games of a file; what stands between the games is skipped."""
    return read_each(_games(text_of(source)), _read, problems, most=most)


def write_ggf(records: Iterable[GameRecord]) -> str:
    """Return a line for each game of othello."""
    return "".join(f"{_write(number, record)}\n" for number, record in enumerate(records, 1))


# Reading -----------------------------------------------------------------------------------------


def _games(text: str) -> Iterator[Part[str]]:
    """Yield the text from each beginning of a game to the next, and moves before them all."""
    line, begin = 1, None
    for found in _BEGIN.finditer(text):
        before = text[begin.end() if begin else 0 : found.start()]
        if begin is not None or _LOST.search(before):
            yield Part(before, line)
        line += text.count("\n", begin.start() if begin else 0, found.start())
        begin = found
    if begin is None:
        raise RecordError("there is no game in GGF: (;GM[Othello]... is expected")
    yield Part(text[begin.end() :], line)


def _properties(
    text: str, damaged: Callable[[str], None], report: Report
) -> Iterator[tuple[str, str]]:
    """Yield the names and values of a game up to its end, or to where it is damaged."""
    at = 0
    while (end := _END.match(text, at)) is None:
        found = _PROPERTY.match(text, at)
        if found is None:
            rest = text[at : at + 20].strip()
            what = f"NAME[value] or ;) is expected, not {rest!r}" if rest else "the game is cut off"
            damaged(f"{what}; what follows is left out")
            return
        yield found[1].upper(), re.sub(r"\\(.)", r"\1", found[2], flags=re.DOTALL)
        at = found.end()
    if _LOST.search(text, end.end()):
        report("moves stand after the end of the game, which are left out")


def _read(text: str, report: Report) -> GameRecord:
    problems: list[str] = []  # by which the end of the game, and so its reason, is lost
    listed = list(_properties(text, problems.append, report))
    for problem in problems:
        report(problem)
    facts = dict(reversed(listed))  # the first of each
    if facts.get("GM", "").strip().lower() != "othello":
        raise RecordError(f"it is a game of {facts.get('GM', 'no name')[:20]!r}, not of Othello")
    record = GameRecord(
        game="othello",
        first=facts.get("PB", "?"),
        second=facts.get("PW", "?"),
        start=_read_board(facts["BO"]) if "BO" in facts else "",
        first_color=BLACK,
        seed=0,
        control=_read_times(facts.get("TI", "")),
    )
    record.turns = _read_turns(record, [(n, v) for n, v in listed if n in _COLORS], report)
    stated = _read_result(facts.get("RE", ""))
    stated = without_reason(stated) if problems else stated
    if stated is not None and stated.reason == "resignation":
        record.turns.append(Turn(RESIGNED))
    return completed(record, stated, report)


def _read_board(text: str) -> str:
    size, *rows = text.split() or [""]
    if size != "8":
        raise RecordError(f"the board has {size[:10]!r} rows: only 8 are known")
    return " ".join(rows).replace("*", "X")


def _read_turns(record: GameRecord, moves: list[tuple[str, str]], report: Report) -> list[Turn]:
    """Return the moves, as long as the colours are those whose turn it is."""
    if len(moves) > MAX_TURNS:
        raise RecordError(f"a game has at most {MAX_TURNS} turns, not {len(moves)}")
    state, turns = start_of(record), []
    for name, value in moves:
        square, _, seconds = (*value.split("/"), "", "")[:3]
        square = square.strip().lower()
        move = "pass" if square in ("pa", "pass", "ps", "--") else square
        turns.append(Turn(move, _read_seconds(seconds)))
        options = [state.move_text(option) for option in state.legal_moves]
        if options == ["pass"] != [move]:  # which is not always written
            state.push(state.parse_move("pass"))
            options = [state.move_text(option) for option in state.legal_moves]
        if _COLORS[name] != state.turn:
            what = f"move {len(turns)} is out of turn: {name}[{value[:20]}]"
            if len(turns) == 1:
                raise RecordError(what)
            report(f"{what}; it is left out, and what follows")
            return turns[:-1]
        if move not in options:
            break  # ``completed`` reports what is wrong with it
        state.push(state.parse_move(move))
    return turns


def _read_seconds(text: str) -> float:
    """Return the seconds of a time such as 40, 6:40 or 1:06:40.

    >>> _read_seconds("6:40")
    400.0
    """
    text = text.strip()
    if not re.fullmatch(r"([0-9]{1,6}:){0,2}[0-9]{1,9}(\.[0-9]{0,9})?", text):
        return 0.0
    total = 0.0
    for part in text.split(":"):
        total = 60 * total + float(part)
    return bounded(total)


def _read_times(text: str) -> TimeControl:
    main, increment = (*text.split("/"), "")[:2]
    seconds = _read_seconds(main)
    return TimeControl(seconds, None, _read_seconds(increment)) if seconds else UNTIMED


def _read_result(text: str) -> Outcome | None:
    found = _RESULT.fullmatch(text)
    if found is None:
        return None
    lead = float(found[1])
    winner = None if lead == 0 else BLACK if lead > 0 else WHITE
    reason = next((why for why, flag in _FLAGS.items() if flag == f":{found[2]}"), "")
    return Outcome(winner, reason, None if reason else abs(lead))


# Writing -----------------------------------------------------------------------------------------


def _write(number: int, record: GameRecord) -> str:
    if record.game.partition(":")[0] != "othello":
        raise RecordError(
            f"game {number} is a game of {record.game}: GGF holds othello only; "
            "jsonl and csv hold every game"
        )
    state = start_of(record)
    board, side = state.text().split()
    rows = " ".join(board[at : at + 8] for at in range(0, 64, 8))
    facts = {
        "GM": "Othello",
        "PB": record.first,
        "PW": record.second,
        "RE": _result(record),
        "TI": _times(record.control),
        "TY": "8",
        "BO": f"8 {rows} {side}".replace("X", "*"),
    }
    text = "".join(f"{name}[{_escaped(value)}]" for name, value in facts.items() if value)
    for turn in record.turns:
        if turn.move != RESIGNED:
            name = "B" if state.turn == BLACK else "W"
            text += f"{name}[{'PA' if turn.move == 'pass' else turn.move}//{turn.seconds:.3f}]"
            state.push(state.parse_move(turn.move))
    return f"(;{text};)"


def _result(record: GameRecord) -> str:
    outcome = record.outcome
    if outcome.reason == "unfinished":
        return ""
    lead = 0.0 if outcome.winner is None else 64.0 if outcome.margin is None else outcome.margin
    return f"{-lead if outcome.winner == WHITE else lead:+.3f}{_FLAGS.get(outcome.reason, '')}"


def _times(control: TimeControl) -> str:
    if control.seconds is None:
        return ""
    return f"{_minutes(control.seconds)}/{_minutes(control.increment)}/0:00"


def _minutes(seconds: float) -> str:
    """Return a time as GGF writes it, minutes:seconds.

    >>> _minutes(400.5)
    '6:40.5'
    """
    minutes = int(seconds // 60)
    rest = f"{seconds - 60 * minutes:06.3f}".rstrip("0").rstrip(".")
    return f"{minutes}:{rest}"


def _escaped(text: str) -> str:
    return re.sub(r"([\\\]])", r"\\\1", text)
