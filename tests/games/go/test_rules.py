"""The rules of go on drawn boards, and against slow, obvious code."""

import collections
import csv
import random
from pathlib import Path

import numpy as np
import pytest

import hansu
from hansu.games.go import board, rules
from hansu.games.go.notation import colors_of
from hansu.kernel import JIT, kernel, seeded
from hansu.search.playout import playouts
from tests.games.go.slow_board import SlowBoard

DATA = Path(__file__).parents[2] / "data"


def drawn(text):
    """A state from a drawing with blanks between rows."""
    *rows, side = text.split()
    return hansu.game("go", komi=0).parse("/".join(rows) + " " + side)


def after(state, moves):
    for move in moves.split():
        state = state.forward(state.parse_move(move))
    return state


def shown(state):
    return " ".join("".join(line.split()[1:]) for line in str(state).splitlines()[1:])


# Capture -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "move", "expected"),
    [
        ("..... ..x.. .xo.. ..x.. ..... black", "D3", "..... ..x.. .x.x. ..x.. ....."),
        ("o.... x.... ..... ..... ..... black", "B5", ".x... x.... ..... ..... ....."),
        ("oo... xxx.. ..... ..... ..... black", "C5", "..x.. xxx.. ..... ..... ....."),
        (".xx.. xoox. xoo.x .xxx. ..... black", "D3", ".xx.. x..x. x..xx .xxx. ....."),
        # one stone captures three strings at once
        (".oxo. ox.xo .ooo. ..... ..... white", "C4", ".o.o. o.o.o .ooo. ..... ....."),
        # filling an own eye is foolish, not illegal
        ("ooo.. o.o.. ooo.. ..... ..... white", "B4", "ooo.. ooo.. ooo.. ..... ....."),
        # a stone without liberties lives by capturing
        (".oox. oxxx. xx... ..... ..... black", "A5", "x..x. .xxx. xx... ..... ....."),
    ],
)
def test_a_move_captures_what_has_no_liberty_left(before, move, expected):
    assert shown(after(drawn(before), move)) == expected


def test_captured_stones_are_counted_for_the_one_who_captures():
    state = after(drawn(".xx.. xoox. xoo.x .xxx. ..... black"), "D3")
    assert (state.captures(hansu.BLACK), state.captures(hansu.WHITE)) == (4, 0)


@pytest.mark.parametrize(
    ("before", "point"),
    [
        (".x... x.... ..... ..... ..... white", "A5"),
        ("..x.. .x.x. ..x.. ..... ..... white", "C4"),
        (".ox.. oox.. xx... ..... ..... white", "A5"),
        ("..... .xx.. xo.x. .xx.. ..... white", "C3"),
    ],
)
def test_self_capture_of_one_or_many_stones_is_illegal(before, point):
    state = drawn(before)
    assert state.is_self_capture(point)
    assert not state.violates_superko(point)
    with pytest.raises(hansu.HansuError, match=rf"{point} is not legal here \(self-capture\)"):
        state.parse_move(point)
    assert not state.forward(state.pass_move).is_self_capture(point)  # the other may


def test_a_snapback_takes_back_more_than_it_gave():
    state = after(drawn("..... ..... ooo.. .xo.. .xo.. white"), "A1 A2")
    assert shown(state) == "..... ..... ooo.. xxo.. .xo.."
    assert not state.violates_superko("A1")
    assert shown(after(state, "A1")) == "..... ..... ooo.. ..o.. o.o.."


# Ko and superko ----------------------------------------------------------------------------------

KO = ".xo.. x.xo. .xo.. ..... ..... white"


def test_a_ko_may_not_be_taken_back_at_once():
    state = after(drawn(KO), "B4")
    assert shown(state) == ".xo.. xo.o. .xo.. ..... ....."
    assert state.violates_superko("C4")
    assert not state.is_self_capture("C4")
    with pytest.raises(hansu.HansuError, match=r"C4 is not legal here \(superko\)"):
        state.parse_move("C4")


def test_a_ko_may_be_taken_back_after_a_threat_and_its_answer():
    state = after(drawn(KO), "B4 E1 D1 C4")
    assert shown(state) == ".xo.. x.xo. .xo.. ..... ...ox"
    assert state.violates_superko("B4")


def test_a_triple_ko_may_not_go_round():
    state = drawn("ooooooo oxo.o.o x.xoxox xxxxxxx ooooooo ....... black")
    state = after(state, "D5 B4 F5 D4 B5")
    forbidden = [state.move_text(p) for p in range(42) if state.violates_superko(p)]
    assert forbidden == ["B4", "F4"]  # B4 takes back the ko just taken, F4 closes the circle


SEND_TWO = "..... ..xxx xxxoo xooo. xo.ox xoxx. black"


def test_a_board_may_come_back_with_the_other_player_to_move():
    before = drawn(SEND_TWO)
    state = after(before, "E3 E1 E2")  # two stones sent, one returned: three turns
    assert shown(state) == shown(before)
    assert state.turn != before.turn
    assert state.key != before.key


def test_passing_does_not_lift_superko():
    state = after(drawn(SEND_TWO), "E3 E1 E2 pass")
    assert state.violates_superko("E3")  # although it captures nothing
    assert not drawn(SEND_TWO).violates_superko("E3")


# The end -----------------------------------------------------------------------------------------


def test_two_passes_end_the_game_and_leave_no_moves():
    state = after(hansu.game("go", size=5).start(), "C3 pass")
    assert state.outcome() is None
    state = after(state, "pass")
    assert state.legal_moves == []
    assert state.outcome() == hansu.Outcome(hansu.BLACK, "two_passes", 18.0)


def test_a_pass_a_play_and_a_pass_do_not_end_the_game():
    assert not after(hansu.game("go", size=5).start(), "pass C3 pass").is_game_over()


def test_the_turn_limit_ends_the_game_but_leaves_the_moves():
    state = after(hansu.game("go", size=5, max_turns=3, komi=0.5).start(), "C3 C4 D4")
    assert state.outcome() == hansu.Outcome(hansu.BLACK, "max_turns", 0.5)
    assert len(state.legal_moves) == 23
    assert hansu.game("go", size=7).max_turns == 147


def test_two_passes_in_the_last_turn_are_two_passes():
    state = after(hansu.game("go", size=5, max_turns=2).start(), "pass pass")
    assert state.outcome() == hansu.Outcome(hansu.WHITE, "two_passes", 7.0)


@pytest.mark.parametrize(
    ("text", "komi", "black", "white", "winner"),
    [
        ("..... ..... ..... ..... .....", 0, 0, 0, None),
        ("..x.. ..... ..... ..... .....", 7, 25, 0, hansu.BLACK),
        (".xo.. .xo.. .xo.. .xo.. .xo..", 0, 10, 15, hansu.WHITE),
        (".xo.. .xo.. .xo.. .xo.. .xo..", -5, 10, 15, None),
        (".xo.. .xo.. .xo.. .xo.. .xo..", -5.5, 10, 15, hansu.BLACK),
        ("x.o.. x.o.. x.o.. x.o.. x.o..", 0, 5, 15, hansu.WHITE),  # a neutral column
        # a seki: C7 and the open side are nobody's, the eyes A7 and E7 count
        (".x.o.ox xxxooox oooxxxx ..oo... ....... ....... .......", 0, 11, 11, None),
        # both strings live in seki around C5 and C4
        ("xx.oo xx.oo xxxoo ..... .....", 0, 7, 6, hansu.BLACK),
        # stones that could be captured count as they stand
        ("xxxxx xxx.x xxxxx ooooo .o.o.", 0, 15, 10, hansu.BLACK),
    ],
)
def test_area_is_counted_with_all_stones_alive(text, komi, black, white, winner):
    state = hansu.game("go", komi=komi).parse(text.replace(" ", "/"))
    area = state.area()
    assert (area.black, area.white) == (black, white)
    outcome = after(state, "pass pass").outcome()
    assert outcome == hansu.Outcome(winner, "two_passes", abs(black - white - komi))


# Against slow code, for boards of every shape ----------------------------------------------------


def random_game(width, height, seed, turns):
    """Play at random on both; passes are rare so that boards fill up and empty again."""
    rng = random.Random(seed)
    slow = SlowBoard(width, height)
    pos = rules.unpack(board.start(width, height, 0, 10_000))
    path, out = np.zeros(turns + 1, np.uint64), np.zeros(rules.MAX_MOVES, np.int64)
    for turn in range(turns):
        legal = out[: rules.legal_moves(pos, path, out)].tolist()
        yield slow, pos, legal
        if not legal:
            return
        move = rng.choice(legal[:-1] or legal) if rng.random() < 0.95 else legal[-1]
        path[turn] = rules.key(pos)
        slow.play(move)
        pos = rules.play(pos, move)


def rows_of(words):
    width = int(words[board.WIDTH])
    letters = "".join(".xo"[color] for color in colors_of(words))
    return [letters[i : i + width] for i in range(0, len(letters), width)]


@pytest.mark.parametrize(
    ("width", "height", "games", "turns"),
    [
        (1, 1, 1, 10),
        (1, 2, 5, 30),
        (2, 1, 5, 30),
        (2, 2, 20, 60),
        (3, 2, 10, 100),
        (1, 7, 5, 100),
        (3, 3, 5, 150),
        (4, 4, 3, 200),
        (5, 5, 2, 150),
        (5, 7, 1, 150),
        (7, 5, 1, 150),
        (19, 5, 1, 100),
        (5, 19, 1, 100),
        pytest.param(9, 9, 5, 400, marks=pytest.mark.slow),
        pytest.param(19, 19, 1, 600, marks=pytest.mark.slow),
    ],
)
def test_boards_of_every_shape_follow_the_slow_board(width, height, games, turns):
    keys = {}
    for seed in range(games):
        for slow, pos, legal in random_game(width, height, seed, turns):
            assert legal == slow.legal_moves()
            assert rows_of(pos.words) == slow.rows()
            assert tuple(board.area(pos.words)) == slow.area()
            position = (*slow.rows(), slow.turn, slow.passes)
            assert keys.setdefault(int(rules.key(pos)), position) == position
    assert len(set(keys.values())) == len(keys)


@pytest.mark.parametrize("size", range(5, 20))
def test_every_size_from_5_to_19_can_be_played_to_its_end(size):
    game = hansu.game("go", size=size)
    result = playouts(game.start(), 20, seed=size)
    assert result.wins + result.draws + result.losses == 20
    assert result.turns <= 20 * game.max_turns


@kernel
def count_legal(side):
    """How many colourings of a square board leave every string a liberty."""
    points = side * side
    colors = np.zeros(points, np.uint64)
    legal = 0
    for number in range(3**points):
        for point in range(points):
            colors[point] = number % 3
            number //= 3
        if board.set_up(board.start(side, side, 0, 1), colors, 0) < 0:
            legal += 1
    return legal


def published():
    lines = (DATA / "go_legal_positions.csv").read_text().splitlines()
    return [
        pytest.param(
            int(row["n"]),
            int(row["legal_positions"]),
            marks=[pytest.mark.slow] * (int(row["n"]) > 3)
            + [pytest.mark.skipif(not JIT, reason="too slow as plain Python")]
            * (int(row["n"]) > 2),
        )
        for row in csv.DictReader(line for line in lines if not line.startswith("#"))
    ]


@pytest.mark.parametrize(("side", "expected"), published())
def test_the_published_number_of_legal_positions(side, expected):
    assert count_legal(side) == expected


# Random moves ------------------------------------------------------------------------------------


def drawn_moves(state, policy, n=4000):
    """How often each move is drawn; 0 is drawn never."""
    pick = getattr(rules, policy)
    rng, out = seeded(1), np.zeros(rules.MAX_MOVES, np.int64)
    counts = collections.Counter()
    for _ in range(n):
        counts[int(pick(rules.unpack(state.words), state.path, out, rng))] += 1
    return counts


def looks_uniform(counts):
    """Chi-square below its mean plus five standard deviations."""
    expected = sum(counts.values()) / len(counts)
    chi_square = sum((n - expected) ** 2 / expected for n in counts.values())
    freedom = len(counts) - 1
    return chi_square <= freedom + 5 * (2 * freedom) ** 0.5


FEW_MOVES = [
    KO.replace("white", "black"),
    "xxxxx .x.x. xxxxx ooooo .o.o. black",
    "xxxxx .x.x. xxxxx ooooo .o... white",
    ".x.x. xxxxx xx.xx ooooo .o.o. white",
    SEND_TWO,
]


@pytest.mark.parametrize("text", FEW_MOVES)
def test_a_uniform_move_is_any_legal_move(text):
    state = drawn(text)
    counts = drawn_moves(state, "uniform_move")
    assert set(counts) == set(state.legal_moves)
    assert looks_uniform(counts)


@pytest.mark.parametrize("text", FEW_MOVES)
def test_a_random_move_never_fills_an_own_eye_and_passes_only_when_nothing_is_left(text):
    state = drawn(text)
    good = [m for m in state.legal_moves[:-1] if not state.is_eye(m, state.turn)]
    counts = drawn_moves(state, "random_move")
    assert set(counts) == set(good or [state.pass_move])
    assert looks_uniform(counts)


def test_superko_holds_in_random_moves():
    state = after(drawn(SEND_TWO), "E3 E1 E2 pass")
    for policy in ("uniform_move", "random_move"):
        assert state.point("E3") not in drawn_moves(state, policy)


@pytest.mark.parametrize(("ended", "minus"), [("pass pass", -1), ("C3 C4 C5", -2)])
def test_random_moves_say_how_the_game_ended(ended, minus):
    state = after(hansu.game("go", size=5, max_turns=3).start(), ended)
    assert set(drawn_moves(state, "uniform_move", 1)) == {minus}
    assert set(drawn_moves(state, "random_move", 1)) == {minus}


# Questions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "eyes", "no_eyes"),
    [
        (".xx.. xx.x. .xxx. x.... xx... black", ["A5", "C4"], ["D5", "A3"]),
        # in the middle one corner may be missing, at the edge none
        ("xxxo. x.x.. xxx.. ..... ..... black", ["B4"], []),
        ("..xx. .x.x. ..x.. ..... ..... black", [], ["C4"]),
        (".xxx. .x.x. .oxx. ..... ..... black", ["C4"], []),
        (".xox. .x.x. .oxx. ..... ..... black", [], ["C4"]),
        (".x... ox... x.... ..... ..... black", [], ["A5"]),
        (".x... xo... ..... ..... ..... black", [], ["A5"]),
        ("x.x.. ox... ..... ..... ..... black", [], ["B5"]),
        ("x.x.. xxx.. ..... ..... ..... black", ["B5"], []),
    ],
)
def test_what_an_eye_is(text, eyes, no_eyes):
    state = drawn(text)
    assert [state.is_eye(point, hansu.BLACK) for point in eyes] == [True] * len(eyes)
    assert [state.is_eye(point, hansu.BLACK) for point in no_eyes] == [False] * len(no_eyes)
    assert not any(state.is_eye(point, hansu.WHITE) for point in eyes + no_eyes)


def test_the_string_at_a_point_has_its_stones_and_liberties():
    state = drawn("..... .xx.. ..xo. ..... ..... black")
    string = state.string_at("C3")
    assert string.color == hansu.BLACK
    assert {state.move_text(p) for p in string.stones} == {"B4", "C4", "C3"}
    assert {state.move_text(p) for p in string.liberties} == {"A4", "B5", "C5", "D4", "B3", "C2"}
    assert state.string_at("A1") is None
    assert state.stone_at("D3") == hansu.WHITE
    assert state.stone_at("E5") is None


def test_questions_about_nonsense_are_refused_clearly():
    state = hansu.game("go").start()
    for where in ("Z9", "I5", "A10", "pass", 81, -1, True, None, 2.5):
        with pytest.raises(hansu.HansuError):
            state.stone_at(where)
        with pytest.raises(hansu.HansuError):
            state.area(dead=[where])
