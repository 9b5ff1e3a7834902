"""A search looked into from outside."""

import json
import xml.etree.ElementTree as xml

import pytest

import hansu
from hansu.agents.registry import agent
from hansu.errors import HansuError
from hansu.search.limits import SearchHandle
from hansu.search.mcts import Mcts, MctsSettings
from hansu.search.negamax import search
from hansu.search.view import History, SearchView

TREES = ["mcts_dev:n_simulations=400", "self_learning:n_simulations=60", "abp_negamax:depth=3"]
AGENTS = [*TREES, "negamax:depth=2", "minimax", "one_step_search", "pure_mc:batches=1"]


def view_of(who, state):
    thinker, history = agent(state.game, who, state.turn), History()
    thinker.prepare(state)
    handle = SearchHandle(history.add)
    info = thinker.search(state, handle=handle)
    return SearchView(state, info, handle.tree, who, history)


@pytest.mark.parametrize("who", AGENTS)
def test_every_searching_agent_can_be_looked_into(who):
    state = hansu.game("tictactoe").parse("b2a1")
    view = view_of(who, state)
    info = view.info()
    json.dumps(info)
    assert info["turn"] == "white"
    assert info["history"][-1]["move"] == info["move"]
    children = view.children()
    legal = {state.move_text(move) for move in state.legal_moves}
    assert {child["move"] for child in children} == legal
    assert all(0 <= child["value"] <= 1 for child in children)
    steps = view.steps()
    assert (steps is not None) == info["has_steps"]
    json.dumps(steps)
    assert view.board().startswith("<svg")
    assert view.board([info["move"]]) != view.board()


def test_what_an_agent_calls_tree_may_be_anything():
    view = view_of("one_step_search", hansu.game("tictactoe").start())
    view = SearchView(view.state, view._info, {"oak": 1})
    assert view.tree is None
    assert len(view.children()) == 9


@pytest.mark.parametrize("who", TREES)
def test_the_tree_opens_down_to_its_leaves(who):
    state = hansu.game("tictactoe").parse("b2a1")
    view = view_of(who, state)

    def open_all(moves, there, left):
        children = view.children(moves)
        assert {child["move"] for child in children} <= {
            there.move_text(move) for move in there.legal_moves
        }
        for child in children[:2]:
            below = view.children([*moves, child["move"]])
            assert len(below) == child["children"]
            if below and left:
                after = there.forward(there.parse_move(child["move"]))
                open_all([*moves, child["move"]], after, left - 1)

    open_all([], state, 3)


def test_an_alphabeta_tree_shows_exact_values_where_pruning_left_bounds():
    state = hansu.game("connect4").parse("44")
    view = view_of("abp_negamax:depth=4", state)
    exact = {line.text: line.value for line in search(state, 4, prune=False).lines}
    shown = {child["move"]: child["value"] for child in view.children()}
    assert shown == pytest.approx(exact, abs=1e-4)
    below = view.children([view.info()["move"]])
    best = max(exact.values())
    assert 1 - below[0]["value"] == pytest.approx(best, abs=2e-3)  # sooner is a little better
    assert len(view.info()["lines"][0]["variation"]) == 4


def test_a_large_tree_is_opened_without_walking_it():
    search = Mcts(hansu.game("connect4").start(), MctsSettings(), seed=1)
    search.run(80_000)
    looked_at = []
    original = search.children
    search.children = lambda node=0: looked_at.append(node) or original(node)
    view = SearchView(search.state, search.info(), search)
    line = list(search.info().lines[0].variation[:6])
    assert len(view.children(line)) == 7
    assert len(looked_at) == len(line) + 1
    assert int(search._tree.size[0]) > 100_000


@pytest.mark.parametrize("moves", [["z9"], ["b2"], ["a2", "a2"], [""]])
def test_a_way_that_cannot_be_gone_is_one_sentence(moves):
    view = view_of("mcts_dev:n_simulations=50", hansu.game("tictactoe").parse("b2a1"))
    for ask in (view.children, view.board):
        with pytest.raises(HansuError):
            ask(moves)


@pytest.mark.parametrize("who", [*TREES, "one_step_search"])
def test_a_notebook_shows_the_tree(who):
    view = view_of(who, hansu.game("tictactoe").parse("b2a1"))
    root = xml.fromstring(view._repr_html_())
    names = [strong.text for strong in root.iter("strong")]
    best = view.children()[0]
    assert names[0] == best["move"]
    below = view.children([best["move"]])
    opened = next(root.iter("details"), None)
    assert (opened is not None) == bool(below)
    if below:
        assert names[1] == below[0]["move"]
