"""A few games of the last round, for people to look at: ``games.jsonl`` in the run's folder."""

from collections.abc import Iterable
from pathlib import Path

from hansu.atomic_write import atomic_write
from hansu.games.features import Features
from hansu.games.state import Outcome
from hansu.records.jsonl import write_jsonl
from hansu.records.record import RESIGNED, GameRecord, Turn

GAMES = "games.jsonl"
SHOWN = 8  # games of a round

Actions = Iterable[int]
"""The actions of a game, including a random opening."""


def show_games(folder: Path, features: Features, games: Iterable[Actions], player: str) -> None:
    """Write the games as records."""
    atomic_write(folder / GAMES, write_jsonl(as_record(features, game, player) for game in games))


def as_record(features: Features, actions: Actions, player: str) -> GameRecord:
    """Return the record of a finished game; one that its last move does not end was resigned there.

    >>> import hansu
    >>> features = hansu.game("tictactoe").features
    >>> record = as_record(features, [0, 3, 1, 4, 2], "me")
    >>> record.moves, record.outcome.reason, record.winner
    (['a1', 'a2', 'b1', 'b2', 'c1'], 'line', 'me')
    >>> as_record(features, [0, 3, 1, 4], "me").moves
    ['a1', 'a2', 'b1', 'resign']
    """
    game, turns = features.game, list[Turn]()
    state = game.start()
    start = state.text()
    for action in actions:
        move = features.move(state, int(action))
        turns.append(Turn(state.move_text(move)))
        state.push(move)
    outcome = state.outcome()
    if outcome is None:
        state.pop()
        turns[-1] = Turn(RESIGNED)
        outcome = Outcome(not state.turn, "resignation")
    facts = (str(game), player, player, start, game.first_color, 0, turns, outcome)
    return GameRecord(*facts, final=state.text())
