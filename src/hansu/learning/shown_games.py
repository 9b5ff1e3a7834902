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
"""What was played, as the network's outputs are numbered, random first moves included."""


def show_games(folder: Path, features: Features, games: Iterable[Actions], player: str) -> None:
    """Write what was played for everybody to replay."""
    atomic_write(folder / GAMES, write_jsonl(as_record(features, game, player) for game in games))


def as_record(features: Features, actions: Actions, player: str) -> GameRecord:
    """A finished game; one that does not end with its last move was given up instead of it.

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
