"""What is seen of a go position: by an evaluation, by a network, as a picture."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import hansu
from hansu.games.go.draw import star_points
from hansu.search.playout import playouts

GAME = hansu.game("go", size=5, komi=0)


def black_stands(text, game=GAME):
    return game.evaluator.eval(game.parse(text), hansu.BLACK)


# Evaluation --------------------------------------------------------------------------------------


def test_the_start_is_even():
    assert black_stands("") == 0.5


def test_the_first_stone_does_not_decide_the_game():
    assert 0.5 < black_stands("C3") < 0.75


def test_more_area_is_better_and_more_so_on_a_full_board():
    open_board = black_stands("..xo./..xo./..xo./..xo./..xo.")
    full_board = black_stands(".xxoo/x.xo./xxxoo/.xxo./xxxoo")
    assert 0.5 < open_board < full_board
    assert black_stands("..ox./..ox./..ox./..ox./..ox.") == pytest.approx(1 - open_board)


def test_komi_counts():
    text = "..xo./..xo./..xo./..xo./..xo."
    assert black_stands(text, hansu.game("go", size=5, komi=5)) == 0.5
    assert black_stands(text, hansu.game("go", size=5, komi=7)) < 0.5


def test_captured_stones_count():
    kept = GAME.parse(".x.../xo.../.x.../...../..... black")
    taken = kept.forward(kept.parse_move("C4"))
    passed = kept.forward(kept.pass_move)
    worth = GAME.evaluator.eval
    assert worth(taken, hansu.BLACK) > worth(passed, hansu.BLACK)


def test_a_finished_game_is_worth_its_result():
    assert black_stands("C3 pass pass") == 1.0
    assert black_stands("pass C3 pass pass") == 0.0
    assert black_stands("pass pass") == 0.5


# Features ----------------------------------------------------------------------------------------


def test_the_planes_are_seen_by_the_side_to_move():
    text = "ox.../...../...../..oo./x.xo."  # A5 and C1 are in atari
    game = hansu.game("go", size=5, komi=7)
    state = game.parse(text + " white to move")
    planes = game.features.planes(state)

    def points(plane):
        return {state.move_text(int(p)) for p in np.flatnonzero(planes[plane])}

    assert points(0) == {"A5", "C2", "D2", "D1"}
    assert points(1) == {"B5", "A1", "C1"}
    assert points(2) == {"A5"}
    assert points(3) == {"C1"}
    assert points(4) == set()
    assert points(5) == set()
    assert planes[6] == pytest.approx(0.7)
    black = game.features.planes(game.parse(text + " black to move"))
    assert np.array_equal(black[[0, 1, 2, 3]], planes[[1, 0, 3, 2]])
    assert black[6] == pytest.approx(-0.7)


def test_self_capture_and_a_pass_have_their_planes():
    game = hansu.game("go", size=5)
    state = game.parse(".x.../x..../...../...../..... black to move")
    assert not game.features.planes(state)[4:6].any()
    state.push(state.pass_move)
    planes = game.features.planes(state)
    assert np.flatnonzero(planes[4]).tolist() == [0]
    assert planes[5].all()


@pytest.mark.parametrize(("size", "symmetries"), [(9, 8), ("9x7", 4)])
def test_actions_are_points_and_the_pass(size, symmetries):
    game = hansu.game("go", size=size)
    state = game.start()
    assert game.features.actions == len(state.legal_moves)
    assert len(game.features.symmetries) == symmetries
    for symmetry in game.features.symmetries:
        assert symmetry.actions[state.pass_move] == state.pass_move


# Playouts ---------------------------------------------------------------------------------------


def test_playouts_differ_by_policy_and_repeat_by_seed():
    start = hansu.game("go").start()
    assert playouts(start, 50, seed=3) == playouts(start, 50, seed=3)
    assert playouts(start, 50, seed=3) != playouts(start, 50, seed=4)
    assert playouts(start, 50, seed=3) != playouts(start, 50, seed=3, policy="uniform")


def test_playouts_leave_the_state_alone():
    state = GAME.parse("C3 D4 pass")
    before = state.words.copy()
    playouts(state, 20, seed=1)
    assert np.array_equal(state.words, before)


def test_who_owns_the_board_wins_the_playouts():
    alive = GAME.parse(".x.x./xxxxx/xxxxx/ooooo/..... black")
    assert playouts(alive, 200, seed=1).wins > 150


# Pictures ----------------------------------------------------------------------------------------


def elements(svg, name):
    return ElementTree.fromstring(svg).findall(f".//{{http://www.w3.org/2000/svg}}{name}")


@pytest.mark.parametrize("size", [5, 9, 19, "9x7"])
def test_a_picture_shows_every_stone_once(size):
    game = hansu.game("go", size=size)
    state = game.parse("C3 D4 B2 pass")
    stones = [c for c in elements(state.svg(), "circle") if "url(#go-" in c.get("fill")]
    assert len(stones) == 3
    lines = elements(state.svg(), "line")
    assert len(lines) == game.width + game.height


def test_a_picture_shows_what_is_asked_for():
    state = GAME.parse("C3 D4")
    plain = state.svg(coordinates=False, last=False)
    assert len(elements(plain, "text")) == 0
    assert len(elements(state.svg(), "text")) == 10
    assert len(state.svg(legal=True)) > len(state.svg())
    assert "pass 40%" in state.svg(arrows={state.pass_move: 0.4, 0: 1.0})
    assert ">black passed<" in GAME.parse("pass").svg()
    owned = GAME.parse("xxx../..x../xxx../...../.....").svg(territory=True)
    assert len(elements(owned, "rect")) == 1 + 18


def test_star_points():
    assert star_points(9, 9) == [(2, 2), (2, 6), (4, 4), (6, 2), (6, 6)]
    assert len(star_points(19, 19)) == 9
    assert star_points(6, 6) == []
