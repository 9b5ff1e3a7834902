"""PGN without moves: results of any game, for rating programs (Ordo, BayesElo).

The tag ``Game`` names the game and its rules, ``White`` and ``Black`` the players.
"""

from collections.abc import Iterable

from hansu.errors import RecordError
from hansu.games.game import WHITE
from hansu.games.pgn import PgnGame, parse_games
from hansu.records import pgn_tags
from hansu.records.problems import EVERYTHING, Most, Problems, Report, read_each
from hansu.records.reading import Part, Source, text_of
from hansu.records.record import GameRecord
from hansu.records.replay import completed, game_of


def read_headers(
    source: Source, problems: Problems = None, most: Most = EVERYTHING
) -> list[GameRecord]:
    """Return the players and results of a file; the records have no moves."""
    games = (Part(game, game.line) for game in parse_games(text_of(source)))
    return read_each(games, _read, problems, most=most)


def write_headers(records: Iterable[GameRecord]) -> str:
    """Return players and result of every game, without its moves.

    >>> record = GameRecord("go:size=5", "me", "you", "", False, 0)
    >>> print(write_headers([record]).splitlines()[4])
    [White "you"]
    """
    return "\n".join(_write(number, record) for number, record in enumerate(records, 1))


def _read(game: PgnGame, report: Report) -> GameRecord:
    name = pgn_tags.text(game.tags, "Game") or game.tags.get("Variant", "").lower()
    if not name:
        raise RecordError('the tags do not name the game: [Game "go:size=9"] is expected')
    if game.moves:
        first = game.moves[0]
        report(f"the {len(game.moves)} moves from {first.text!r} on are not read", first.line)
    record = pgn_tags.read_record(game.tags, name)
    if game_of(record).first_color != WHITE:
        record.first, record.second = record.second, record.first
    return completed(record, pgn_tags.read_outcome(game.tags), report)


def _write(number: int, record: GameRecord) -> str:
    found = pgn_tags.of_record(number, record) | {"Game": record.game}
    lines = [f'[{name} "{value}"]' for name, value in found.items()]
    return "\n".join([*lines, "", found["Result"], ""])
