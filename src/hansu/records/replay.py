"""Replay a record: its states with their clocks, and what a file leaves open filled in."""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hansu.errors import RecordError
from hansu.games.game import GAMES, Game, game
from hansu.games.state import Outcome, State
from hansu.records.problems import Problem, Report
from hansu.records.reading import MAX_START, MAX_TURNS
from hansu.records.record import RESIGNED, GameRecord, Turn
from hansu.records.variations import carry_over, play_text


def game_of(record: GameRecord) -> Game:
    """Return the game of a record; a file may name only known games: others would run code."""
    if record.game.partition(":")[0] not in GAMES:
        raise RecordError(
            f"{record.game[:40]!r} is not a game that can be read from a file; "
            f"the games are {', '.join(sorted(GAMES))}"
        )
    return _made(record.game)


@functools.lru_cache(maxsize=64)
def _made(text: str) -> Game:
    """Return the game of a text; cached, as the games of a file share it."""
    return game(text)


def start_of(record: GameRecord) -> State:
    """Return the state in which a recorded game began, with full clocks."""
    if len(record.start) > MAX_START:
        raise RecordError(f"the start position is longer than {MAX_START} letters")
    chosen = game_of(record)
    state = chosen.parse(record.start) if record.start else chosen.start()
    record.control.show_on(state, record.control.full())
    return state


def states(record: GameRecord) -> Iterator[State]:
    """Yield the state before every turn, then the last one; raises RecordError at an illegal move.

    >>> from hansu.records.record import Turn
    >>> turns = [Turn("b2", 1.5), Turn("a1", 0.5)]
    >>> record = GameRecord("tictactoe", "me", "you", "........." , True, 0, turns)
    >>> [(state.text(), state.white_remain_sec) for state in states(record)]
    [('.........', 400.0), ('....X....', 398.5), ('O...X....', 398.5)]
    """
    if len(record.turns) > MAX_TURNS:
        raise RecordError(f"a game has at most {MAX_TURNS} turns, not {len(record.turns)}")
    state = start_of(record)
    left = record.control.full()
    yield state
    for number, turn in enumerate(record.turns, 1):
        mover = state.turn
        state = state.copy()
        if turn.move != RESIGNED:
            play_text(state, turn.move, number)
        elif number < len(record.turns):
            raise RecordError(f"move {number} resigns, but the game goes on")
        left[mover] = record.control.left_after(left[mover], turn.seconds)
        record.control.show_on(state, left)
        yield state


def state_at(record: GameRecord, turns: int) -> State:
    """Return the state after so many turns of a recorded game, with its clocks."""
    if not 0 <= turns <= len(record.turns):
        raise RecordError(f"the game has {len(record.turns)} turns: there is no turn {turns}")
    shortened = replace(record, turns=record.turns[:turns])
    return list(states(shortened))[-1]


def completed(
    record: GameRecord,
    stated: Outcome | None,
    report: Report,
    lines: Sequence[int] = (),
    branch_lines: Sequence[int] = (),
) -> GameRecord:
    """Replay a record from a file; return it with its last position and outcome.

    Moves are kept up to one that cannot be played, which goes to ``report``, with its line where
    ``lines`` has one for each turn (``branch_lines``: for each move of a variation). Raises
    RecordError if not even the first can be played. The outcome ``stated`` in the file counts; what
    it leaves open (a reason "" or None) the rules fill in. Without a start position the game began
    at the usual start.
    """
    if len(record.turns) > MAX_TURNS:
        raise RecordError(f"a game has at most {MAX_TURNS} turns, not {len(record.turns)}")
    state = start_of(record)
    start, begin = state.text(), state.copy()
    turns: list[Turn] = []
    places = [0]
    for number, turn in enumerate(record.turns):
        try:
            if turns and turns[-1].move == RESIGNED:
                raise RecordError(f"move {number} resigns, but the game goes on")
            turns += _played(state, turn, len(turns) + 1)
            places.append(len(turns))
        except RecordError as error:
            after = len(record.turns) - number - 1
            if not turns:
                raise Problem(str(error), lines[number] if lines else None) from None
            rest = f", with the {after} after it" if after else ""
            report(f"{error}; it is left out{rest}", lines[number] if lines else None)
            stated = stated if state.is_game_over() else without_reason(stated)
            break
    kept = replace(
        record,
        branches=[],
        comments={},
        game=str(state.game),
        first_color=state.game.first_color,
        start=start,
        turns=turns,
        outcome=_final_outcome(state, stated),
        final=state.text(),
    )
    return carry_over(record, kept, places, begin, report, branch_lines)


def _played(state: State, turn: Turn, number: int) -> list[Turn]:
    """Play a turn and return it in our notation, after a pass that the file leaves out."""
    if turn.move == RESIGNED:
        return [turn]
    try:
        return [turn._replace(move=play_text(state, turn.move, number))]
    except RecordError:
        if state.game.name != "othello" or not _must_pass(state):
            raise
    state.push(state.parse_move("pass"))
    try:
        return [Turn("pass"), turn._replace(move=play_text(state, turn.move, number + 1))]
    except RecordError:
        state.pop()
        raise


def _must_pass(state: State) -> bool:
    return [state.move_text(move) for move in state.legal_moves] == ["pass"]


def without_reason(stated: Outcome | None) -> Outcome | None:
    """Return the stated outcome of a game that is kept in part: who won, but not why."""
    if stated is None or stated.reason == "unfinished":
        return None
    return Outcome(stated.winner, "", stated.margin)


def _final_outcome(last: State, stated: Outcome | None) -> Outcome:
    ruled = last.outcome()
    if stated is None:
        return ruled or Outcome(None, "unfinished")
    if stated.reason:
        return stated
    agrees = ruled is not None and ruled.winner == stated.winner
    if ruled is not None and agrees and stated.margin in (None, ruled.margin):
        return ruled
    return Outcome(stated.winner, ruled.reason if ruled else "unknown", stated.margin)
