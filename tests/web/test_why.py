"""Every sentence that the page translates is one that readers still say."""

import json

import pytest

from hansu.errors import HansuError, RecordError
from hansu.web.messages import SetUp
from hansu.web.recorded_games import read_upload
from hansu.web.refusals import rule_facts
from hansu.web.set_up import set_up_facts
from hansu.web.why import sentences, why_facts

ROW7 = 7 * [""]
Y, R = "yellow_disc", "red_disc"
X, O = "cross", "nought"  # noqa: E741
BLACK = ["black_stone", *10 * [""]]
EMPTY = 5 * [4 * [""]]


def chess(**pieces):
    """The rows of a microchess board, by squares."""
    rows = [list(row) for row in EMPTY]
    for square, piece in pieces.items():
        rows[5 - int(square[1])]["abcd".index(square[0])] = piece
    return rows


POSITIONS = {
    "floating": ("connect4", [[Y, *6 * [""]], *5 * [ROW7]]),
    "connect4_turns": ("connect4", [*5 * [ROW7], [Y, Y, Y, *4 * [""]]]),
    "connect4_order": ("connect4", [*4 * [ROW7], [Y, *6 * [""]], [R, *6 * [""]]]),
    "tictactoe_turns": ("tictactoe", [[X, X, ""], 3 * [""], 3 * [""]]),
    "tictactoe_line": ("tictactoe", [[X, X, X], [O, O, ""], [O, "", ""]]),
    "no_liberty": ("go", 9 * [9 * ["black_stone"]]),
    "hex_turns": ("hex", [["black_stone"] * 3 + 8 * [""], *10 * [11 * [""]]]),
    "hex_connected": ("hex", [["white_stone"] * 11, ["black_stone"] * 11, BLACK, *8 * [11 * [""]]]),
    "no_white_king": ("microchess", chess(a5="black_king")),
    "no_black_king": ("microchess", chess(a1="white_king")),
    "many_kings": ("microchess", chess(a1="white_king", c1="white_king", a5="black_king")),
    "pawn_on_edge": ("microchess", chess(a1="white_king", a5="black_king", d5="white_pawn")),
    "opposite_check": ("microchess", chess(a1="white_king", a5="black_king", a3="white_rook")),
}
SGF = "(;GM[1]SZ[9]"
FILES = {
    "cut_off": f"{SGF};B[ee];W[dd]",
    "late_pass": f"{SGF};B[ee];W[];B[];W[])",
    "late_passes": f"{SGF};B[ee];W[];B[];W[];B[])",
    "late_moves": f"{SGF};B[ee]);W[dd])",
    "after_the_end": "b2a1b1a2b3c3",
    "set_up_later": f"{SGF};B[ee];W[dd];AB[aa];B[cc])",
    "set_up_before": f"{SGF};B[ee];AB[aa];B[cc];W[dd])",
    "twice": f"{SGF};B[ee];B[dd])",
    "illegal": "4444444",
    "taken": f"{SGF};B[ee];W[ee])",
    "superko": f"{SGF}AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb])",
    "self_capture": f"{SGF}AB[ba][ab]PL[W];W[aa])",
    "no_point": f"{SGF};B[ee];W[zz])",
    "not_understood": "f5d6hello",
    "unclosed_value": "(;GM[1]SZ[9]\nC[hello;B[ee];W[dd])",
    "unclosed_game": "(;GM[1]SZ[9];B[ee]\n(;GM[1]SZ[9];B[dd])",
    "after_variation": f"{SGF};B[ee](;W[dd])(;W[cc]);B[bb])",
    "lost_variations": f"{SGF};B[ee];W[ee];B[bb](;W[cc])(;W[dd]))",
    "no_size": "(;GM[1]SZ[40];B[ee])",
    "other_game": "(;GM[3];B[ee])",
    "nothing": "(;)",
    "many_games": 1001 * "4453\n",
    "empty": " ",
    "no_transcript": "hello",
}


@pytest.mark.parametrize("kind", POSITIONS)
def test_why_a_position_cannot_be_played(kind):
    game, rows = POSITIONS[kind]
    with pytest.raises(HansuError) as refused:
        set_up_facts(SetUp(game=game, rows=rows, turn="white"))
    assert rule_facts(refused.value)["why"]["kind"] == kind


@pytest.mark.parametrize("kind", FILES)
def test_what_of_a_file_is_left_out(kind):
    try:
        found = read_upload(FILES[kind].encode(), "pasted.txt")["left_out"]
    except HansuError as error:
        found = [rule_facts(error)["why"]]
    assert kind in [why["kind"] for why in found], json.dumps(found)


def test_every_sentence_is_said():
    assert {*POSITIONS, *FILES} == set(sentences())


def test_a_long_sentence_is_cut_before_it_is_looked_at():
    assert "why" in rule_facts(RecordError("what is not understood"))
    assert "why" not in rule_facts(RecordError(f"{10_000 * 'what '}is not understood"))


def test_other_sentences_stay_as_they_are():
    assert why_facts("line 1: some other sentence") == {
        "text": "line 1: some other sentence",
        "kind": "",
    }
