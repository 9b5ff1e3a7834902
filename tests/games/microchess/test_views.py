"""What judges, networks and eyes see of a position."""

import xml.etree.ElementTree as ET

import chess
import numpy as np
import pytest

import hansu
from tests.games.microchess.positions import random_positions

GAME = hansu.game("microchess")
VIEWS = {"mirror": GAME.features, "absolute": GAME.make_features(mirror=False)}


# Evaluation ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "white"),
    [
        ("knbr/p3/4/3P/RBNK w Kk - 0 1", 0.5),
        ("knbr/p3/4/3P/RBNK b Kk - 0 1", 0.5),
        ("k3/p3/4/4/Q2K w - - 0 1", 14 / 19),
        ("k3/p3/4/4/Q2K b - - 0 1", 14 / 19),
        ("8/8/8/8/k7/8/K7/2b5 b - - 0 14", 0.0),  # over: the result counts, not the material
        ("k3/1Q2/1K2/4/4 b - - 0 1", 1.0),
    ],
)
def test_evaluation_is_the_share_of_material(fen, white):
    state = GAME.parse(fen)
    assert GAME.evaluator.eval(state, hansu.WHITE) == pytest.approx(white)
    assert GAME.evaluator.eval(state, hansu.BLACK) == pytest.approx(1 - white)
    assert GAME.evaluator.eval_2(state, hansu.WHITE) == pytest.approx(2 * white - 1)


def test_evaluation_follows_the_rule_set():
    fen = "k3/p3/4/4/Q2K w - - 0 1"
    other = hansu.game("microchess", material="p2n3b3r5q9k0")
    assert other.evaluator.eval(other.parse(fen), hansu.WHITE) == pytest.approx(9 / 11)
    plain = hansu.game("microchess", adjudication=False)
    assert plain.evaluator.eval(plain.parse(fen), hansu.WHITE) == pytest.approx(14 / 19)
    drawn = plain.parse("8/8/8/8/k7/8/K7/2b5 b - - 0 14")
    assert plain.evaluator.eval(drawn, hansu.BLACK) == 0.5


# Networks -----------------------------------------------------------------------------------------


def drawn_planes(planes):
    """Planes as a board of letters: capitals for the first six, row by row from the top."""
    rows = [["."] * 4 for _ in range(5)]
    for plane, row, column in np.argwhere(planes):
        rows[row][column] = "PRNBQKprnbqk"[plane]
    return ["".join(row) for row in rows]


def test_planes_show_the_board_to_the_side_to_move():
    state = GAME.parse("kn2/p2Q/4/3P/R2K b - - 0 1")
    turned = ["k..r", "p...", "....", "q..P", "..NK"]
    assert drawn_planes(VIEWS["mirror"].planes(state)) == turned
    assert drawn_planes(VIEWS["absolute"].planes(state)) == ["kn..", "p..Q", "....", "...P", "R..K"]
    for features in VIEWS.values():
        assert features.planes(state).shape == (12, 5, 4)


@pytest.mark.parametrize(
    ("turn", "rights", "mirrored", "absolute"),
    [
        ("w", "K", [1, 0, 1, 0], [1, 0, 1, 0]),
        ("w", "k", [1, 0, 0, 1], [1, 0, 0, 1]),
        ("b", "K", [0, 1, 0, 1], [0, 1, 1, 0]),
        ("b", "k", [0, 1, 1, 0], [0, 1, 0, 1]),
        ("b", "Kk", [0, 1, 1, 1], [0, 1, 1, 1]),
        ("w", "-", [1, 0, 0, 0], [1, 0, 0, 0]),
    ],
)
def test_the_vector_holds_turn_and_castling(turn, rights, mirrored, absolute):
    state = GAME.parse(f"k2r/p3/4/3P/R2K {turn} {rights} - 0 1")
    assert VIEWS["mirror"].vector(state).tolist() == mirrored
    assert VIEWS["absolute"].vector(state).tolist() == absolute


def test_mirrored_positions_look_the_same():
    features = VIEWS["mirror"]
    for state in random_positions(300, seed=31):
        mirrored = state.mirror()
        assert np.array_equal(features.planes(state), features.planes(mirrored))
        assert features.vector(state)[2:].tolist() == features.vector(mirrored)[2:].tolist()
        turned = {
            features.action(mirrored, chess.Move(35 - m.from_square, 35 - m.to_square, m.promotion))
            for m in state.legal_moves
        }
        assert turned == {features.action(state, move) for move in state.legal_moves}


@pytest.mark.parametrize("view", VIEWS)
def test_moves_survive_the_way_to_actions_and_back(view):
    features = VIEWS[view]
    under = 0
    for state in random_positions(500, seed=32):
        for move in state.legal_moves:
            action = features.action(state, move)
            assert 0 <= action < features.actions == 400
            back = features.move(state, action)
            if move.promotion in (None, chess.QUEEN):
                assert back == move
            else:
                assert back == chess.Move(move.from_square, move.to_square, chess.QUEEN)
                under += 1
    assert under > 100


def test_actions_count_cells_from_the_far_left():
    state = GAME.start()
    assert VIEWS["mirror"].action(state, chess.Move.from_uci("d2d4")) == 20 * 15 + 7
    state.push_uci("d2d4")
    assert VIEWS["mirror"].action(state, chess.Move.from_uci("a4a2")) == 20 * 15 + 7
    assert VIEWS["absolute"].action(state, chess.Move.from_uci("a4a2")) == 20 * 4 + 12


# Pictures -----------------------------------------------------------------------------------------


def picture(state, **options):
    return ET.fromstring(state.svg(**options))


def count(root, marker):
    return sum(marker in "".join(element.attrib.values()) for element in root.iter())


def test_a_picture_shows_pieces_squares_and_names():
    root = picture(GAME.start())
    pieces = [e for e in root.iter() if "translate" in e.get("transform", "")]
    assert len(pieces) == 10
    assert [e.text for e in root.iter() if e.tag.endswith("text")] == list("abcd54321")
    assert count(root, "#f1e4c9") == count(root, "#b98b62") == 10


def test_a_picture_marks_last_move_check_legal_moves_and_arrows():
    state = GAME.parse("startpos moves c1b3")
    root = picture(state)
    assert count(root, "#e8a33d") == 2  # from and to
    assert count(root, "url(#check)") == 1
    assert count(picture(state, last=False), "#e8a33d") == 0
    plain = count(root, "#2f8f6b")
    assert plain == 0
    assert count(picture(state, legal=True), "#2f8f6b") == 1  # the king's only flight
    assert count(picture(state, arrows={chess.Move.from_uci("a5b4"): 0.7}), "#2f8f6b") == 1


def test_a_picture_can_be_turned():
    def king(root):
        return next(
            parent.get("transform")
            for parent in root.iter()
            if any(child.get("class") == "white king" for child in parent)
        )

    usual, flipped = king(picture(GAME.start())), king(picture(GAME.start(), flip=True))
    assert usual.startswith("translate(159 196)")
    assert flipped.startswith("translate(15 4)")


def test_a_state_shows_itself_in_a_notebook():
    assert GAME.start()._repr_svg_() == GAME.start().svg(ground=True)
