r"""PGN: games of microchess, with clocks (``[%clk]``, ``[%emt]``) and evaluations (``[%eval]``).

Tags beyond the standard: ``Reason`` (ours, finer than Termination), ``Rules`` (options that differ
from the defaults), ``Seed``, ``Evidence``, ``Isolation`` (of both players), ``MoveSeconds`` and
``Turns`` (of the game, where a variation goes on after its end). A comment cannot hold ``}``, nor
a ``[`` that would look like a tag: they are written ``\x7d`` and ``\x5b``.
"""

import math
import re
from collections.abc import Iterable
from itertools import pairwise

import chess.engine
import chess.pgn

from hansu.errors import RecordError
from hansu.games.game import WHITE
from hansu.games.pgn import PgnGame, Word, parse_games
from hansu.games.state import State
from hansu.records import pgn_tags
from hansu.records.problems import EVERYTHING, Most, Problem, Problems, Report, read_each
from hansu.records.reading import Part, Source, text_of
from hansu.records.record import RESIGNED, GameRecord, Turn, tidy_comment
from hansu.records.replay import completed, start_of, states
from hansu.records.variations import MoveTree, Node, walk

PAWNS = 0.368208  # lichess's fit of results to evaluations: share = 1 / (1 + exp(-PAWNS * pawns))
SURE = 0.9999  # larger shares are written as this one


_MOVE = re.compile(r"[a-h][1-8]|[O0]-[O0]|^--$", re.IGNORECASE)  # other words are no moves
_COMMAND = re.compile(r"\[%[^\]]*\]")  # clocks and evaluations within comments
_OUTSIDE = re.compile(r"[e-h][1-8]|[a-d][6-8]", re.IGNORECASE)


def read_pgn(
    source: Source, problems: Problems = None, most: Most = EVERYTHING
) -> list[GameRecord]:
    """Return the games of a file, with their variations and comments."""
    games = (Part(game, game.line) for game in parse_games(text_of(source)))
    return read_each(games, _read, problems, most=most)


def write_pgn(records: Iterable[GameRecord]) -> str:
    """Return games of microchess in PGN."""
    return "\n\n".join(_write(number, record) for number, record in enumerate(records, 1)) + "\n"


# Reading -----------------------------------------------------------------------------------------


def _read(game: PgnGame, report: Report) -> GameRecord:
    for what, line in game.problems:
        report(what, line)
    is_named = _check_variant(game)
    moves = [word for word in game.moves if _MOVE.search(word.text)]
    if not moves and not is_named:
        raise RecordError("there are no moves, and no tag says that it is a game of microchess")
    record = pgn_tags.read_record(game.tags, pgn_tags.text(game.tags, "Rules") or "microchess")
    if record.game.partition(":")[0] != "microchess":
        raise RecordError(f"it is a game of {record.game[:40]}, not of microchess")
    record.start = pgn_tags.text(game.tags, "FEN")
    turns = _turns(moves, record)
    record.turns = turns[: _game_length(game, len(moves))]
    lines = [word.line for word in moves[: len(record.turns)]]
    stated = pgn_tags.read_outcome(game.tags)
    if stated is not None and stated.reason == "resignation":
        record.turns.append(Turn(RESIGNED))
        lines.append(lines[-1] if lines else 0)
    record, branch_lines = _grown(record, game, moves, turns, report)
    return completed(record, stated, report, lines, branch_lines)


def _game_length(game: PgnGame, moves: int) -> int:
    """Return how many moves of the main line are the game's own."""
    stated = pgn_tags.text(game.tags, "Turns")
    return min(int(stated), moves) if re.fullmatch("[0-9]{1,9}", stated) else moves


def _grown(
    record: GameRecord, game: PgnGame, moves: list[Word], turns: list[Turn], report: Report
) -> tuple[GameRecord, list[int]]:
    """Return a record with the comments and variations of a file, and the line of each branch."""
    tree = MoveTree(record)
    tree.root.comment = _said(game.comments)
    places: dict[int, Node] = {}  # of words
    lines: dict[int, int] = {}
    node = tree.root
    for word, turn in zip(moves, turns, strict=True):
        node = places[id(word)] = tree.add(node, turn)
        node.add_comment(_said(word.comments, word.text))
        lines[id(node)] = word.line
    for word in [*game.moves, *game.variations]:  # also those that are no moves
        if id(word) in places:
            continue
        node = tree.root if word.parent is None else places[id(word.parent)]
        if _MOVE.search(word.text):
            node = tree.add(node, Turn(word.text.rstrip("!?")))
            lines.setdefault(id(node), word.line)
        else:
            report(f"{word.text[:20]!r} is not understood", word.line)
        places[id(word)] = node
        node.add_comment(_said(word.comments, word.text))
    branches = [lines.get(id(node), 0) for node in tree.nodes() if not node.is_played]
    return tree.annotated(record), branches


def _said(comments: list[str], word: str = "") -> str:
    """Return what comments say to people, after the marks of a word such as Nb3!?."""
    marks = word[len(word.rstrip("!?")) :]
    texts = (_COMMAND.sub("", comment).strip() for comment in [marks, *comments])
    return tidy_comment(re.sub(r"\\x(5b|5c|7d)", _unescaped, "\n".join(filter(None, texts))))


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1], 16))


def _escaped(comment: str) -> str:
    r"""Return a comment without what would end it or look like something else.

    >>> _escaped("a} [%clk 1] \\x7d")
    'a\\x7d \\x5b%clk 1] \\x5cx7d'
    """
    whole = re.sub(r"\\(?=x(?:5b|5c|7d))", r"\\x5c", comment)
    return whole.replace("}", r"\x7d").replace("[", r"\x5b")


def _check_variant(game: PgnGame) -> bool:
    """Return whether the tags name microchess; raises where tags or squares show another game."""
    for name in ("Variant", "GameType", "Game"):
        stated = pgn_tags.text(game.tags, name)
        if stated.partition(":")[0].lower() == "microchess":
            return True
        if stated:
            raise RecordError(f"it is a game of {stated[:40]}, not of microchess")
    for word in game.moves:
        if found := _OUTSIDE.search(word.text):
            raise Problem(
                f"{found[0]} in {word.text[:20]!r} is not on the board of microchess, a1 to d5: "
                "it is another game",
                word.line,
            )
    return "Rules" in game.tags


def _turns(moves: list[Word], record: GameRecord) -> list[Turn]:
    """Return the moves as written, with the clocks and evaluations of their comments."""
    left = record.control.full()
    turns = []
    mover = start_of(record).turn
    for word in moves:
        clock, used, score = _comment_facts(" ".join(word.comments))
        value = None if score is None else _share(score.pov(mover))
        before = left[mover]
        if used is None and clock is not None and before is not None:
            used = max(0.0, round(before + record.control.increment - clock, 3))
        if clock is not None:
            left[mover] = clock
        turns.append(Turn(word.text.rstrip("!?"), pgn_tags.bounded(used or 0.0), value))
        mover = not mover
    return turns


def _comment_facts(
    comment: str,
) -> tuple[float | None, float | None, chess.engine.PovScore | None]:
    """Return the clock, the time used and the evaluation of a comment."""
    if "[%" not in comment:
        return None, None, None
    node = chess.pgn.Game()
    node.comment = comment
    try:
        return node.clock(), node.emt(), node.eval()
    except (ValueError, OverflowError):  # numbers without end
        return None, None, None


def _share(score: chess.engine.Score) -> float:
    """Return the win probability of an evaluation in pawns."""
    pawns = score.score(mate_score=100_000) / 100
    return round(1 / (1 + math.exp(-PAWNS * max(-100.0, min(100.0, pawns)))), 4)


# Writing -----------------------------------------------------------------------------------------


def _write(number: int, record: GameRecord) -> str:
    if record.game.partition(":")[0] != "microchess":
        raise RecordError(
            f"game {number} is a game of {record.game}: PGN holds microchess only; "
            "headers (results only), jsonl and csv hold every game"
        )
    positions = list(states(record))
    game = chess.pgn.Game()
    game.setup(positions[0])  # type: ignore[arg-type]  # a state of microchess is a chess.Board
    for name, value in pgn_tags.of_record(number, record).items():
        game.headers[name] = value
    game.headers["SetUp"] = "1"  # goes with the FEN that a variant always has
    if record.game != "microchess":
        game.headers["Rules"] = record.game
    turns = len([turn for turn in record.turns if turn.move != RESIGNED])
    if any(branch.parent == turns for branch in record.branches):
        game.headers["Turns"] = str(turns)
    game.comment = _escaped(record.comments.get(0, ""))
    nodes: list[chess.pgn.GameNode] = [game]
    for turn, (before, after) in zip(record.turns, pairwise(positions), strict=True):
        if turn.move == RESIGNED:
            nodes.append(nodes[-1])
            break
        node = nodes[-1].add_main_variation(before.parse_move(turn.move))
        node.comment = _escaped(record.comments.get(len(nodes), ""))
        nodes.append(node)
        if turn.value is not None:
            node.set_eval(_score(turn.value, before.turn))
        left = after.white_remain_sec if before.turn == WHITE else after.black_remain_sec
        if math.isfinite(left):
            node.set_clock(left)
        node.set_emt(turn.seconds)
    _add_variations(record, positions[0], nodes)
    return game.accept(chess.pgn.StringExporter(columns=80))


def _add_variations(record: GameRecord, start: State, nodes: list[chess.pgn.GameNode]) -> None:
    """Add the branches of a record below the nodes of its positions, and their comments."""
    tree = MoveTree(record)
    places = dict(zip(map(id, tree.nodes()), nodes, strict=False))
    for branch, _, move in walk(tree, start):
        if id(branch) not in places:
            node = places[id(branch.parent)].add_variation(move)
            node.comment = _escaped(branch.comment)
            places[id(branch)] = node


def _score(share: float, mover: bool) -> chess.engine.PovScore:
    share = min(SURE, max(1 - SURE, share))
    pawns = math.log(share / (1 - share)) / PAWNS
    return chess.engine.PovScore(chess.engine.Cp(round(100 * pawns)), mover)
