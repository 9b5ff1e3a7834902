"""The tags of PGN: players, outcome and time control of any game."""

import re
from collections.abc import Mapping

from hansu.games.game import BLACK, WHITE
from hansu.games.state import Outcome
from hansu.records.record import UNTIMED, GameRecord, TimeControl, isolation_text, read_isolation

RESULTS = {"1-0": WHITE, "0-1": BLACK, "1/2-1/2": None}
TERMINATIONS = {
    "timeout": "time forfeit",
    "illegal_move": "rules infraction",
    "disqualified": "rules infraction",
    "crash": "abandoned",
    "unfinished": "unterminated",
    "max_turns": "adjudication",
}
REASONS = {"time forfeit": "timeout", "rules infraction": "disqualified", "abandoned": "crash"}


def of_record(number: int, record: GameRecord) -> dict[str, str]:
    """Return the tags of a game; ``number`` is its number in the file."""
    reason = record.outcome.reason
    found = {
        "Event": f"hansu {record.game}",
        "Site": "?",
        "Date": "????.??.??",
        "Round": str(number),
        "White": record.player(WHITE),
        "Black": record.player(BLACK),
        "Result": "*" if reason == "unfinished" else record.outcome.result(),
        "TimeControl": format_time_control(record.control),
        "Termination": TERMINATIONS.get(reason, "normal"),
        "Reason": reason,
        "Margin": "" if record.outcome.margin is None else f"{record.outcome.margin:g}",
        "MoveSeconds": "" if record.control.move_seconds is None else _short(record.control),
        "Seed": str(record.seed),
        "Evidence": record.evidence,
        "Isolation": isolation_text(record.isolation),
    }
    return {name: _escaped(value) for name, value in found.items() if value}


def read_record(headers: Mapping[str, str], game: str) -> GameRecord:
    """Return a record of players, game and time control, without moves."""
    seed = text(headers, "Seed")
    return GameRecord(
        game=game,
        first=text(headers, "White") or "?",
        second=text(headers, "Black") or "?",
        start="",
        first_color=WHITE,
        seed=int(seed) if re.fullmatch("-?[0-9]{1,40}", seed) else 0,
        evidence=text(headers, "Evidence"),
        isolation=read_isolation(text(headers, "Isolation")),
        control=read_time_control(text(headers, "TimeControl"), text(headers, "MoveSeconds")),
    )


def read_outcome(headers: Mapping[str, str]) -> Outcome | None:
    """Return the outcome by the tags; None where they have none."""
    reason, result = text(headers, "Reason"), text(headers, "Result")
    if result not in RESULTS:
        return Outcome(None, reason) if reason == "unfinished" else None
    reason = reason or REASONS.get(text(headers, "Termination").lower(), "")
    margin = text(headers, "Margin")
    is_number = re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", margin)
    return Outcome(RESULTS[result], reason, float(margin) if is_number else None)


def format_time_control(control: TimeControl) -> str:
    """Return a time control as PGN writes it: 400, 400+2, 1/5 for five seconds a move, - for none.

    >>> format_time_control(TimeControl(seconds=60, increment=0.5))
    '60+0.5'
    """
    if control.seconds is None:
        return "-" if control.move_seconds is None else f"1/{_short(control)}"
    return f"{control.seconds:.10g}" + (f"+{control.increment:.10g}" if control.increment else "")


def read_time_control(stated: str, move_seconds: str = "") -> TimeControl:
    """Return the time control of a tag; what cannot be read counts as no limit."""
    number = r"([0-9]{1,9}(?:\.[0-9]{1,9})?)"
    each = float(move_seconds) if re.fullmatch(number, move_seconds) else None
    if match := re.fullmatch(rf"1/{number}", stated):
        return TimeControl(None, float(match[1]))
    if match := re.fullmatch(rf"{number}(?:\+{number})?", stated):
        return TimeControl(float(match[1]), each, float(match[2] or 0))
    return UNTIMED if each is None else TimeControl(None, each)


def bounded(seconds: float) -> float:
    """Return a time of a file, or 0 if it is out of range.

    >>> bounded(2.5), bounded(float("inf"))
    (2.5, 0.0)
    """
    return seconds if 0 <= seconds < 1e9 else 0.0


def text(headers: Mapping[str, str], name: str) -> str:
    """Return a tag, unescaped; empty where it is missing."""
    return re.sub(r"\\(.)", r"\1", headers.get(name, ""))


def _escaped(value: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", " ".join(value.split("\n")))


def _short(control: TimeControl) -> str:
    return f"{control.move_seconds:.10g}"
