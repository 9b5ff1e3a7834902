"""Variations and comments: every format that has them keeps them, and files keep theirs."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hansu
from hansu.errors import RecordError
from hansu.records.formats import FORMATS
from hansu.records.jsonl import read_jsonl, write_jsonl
from hansu.records.pgn import read_pgn, write_pgn
from hansu.records.record import Branch, GameRecord, Turn, tidy_comment
from hansu.records.sgf import read_sgf, write_sgf
from hansu.records.variations import MoveTree, walk
from tests.records.random_games import random_record

OWN = {
    "sgf": ["go:size=5", "go:size=6,max_turns=20", "hex:size=5", "hex:size=3,swap=on"],
    "pgn": ["microchess", "microchess:max_turns=12,no_progress=none"],
    "jsonl": ["othello", "connect4", "tictactoe", "go:size=5", "microchess", "hex:size=4"],
}
CASES = [(name, game) for name, games in OWN.items() for game in games]
COMMENTS = [
    "",
    "good move",
    "좋은 수",
    "a ] b [ c \\ d } e { f ( g ) ; h",
    "two\nlines",
    '[Event "no tag"]\n[%clk 0:00:01]',
    "\\x7d is not }",
    "see ;B[aa",
    "(;GM[1]SZ[9]",
    "1. e4 {x} 1-0 *",
    "% at the\n% beginning",
    "\\",
]


def grown(game, seed, comments):
    """A random game with random variations, also nested and after its end, and comments."""
    rng = random.Random(f"{game} {seed}")
    record = random_record(game, seed)
    tree = MoveTree(record)
    chosen = hansu.game(game)
    for _ in range(rng.choice([0, 1, 4, 12])):
        node = rng.choice(tree.nodes())
        state = chosen.parse(record.start)
        for each in node.path():
            if each.turn.move != "resign":
                state.push(state.parse_move(each.turn.move))
        for _ in range(rng.choice([1, 1, 3])):
            if state.is_game_over():
                break
            move = rng.choice(list(state.legal_moves))
            node = tree.add(node, Turn(state.move_text(move)))
            state.push(move)
    for node in tree.nodes():
        # What follows a resignation is no position of its own in the formats of others.
        if node.turn.move != "resign" and rng.random() < 0.5:
            node.comment = tidy_comment(rng.choice(comments))
    return tree.annotated(record)


def annotations(record):
    return record.moves, record.branches, record.comments, record.outcome, record.start


@pytest.mark.parametrize(("name", "game"), CASES)
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), text=st.text(st.characters(exclude_categories=["Cs"])))
def test_what_is_written_is_read_again(name, game, seed, text):
    records = [grown(game, seed, [*COMMENTS, text]), grown(game, seed + 1, COMMENTS)]
    problems = []
    back = FORMATS[name].read(FORMATS[name].write(records), problems)
    assert problems == []
    assert list(map(annotations, back)) == list(map(annotations, records))
    again = FORMATS[name].read(FORMATS[name].write(back))
    assert list(map(annotations, again)) == list(map(annotations, records))


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_formats_say_whether_they_hold_variations(name):
    assert FORMATS[name].holds_variations == (name in OWN)


SGF = """(;GM[1]SZ[9]C[the root];B[ee]C[tengen]
(;W[dd];B[cc](;W[bb]C[deep])(;W[aa]))
(;W[gg]C[other];C[more];B[ff])
(;W[ee]C[not legal];B[aa])
(;B[dc])
(;AB[aa];W[bb]))"""


def test_variations_of_an_sgf_file_are_kept():
    problems = []
    (record,) = read_sgf(SGF, problems)
    assert record.moves == ["E5", "D6", "C7", "B8"]
    assert record.comments == {0: "the root", 1: "tengen", 4: "deep", 5: "other\nmore"}
    assert record.branches == [
        Branch(1, "G3"),
        Branch(5, "F4"),
        Branch(1, "pass"),  # White's, whom the file leaves out
        Branch(7, "D7"),
        Branch(3, "A9"),
    ]
    assert [(problem.line, problem.game) for problem in problems] == [(6, 1), (4, 1)]


PGN = """[Variant "Microchess"]

{before} 1. d4! {main [%clk 0:01:00]} (1. d3?! {quiet} a3 (1... Kb4 ; deep
) 2. Kc2 junk 2... Nb3) 1... a3 $5 2. Kc2 ({first said} 2. Kd2) *
"""


def test_variations_of_a_pgn_file_are_kept():
    problems = []
    (record,) = read_pgn(PGN, problems)
    assert record.moves == ["d2d4", "a4a3", "d1c2"]
    assert record.branches == [
        Branch(0, "d2d3"),
        Branch(4, "a4a3"),
        Branch(5, "d1c2"),
        Branch(2, "d1d2"),
        Branch(4, "a5b4"),
    ]
    said = {0: "before", 1: "!\nmain", 2: "!?", 4: "?!\nquiet", 7: "first said", 8: "deep"}
    assert record.comments == said
    assert ["junk" in str(problem) for problem in problems] == [True, False]  # no knight there


def test_a_flat_record_of_nonsense_is_refused_in_one_sentence():
    record = GameRecord("tictactoe", "a", "b", ".........", True, 0, [Turn("b2")])
    line = record.as_json()
    for nonsense in (
        '"variations": [[2, "a1"]]',
        '"variations": [[-1, "a1"]]',
        '"variations": [[0]]',
        '"variations": [[0, 1]]',
        '"variations": {"0": 1}',
        '"variations": 7',
        '"comments": ["x"]',
        '"comments": {"2": "x"}',
        '"comments": {"x": "x"}',
        '"comments": {"0": 1}',
        '"comments": null',
    ):
        with pytest.raises(RecordError, match="no game record"):
            GameRecord.from_json(line[:-1] + f", {nonsense}}}")


def test_moves_that_cannot_be_played_are_left_out_and_said():
    record = GameRecord("tictactoe", "a", "b", ".........", True, 0, [Turn("b2"), Turn("a1")])
    record.branches = [Branch(1, "B3"), Branch(3, "b3"), Branch(4, "c1"), Branch(0, "a1")]
    record.comments = {4: "lost", 6: "kept"}
    problems = []
    (told,) = read_jsonl(write_jsonl([record]), problems)
    assert told.branches == [Branch(0, "a1"), Branch(1, "b3")]
    assert told.comments == {3: "kept"}
    (problem,) = problems
    assert "with 1 move after it" in str(problem)


def test_a_game_that_goes_on_in_a_variation_ends_as_it_did():
    record = GameRecord("go:size=5", "a", "b", "", False, 0, [Turn("C3"), Turn("resign")])
    record.start, record.outcome = (
        hansu.game("go:size=5").start().text(),
        hansu.Outcome(hansu.BLACK, "resignation"),
    )
    record.branches = [Branch(1, "B2"), Branch(3, "D4")]
    (told,) = read_sgf(write_sgf([record]))
    assert annotations(told) == annotations(record)


def test_promoting_makes_the_main_line():
    record = GameRecord("tictactoe", "a", "b", ".........", True, 0, [Turn("b2"), Turn("a1")])
    record.branches = [Branch(1, "c3"), Branch(3, "a3"), Branch(0, "b1")]
    tree = MoveTree(record)
    tree.promote(tree.nodes()[4])
    told = tree.annotated(record)
    assert told.moves == ["b2", "c3", "a3"]
    assert told.branches == [Branch(0, "b1"), Branch(1, "a1")]


def test_a_tree_that_nobody_checked_is_not_written():
    record = GameRecord("microchess", "a", "b", "", True, 0, [Turn("d2d4")])
    record.branches = [Branch(0, "a1a9")]
    with pytest.raises(RecordError):
        write_pgn([record])
    tree, start = MoveTree(replace(record, branches=[])), hansu.game("microchess").start()
    assert [node.turn.move for node, _, _ in walk(tree, start)] == ["d2d4"]


def test_very_deep_and_very_wide_trees_are_read_in_linear_time():
    deep = "(;GM[1]SZ[9];B[aa]" + "(;W[bb])(;W[cc];B[])(;W[];B[dd]" * 3_000
    (record,) = read_sgf(deep, [])
    assert record.moves == ["A9", "B8"]
    assert record.branches
    wide = "(;GM[1]SZ[9];B[ee]" + "(;W[dd])" * 5_000 + ")"
    (record,) = read_sgf(wide, [])
    assert (record.moves, record.branches) == (["E5", "D6"], [])
    pgn = '[Variant "Microchess"]\n\n1. d4 ' + "(" * 20_000 + "1. b3"
    (record,) = read_pgn(pgn, [])
    assert record.moves == ["d2d4"]
