"""Recorded games for the page: from a file to a list, from a record to all its boards."""

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from hansu.display.board_pack import shared_tags
from hansu.errors import RecordError
from hansu.games.game import BLACK, COLOR_NAMES, WHITE
from hansu.games.state import State
from hansu.records.evidence import evidence_facts
from hansu.records.facts import Tally, outcome_facts
from hansu.records.formats import read_content
from hansu.records.problems import Most
from hansu.records.reading import text_of
from hansu.records.record import GameRecord
from hansu.records.replay import game_of, start_of, states
from hansu.records.variations import MoveTree, Node, walk
from hansu.web.agreement import recorded
from hansu.web.refusals import Refusal
from hansu.web.why import why_facts

MOST = Most(games=1000, turns=50_000, seconds=3.0)  # of one file
MOST_PROBLEMS = 5
MOST_BRANCHES = 1500  # boards of variations that are drawn
MOST_LETTERS = 100_000_000  # of all pictures of a game: a game of go, however long by the rules


def read_upload(content: bytes, name: str) -> dict[str, Any]:
    """Return the games of a file in any format we read; raises RecordError if it has none."""
    problems: list[RecordError] = []
    games = read_content(content, content, PurePath(name).suffix, problems, MOST)
    return {
        "games": [_listed(record) for record in games],
        "found": len(games),
        "left_out": [why_facts(str(problem)) for problem in problems[:MOST_PROBLEMS]],
        "more": max(0, len(problems) - MOST_PROBLEMS),
    }


def _listed(record: GameRecord) -> dict[str, Any]:
    return {
        "name": game_of(record).name,
        "white": record.player(WHITE),
        "black": record.player(BLACK),
        "result": record.outcome.result(),
        "reason": record.outcome.reason,
        "turns": len(record.turns),
        "record": record.as_json(),
    }


def replay_facts(content: bytes, flip: bool) -> dict[str, Any]:
    """Return everything to step through a game; raises RecordError."""
    record = GameRecord.from_json(text_of(content))
    first, last = start_of(record), start_of(record)
    tallies: list[dict[str, tuple[float, float]]] = []

    def drawn() -> Iterator[str]:
        """Yield one board after the other; only the last position is kept."""
        nonlocal last
        letters = 0
        for number, last in enumerate(states(record)):
            tallies.append(last.tally())
            agreed = recorded(record, last) if number == len(record.turns) else None
            if agreed is None:
                board = last.svg(cells=True, flip=flip)
            else:
                tallies[-1] = agreed.tally()
                board = last.svg(cells=True, flip=flip, territory=True, dead=agreed.dead)
            letters += len(board)
            if letters > MOST_LETTERS:
                raise Refusal("too_long_to_show", turns=len(record.turns), most=number)
            yield board

    pictures = list(drawn())
    tree = MoveTree(record)
    facts, branches = _tree_facts(tree, first, _most_places(pictures), flip)
    boards = shared_tags([*pictures, *(svg for svg, _ in branches)])
    outcome = outcome_facts(record.outcome, tallies[-1], len(record.turns))
    return {
        "game": str(last.game),
        "name": last.game.name,
        "white": record.player(WHITE),
        "black": record.player(BLACK),
        "start": record.start,
        "first": COLOR_NAMES[first.turn],
        "played": record.moves,
        "tree": facts,
        "seconds": [turn.seconds for turn in record.turns],
        "values": [turn.value for turn in record.turns],
        "tallies": [*tallies, *(tally for _, tally in branches)],
        "outcome": outcome,
        "evidence": evidence_facts(record.evidence),
        **boards,
    }


def _most_places(pictures: list[str]) -> int:
    """Return how many boards a game may have on the page, variations among them."""
    return min(MOST_LETTERS // max(map(len, pictures)), len(pictures) + MOST_BRANCHES)


def _tree_facts(
    tree: MoveTree, start: State, most: int, flip: bool
) -> tuple[dict[str, Any], list[tuple[str, Tally]]]:
    """Return the tree as the page has it, and board and tally of each place in a variation."""
    nodes, main = tree.nodes()[:most], len(tree.main_line())
    places = {node: place for place, node in enumerate(nodes)}
    names = {node: node.turn.move for node in nodes}
    found: dict[Node, tuple[str, Tally]] = {}
    for node, before, move in walk(tree, start):
        if node not in places:
            continue
        names[node] = before.move_name(move)
        if not node.is_played:
            state = before.copy()
            state.push(move)
            found[node] = state.svg(cells=True, flip=flip), state.tally()
    facts = {
        "names": list(names.values()),
        "played": [node.turn.move for node in nodes],
        "parents": [places[node.parent] if node.parent else 0 for node in nodes],
        "main": main,
        "comments": {place: node.comment for node, place in places.items() if node.comment},
        "unshown": len(tree.nodes()) - len(nodes),
    }
    return facts, [found[node] for node in nodes[main:]]
