"""Go against programs and data that we did not write.

Where the others' rules differ from ours:

- GNU Go does not list the pass and goes on after two passes; its final score removes stones that
  it thinks dead, so it is compared on boards where it finds none.
- OpenSpiel looks for superko only after a play, and ends the game then; before, it forbids the
  immediate recapture alone. It also ends a game after 2 x points moves.
- sgfmill's boards allow self-capture and know no superko.
- KataGo's positional superko forbids more than the situational one, and simple ko less; its area
  takes stones off that stand in pass-alive territory.
"""

import json
import lzma
import random

import numpy as np
import pytest
from sgfmill import boards

import hansu
from hansu.games.go import board, rules
from hansu.search.playout import random_move
from tests.games.go.gnugo import GnuGo, needs_gnugo
from tests.games.go.test_rules import rows_of

COLORS = {"X": "b", "O": "w", hansu.BLACK: "b", hansu.WHITE: "w"}


def kernel_state(rows, to_move="X"):
    """A position of any size: the kernel takes boards that the game does not offer."""
    colors = np.array(
        [".XO".index(letter) for letter in "".join(rows).replace("`", ".")], np.uint64
    )
    words = board.start(len(rows[0]), len(rows), 0, 1000)
    assert board.set_up(words, colors, int(to_move == "O")) == -1
    return rules.unpack(words)


# GNU Go ------------------------------------------------------------------------------------------


@needs_gnugo
@pytest.mark.parametrize(
    ("size", "games"),
    [
        (5, 40),
        (6, 5),
        (7, 5),
        (9, 3),
        (13, 1),
        (19, 1),
        pytest.param(5, 1000, marks=pytest.mark.slow),
        pytest.param(9, 100, marks=pytest.mark.slow),
    ],
)
def test_random_games_have_the_legal_moves_of_gnugo(size, games):
    game, forbidden = hansu.game("go", size=size), 0
    with GnuGo(size) as gnugo:
        for seed in range(games):
            rng, state = random.Random(seed), game.start()
            gnugo.ask("clear_board")
            while not state.is_game_over():
                color = "white" if state.turn else "black"
                ours = {state.move_text(move) for move in state.legal_moves[:-1]}
                assert ours == gnugo.legal(color), f"after {state.text()}"
                if size == 5:
                    forbidden += sum(map(state.violates_superko, range(state.pass_move)))
                move = rng.choice(state.legal_moves)
                gnugo.ask(f"play {color} {state.move_text(move)}")
                state.push(move)
    assert forbidden or size > 5  # ko did come up


@needs_gnugo
@pytest.mark.parametrize(("size", "games"), [(5, 20), (7, 10), (9, 10), (13, 2), (19, 1)])
def test_finished_games_have_the_score_of_gnugo(size, games):
    game, counted = hansu.game("go", size=size, komi=7), 0
    with GnuGo(size) as gnugo:
        gnugo.ask("komi 7")
        for seed in range(games):
            state = game.start()
            gnugo.ask("clear_board")
            while not state.is_game_over():
                move = random_move(state, 1000 * seed + len(state.move_stack))
                gnugo.ask(f"play {'white' if state.turn else 'black'} {state.move_text(move)}")
                state.push(move)
            if gnugo.ask("final_status_list dead"):
                continue
            counted += 1
            outcome = state.outcome()
            winner = {hansu.BLACK: "B+", hansu.WHITE: "W+", None: ""}[outcome.winner]
            score = f"{winner}{outcome.margin:.1f}" if winner else "0"
            assert score == gnugo.ask("final_score"), f"after {state.text()}"
    assert counted >= games / 2


# sgfmill -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "games"), [(5, 10), (9, 5), (13, 2), (19, 1)])
def test_random_games_have_the_boards_and_areas_of_sgfmill(size, games):
    game = hansu.game("go", size=size)
    for seed in range(games):
        rng, state, other = random.Random(seed), game.start(), boards.Board(size)
        while not state.is_game_over():
            move = rng.choice(state.legal_moves)
            if move != state.pass_move:
                row, column = size - 1 - move // size, move % size
                other.play(row, column, COLORS[state.turn])
            state.push(move)
            stones = [None if color is None else COLORS[color] for color in state.stones()]
            theirs = [other.get(size - 1 - p // size, p % size) for p in range(size * size)]
            assert stones == theirs
            area = state.area()
            assert area.black - area.white == other.area_score()


def test_sgfmills_plays(shared_data):
    for case in json.loads(shared_data("go/edge_cases.json").read_text())["sgfmill_play"]:
        state = hansu.game("go").start()
        self_captures = False
        for color, point in (move.split() for move in case["moves"]):
            if COLORS[state.turn] != color.lower():  # their moves do not take turns
                state.push(state.pass_move)
            if self_captures := state.is_self_capture(point):
                break
            state.push(state.parse_move(point))
        assert self_captures == ("self-capture" in case["id"])
        if self_captures:  # legal there, and the last move of the case
            assert point == case["moves"][-1].split()[1]
            continue
        assert rows_of(state.words) == [row.lower() for row in case["final"]]
        area = state.area()
        assert area.black - area.white == case["area_score_black_minus_white"]
        ko = case["simple_ko_point"]
        forbidden = [state.move_text(p) for p in range(81) if state.violates_superko(p)]
        assert forbidden == ([ko] if ko else [])


def test_sgfmills_scores_and_set_ups(shared_data):
    cases = json.loads(shared_data("go/edge_cases.json").read_text())
    for case in cases["sgfmill_score"]:
        area = hansu.game("go").parse("/".join(case["board"])).area()
        assert area.black - area.white == case["area_score_black_minus_white"]
    for case in cases["sgfmill_setup"]:
        assert case["was_legal_before_removal"]
        game = hansu.game("go")
        point = game.start().point
        letters = ["."] * 81
        for name, letter in (("black", "x"), ("white", "o")):
            for stone in case[name]:
                letters[point(stone)] = letter
        drawing = "/".join("".join(letters[i : i + 9]) for i in range(0, 81, 9))
        assert rows_of(game.parse(drawing).words) == [row.lower() for row in case["final"]]


# KataGo ------------------------------------------------------------------------------------------


def test_katagos_areas(shared_data):
    flags = ("safe_big_territories", "unsafe_big_territories", "non_pass_alive_stones")
    compared = 0
    for case in json.loads(shared_data("go/edge_cases.json").read_text())["katago_area"]:
        areas = {(a["suicide"], *(a[flag] for flag in flags)): a["area"] for a in case["areas"]}
        for suicide in (0, 1):
            ordinary = "".join(areas[suicide, 1, 1, 1])
            pass_alive = "".join(areas[suicide, 0, 0, 0])
            owners = np.empty(rules.MAX_MOVES, np.uint8)
            board.owners(kernel_state(case["board"]).words, owners)
            for owner, theirs, sure in zip(owners, ordinary, pass_alive, strict=False):
                ours = " XO."[owner]
                assert ours == theirs or theirs == sure, case["id"]
                compared += ours == theirs
    assert compared > 2000


def test_katagos_kos(shared_data):
    for case in json.loads(shared_data("go/edge_cases.json").read_text())["katago_ko"]:
        pos = kernel_state(case["board"], case["to_move"])
        path = np.zeros(100, np.uint64)
        width, points = case["width"], case["width"] * case["height"]
        for step in case["steps"]:
            if "play" in step:
                played = step["play"]
                move = points if played == "pass" else played[1] * width + played[0]
                assert "XO"[int(pos.second)] == step["color"]
                if move < points and rules.refusal(pos.words, path, move):
                    assert case["ko_rule"] == "simple"
                    break  # only there may a longer circle be closed
                path[int(pos.ply)] = rules.key(pos)
                pos = rules.play(pos, move)
                continue
            empty = [p for p, c in enumerate("".join(rows_of(pos.words))) if c == "."]
            ours = {p for p in empty if rules.refusal(pos.words, path, p) == 2}
            theirs = {row * width + column for column, row in step["points"]}
            assert "XO"[int(pos.second)] == step["ko_illegal_for"]
            if case["ko_rule"] == "positional" and "Triple" not in case["id"]:
                assert ours <= theirs, case["id"]
            elif case["ko_rule"] == "simple":
                assert ours >= theirs, case["id"]
            else:
                assert ours == theirs, case["id"]


# OpenSpiel ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [5, 9, 19])
def test_random_games_have_the_legal_moves_of_openspiel_but_for_superko(size):
    pyspiel = pytest.importorskip("pyspiel")
    other = pyspiel.load_game(f"go(board_size={size},komi=7.0)")
    game = hansu.game("go", size=size)
    for seed in range(10 if size == 5 else 2):
        rng, ours, theirs = random.Random(seed), game.start(), other.new_initial_state()
        while not ours.is_game_over() and not theirs.is_terminal():
            names = {  # "B a1", "B PASS"
                theirs.action_to_string(action).split()[1].upper(): action
                for action in theirs.legal_actions()
            }
            legal = {ours.move_text(move).upper() for move in ours.legal_moves}
            assert legal <= set(names)
            assert all(map(ours.violates_superko, set(names) - legal))
            move = rng.choice(ours.legal_moves)
            theirs.apply_action(names[ours.move_text(move).upper()])
            ours.push(move)
        if theirs.is_terminal() and ours.is_game_over():
            lead = ours.area().lead
            assert np.sign(theirs.returns()[0]) == np.sign(lead)


# Records -----------------------------------------------------------------------------------------


def test_littlegos_superko_record(shared_data):
    text = shared_data("go/littlego/play-b-b7-for-superko.sgf").read_text()
    state = hansu.game("go").parse(text)
    assert (state.game.width, state.game.komi, state.turn) == (7, 6.5, hansu.BLACK)
    assert state.violates_superko("B7")


def test_littlegos_seki_record(shared_data):
    state = hansu.game("go").parse(shared_data("go/littlego/seki-9b.sgf").read_text())
    area = state.area()
    assert (area.black, area.white) == (11, 11)


def server_games(path, n):
    with lzma.open(path, "rt") as file:
        names = file.readline().rstrip("\n").split("\t")
        games = [dict(zip(names, line.rstrip("\n").split("\t"), strict=True)) for line in file]
    repeating = [game for game in games if game["repeats"] != "0"]
    return random.Random(1).sample(games, n) + repeating


def as_record(game):
    moves = [game["moves"][i : i + 2] for i in range(0, len(game["moves"]), 2)]
    nodes = "".join(f";{'BW'[turn % 2]}[{move}]" for turn, move in enumerate(moves))
    return f"(;SZ[9]KM[7]{nodes})"


def read(record, **options):
    """The last state of a record, or why it is refused."""
    try:
        return hansu.game("go").parse(as_record(record), **options)
    except hansu.HansuError as error:
        return str(error)


@pytest.mark.parametrize("n", [300, pytest.param(20_000, marks=pytest.mark.slow)])
def test_games_of_a_server_end_with_the_recorded_area(shared_data, n):
    replayed = repeating = resumed = 0
    for record in server_games(shared_data("go/ogs_9x9_games.tsv.xz"), n):
        state = read(record)
        if "superko" in str(state):
            assert record["repeats"] != "0", record["id"]
            repeating += 1
            state = read(record, allow_repeats=True)
        if "the game is over" in str(state):  # played on after two passes
            resumed += 1
            continue
        replayed += 1
        area = state.area()
        assert area.black - area.white == int(record["area_margin_all_alive"]), record["id"]
    assert repeating > 20
    assert replayed > 0.95 * n
    assert resumed < 0.02 * n + 100
