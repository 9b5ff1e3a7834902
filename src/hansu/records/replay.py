"""A record played again: its states with their clocks, and what a file leaves open filled in."""

from collections.abc import Iterator
from dataclasses import replace

from hansu.errors import HansuError, RecordError
from hansu.games.game import GAMES, Game, game
from hansu.games.state import Outcome, State
from hansu.records.record import GameRecord
from hansu.records.source import MAX_START, MAX_TURNS

RESIGNED = "resign"  # how a turn is written in which a player gave up


def game_of(record: GameRecord) -> Game:
    """The game of a record. A file may name only known games: other names would run code."""
    if record.game.partition(":")[0] not in GAMES:
        raise RecordError(
            f"{record.game[:40]!r} is not a game that can be read from a file; "
            f"the games are {', '.join(sorted(GAMES))}"
        )
    return game(record.game)


def start_of(record: GameRecord) -> State:
    """The state in which a recorded game began, with full clocks."""
    if len(record.start) > MAX_START:
        raise RecordError(f"the start position is longer than {MAX_START} letters")
    chosen = game_of(record)
    state = chosen.parse(record.start) if record.start else chosen.start()
    record.control.show_on(state, record.control.full())
    return state


def states(record: GameRecord) -> Iterator[State]:
    """The state before every turn, then the last one; raises RecordError at an illegal move.

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
            _play(state, turn.move, number)
        elif number < len(record.turns):
            raise RecordError(f"move {number} resigns, but the game goes on")
        left[mover] = record.control.left_after(left[mover], turn.seconds)
        record.control.show_on(state, left)
        yield state


def state_at(record: GameRecord, turns: int) -> State:
    """The state after so many turns of a recorded game, with what the clocks showed then."""
    if not 0 <= turns <= len(record.turns):
        raise RecordError(f"the game has {len(record.turns)} turns: there is no turn {turns}")
    shortened = replace(record, turns=record.turns[:turns])
    return list(states(shortened))[-1]


def completed(record: GameRecord, told: Outcome | None) -> GameRecord:
    """A record that was read from a file, played through, with its last position and outcome.

    What the file tells of the outcome counts; what it leaves open (a reason "" or no outcome at
    all) the rules fill in. Without a start position the game began at its usual start.
    """
    positions = list(states(record))
    start, last = positions[0], positions[-1]
    return replace(
        record,
        game=str(last.game),
        first_color=last.game.first_color,
        start=start.text(),
        outcome=_settled(last, told),
        final=last.text(),
    )


def _settled(last: State, told: Outcome | None) -> Outcome:
    ruled = last.outcome()
    if told is None:
        return ruled or Outcome(None, "unfinished")
    if told.reason:
        return told
    if ruled is not None and ruled.winner == told.winner and told.margin in (None, ruled.margin):
        return ruled
    return Outcome(told.winner, ruled.reason if ruled else "unknown", told.margin)


def _play(state: State, text: str, number: int) -> None:
    try:
        if (outcome := state.outcome()) is not None:
            raise RecordError(f"{text[:20]!r} comes after the end of the game: {outcome}")
        state.push(state.parse_move(text))
    except HansuError as error:
        raise RecordError(f"move {number}: {error}") from None
