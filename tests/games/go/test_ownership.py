"""Which stones are dead: clear positions, and games whose players agreed on it."""

import contextlib
import csv
import itertools
import lzma
import random

import numpy as np
import pytest

import hansu
from hansu.errors import PositionError
from hansu.games.game import BLACK
from hansu.games.go.benson import alive_stones
from hansu.games.go.ownership import DEAD, dead_stones, ownership, strings

NINE = "ABCDEFGHJ"


@pytest.mark.parametrize(
    ("drawn", "dead"),
    [
        ("..x../o.x../..x../..x../..x..", ["A4"]),
        ("..xo./..xo./.oxox/..xo./..xo.", ["B3", "E3"]),  # both sides have a prisoner
        (".x.xo/xxxxo/ooooo/.o.o./ooooo", []),  # everybody has two eyes
    ],
)
def test_dead_stones_of_clear_positions(drawn, dead):
    state = hansu.game("go", size=5).parse(drawn)
    assert [state.move_text(point) for point in sorted(dead_stones(state))] == dead


@pytest.mark.parametrize(
    "drawn", ["o.xoo/xxxxo/oxoo./.xo.o/oxoo.", ".xxxx/x.x.o/xxooo/oooo./o.xox"]
)
def test_living_stones_are_not_dead_though_playouts_lose_them(drawn):
    """Eyes that are false one by one, and real together: playouts fill them."""
    state = hansu.game("go", size=5).parse(drawn)
    alive, black = alive_stones(state), ownership(state)
    shares = {
        string: np.mean([black[p] if state.stone_at(p) == BLACK else 1 - black[p] for p in string])
        for string in strings(state)
        if string <= alive
    }
    assert min(shares.values()) < DEAD
    assert not dead_stones(state) & alive


def test_no_living_stone_is_ever_dead():
    rng, game = random.Random(5), hansu.game("go", size=5)
    seen = 0
    while seen < 200:
        rows = ["".join(rng.choices("xo.", (3, 3, 3), k=5)) for _ in range(5)]
        with contextlib.suppress(PositionError):
            state = game.parse("/".join(rows))
            alive = alive_stones(state)
            seen += bool(alive)
            assert not alive or not dead_stones(state, games=20) & alive, f"\n{state}"


def test_passes_that_ended_the_game_do_not_matter():
    state = hansu.game("go", size=5).parse("..x../o.x../..x../..x../..x..")
    before = dead_stones(state)
    for _ in range(2):
        state.push(state.pass_move)
    assert dead_stones(state) == before
    assert ownership(state).shape == (25,)


def test_most_scores_are_those_that_players_agreed_on(shared_data):
    """Games of online-go.com; with every stone alive fewer than half would be counted right."""
    with lzma.open(shared_data("go/ogs_9x9_games.tsv.xz"), "rt") as file:
        rows = (row for row in csv.DictReader(file, delimiter="\t") if is_counted(row))
        chosen = list(itertools.islice(rows, 60))
    right = alive = 0
    for row in chosen:
        state = final(row)
        told = float(row["result"][2:]) * (1 if row["result"][0] == "B" else -1)
        right += state.area(dead_stones(state, games=500)).lead == told
        alive += state.area().lead == told
    assert right > 0.7 * len(chosen)
    assert alive < 0.5 * len(chosen)


def is_counted(row):
    counted = row["result"][2:].replace(".", "").isdigit()
    return counted and row["rules"] == "Chinese" and row["repeats"] == "0" and "tt" in row["moves"]


def final(row):
    state = hansu.game("go", komi=float(row["komi"]), max_turns=1000).start()
    moves = row["moves"].rstrip("t")  # the passes at the end
    for at in range(0, len(moves), 2):
        state.push(state.parse_move(name(moves[at : at + 2])))
    return state


def name(move):
    """From column and row from the top, as SGF has it."""
    if move == "tt":
        return "pass"
    column, row = ("abcdefghi".index(letter) for letter in move)
    return f"{NINE[column]}{9 - row}"
