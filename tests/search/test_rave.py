"""RAVE: what later moves of a simulation tell about the first."""

import numpy as np
import pytest

import hansu
from hansu.errors import HansuError
from hansu.kernel import JIT
from hansu.search.mcts import MctsSettings
from hansu.search.rave import RaveMcts, add_amaf, best_child, note

compiled = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")
SETTINGS = MctsSettings(rave=1000, exploration=0.05)


def tree_of(search):
    return search._tree


def test_a_move_counts_for_the_player_who_took_its_point_first():
    search = RaveMcts(hansu.game("hex:size=3").start(), SETTINGS, seed=1)
    search.run(1)
    tree, moments = tree_of(search), np.zeros((2, 16), np.int64)
    tree.amaf_visits[:], tree.amaf_reward[:] = 0, 0.0
    now = 7 << 32
    for turn, (side, move) in enumerate([(0, 4), (1, 0), (0, 8), (1, 4), (0, 0)]):
        note(moments, side, move, now + turn)
    add_amaf(tree, 0, moments, 0, now, 1.0)
    counted = {
        int(tree.move[child]): (int(tree.amaf_visits[child]), float(tree.amaf_reward[child]))
        for child in search._children(0)
        if tree.amaf_visits[child]
    }
    assert counted == {4: (1, 1.0), 8: (1, 1.0)}  # on 0 the other side was first


def test_what_was_played_before_a_node_does_not_count_there():
    search = RaveMcts(hansu.game("hex:size=3").start(), SETTINGS, seed=1)
    search.run(1)
    tree, moments = tree_of(search), np.zeros((2, 16), np.int64)
    tree.amaf_visits[:] = 0
    note(moments, 0, 4, (7 << 32) + 0)
    note(moments, 0, 5, (7 << 32) + 2)
    add_amaf(tree, 0, moments, 0, (7 << 32) + 2, 0.0)
    moves = {int(tree.move[c]) for c in search._children(0) if tree.amaf_visits[c]}
    assert moves == {5}


def test_with_many_visits_a_move_is_valued_by_its_own_simulations():
    search = RaveMcts(hansu.game("hex:size=3").start(), MctsSettings(rave=100), seed=1)
    search.run(1)
    tree, (good, praised, *others) = tree_of(search), search._children(0)
    for child in others:
        tree.visits[child], tree.amaf_visits[child] = 1000, 1000
    tree.visits[0] = 20_000
    tree.visits[[good, praised]], tree.reward[[good, praised]] = 10_000, (6000, 5000)
    tree.amaf_visits[[good, praised]], tree.amaf_reward[[good, praised]] = 10_000, (2000, 8000)
    assert best_child(tree, 0, 0.0, 100.0) == good
    tree.visits[[good, praised]], tree.reward[[good, praised]] = 10, (6, 5)
    assert best_child(tree, 0, 0.0, 1000.0) == praised


@compiled
@pytest.mark.parametrize("name", ["go:size=5", "hex:size=5"])
def test_all_simulations_are_counted_and_the_tree_grows(name):
    search = RaveMcts(hansu.game(name).start(), SETTINGS, seed=1)
    search.run(20_000)
    found = search.info()
    assert search.simulations == found.nodes == 20_000
    assert sum(line.visits for line in found.lines) == 20_000 - 1
    assert all(0.0 <= line.value <= 1.0 for line in found.lines)
    tree = tree_of(search)
    assert (tree.amaf_reward <= tree.amaf_visits).all()
    again = RaveMcts(hansu.game(name).start(), SETTINGS, seed=1)
    again.run(20_000)
    assert again.info().lines == found.lines


@compiled
def test_it_is_stronger_with_few_simulations():
    usual = "n_simulations=300,search_time=1000"
    result = hansu.match(
        *("hex:size=7", f"mcts:rave=1000,exploration_coef=0.05,{usual}", f"mcts:{usual}"),
        games=10,
        seed=1,
    )
    assert result.score >= 0.8


def test_a_view_of_it_has_a_tree_but_no_steps():
    state = hansu.game("hex:size=3").start()
    search = RaveMcts(state, SETTINGS, seed=1)
    search.run(50)
    view = hansu.SearchView(state, search.info(), search)
    assert len(view.children()) == 9
    assert not view.info()["has_steps"]
    assert view.steps() is None


@pytest.mark.parametrize(
    ("game", "options", "part"),
    [
        ("othello", "rave=500", "othello has no use for it"),
        ("go", "rave=500,max_depth=6", "max_depth=none"),
        ("go", "rave=-1", "-1 is not 0 to"),
    ],
)
def test_where_it_makes_no_sense_it_is_refused(game, options, part):
    with pytest.raises(HansuError, match=part):
        hansu.match(game, f"mcts:{options}", "random", games=1)
