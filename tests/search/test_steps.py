"""What is told step by step is what the compiled searches do."""

import json

import pytest

import hansu
from hansu.errors import HansuError
from hansu.search import alphabeta_steps, mcts_steps, puct_steps
from hansu.search.mcts import Mcts, MctsSettings
from hansu.search.negamax import search
from hansu.search.puct_search import VISITS_PER_SLOT, PuctSearch, PuctSettings
from tests.search.networks import arbitrary
from tests.search.positions import random_positions
from tests.small_games import SMALL_GAMES

FEW_NODES = 3000


def compare_trees(compiled, told, node=0):
    """Every node of both trees: the same moves in the same order with the same numbers."""
    children = compiled.children(node)
    assert len(children) == len(told.children)
    for one, other in zip(children, told.children, strict=True):
        assert (one["move_id"], one["visits"]) == (other.move_id, other.visits)
        assert one["value"] == (other.value if hasattr(other, "value") else other.share)
        if "prior" in one:
            assert one["prior"] == pytest.approx(float(other.prior), abs=1e-6)
        if one["children"]:
            compare_trees(compiled, other, one["node"])
        else:
            assert not other.children


@pytest.mark.parametrize("name", SMALL_GAMES)
@pytest.mark.parametrize(
    "settings",
    [
        MctsSettings(),
        MctsSettings(max_depth=3, amplify=True, exploration=0.7),
        MctsSettings(playout="heavy", max_depth=5),
    ],
    ids=["plain", "shallow", "heavy"],
)
def test_mcts_told_grows_the_compiled_tree(name, settings):
    for seed, state in enumerate(random_positions(name, 2, seed=4)):
        compiled = Mcts(state, settings, seed)
        compiled.run(60)
        told = mcts_steps.MctsSteps(state, settings, seed)
        for number in range(60):
            told.simulate(number + 1)
        compare_trees(compiled, told.root)


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_puct_told_grows_the_compiled_tree(name):
    for state in random_positions(name, 2, seed=5):
        evaluate = arbitrary(state.game)
        settings = PuctSettings(cpuct=1.3)
        compiled = PuctSearch(state, evaluate, settings, nodes=512)
        compiled.run(VISITS_PER_SLOT)
        told = puct_steps.PuctSteps(state, evaluate, settings)
        for number in range(VISITS_PER_SLOT):
            told.simulate(number + 1)
        compare_trees(compiled, told.root)


@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize("name", SMALL_GAMES)
def test_alphabeta_told_sees_the_nodes_and_values_of_the_compiled_search(name, prune):
    compared = 0
    for state in random_positions(name, 3, seed=6):
        for depth in (1, 2, 3):
            info = search(state, depth, prune)
            if info.nodes > FEW_NODES:
                break
            told = alphabeta_steps.AlphaBetaSteps(state, prune)
            told.root(depth)
            shares = {move_id: min(1, max(0, (v + 1) / 2)) for move_id, v in told.values.items()}
            assert told.nodes == info.nodes
            assert shares == {state.move_id(line.move): line.value for line in info.lines}
            compared += 1
    assert compared >= 3


def steps_of(told, kind):
    return [step for step in told["steps"] if step["kind"] == kind]


def test_cut_offs_account_for_every_move_that_was_not_looked_at():
    state = hansu.game("connect4").parse("4455")
    told = alphabeta_steps.alphabeta_steps(state, 4)
    plain = alphabeta_steps.alphabeta_steps(state, told["depth"], prune=False, most_nodes=10**6)
    assert told["value"] == plain["value"]
    cut_offs = steps_of(told, "cut_off")
    assert cut_offs
    for step in cut_offs:
        assert step["best"] >= step["beta"]
    entered = {step["node"]: step for step in steps_of(told, "enter")}
    left = {step["node"]: step for step in steps_of(told, "leave")}
    assert {left[step["node"]]["result"] for step in cut_offs} == {"fail_high"}
    pruned = {step["node"]: len(step["pruned"]) for step in cut_offs}
    for node in left:
        path, at = [], node
        while at:
            path.append(entered[at]["move"])
            at = entered[at]["parent"]
        there = state.copy()
        for text in reversed(path):
            there.push(there.parse_move(text))
        looked_at = sum(step["parent"] == node for step in entered.values())
        assert looked_at + pruned.get(node, 0) == len(there.move_ids())


def test_too_large_a_tree_is_told_less_deep_or_not_at_all():
    state = hansu.game("connect4").start()
    assert alphabeta_steps.alphabeta_steps(state, 6, most_nodes=60)["depth"] == 2
    with pytest.raises(HansuError, match="more than 3 nodes"):
        alphabeta_steps.alphabeta_steps(state, 6, most_nodes=3)


def test_steps_are_plain_data_in_the_order_of_the_algorithm():
    state = hansu.game("tictactoe").start()
    told = mcts_steps.mcts_steps(state, MctsSettings(), seed=3, simulations=30)
    assert json.loads(json.dumps(told)) == told
    kinds = [step["kind"] for step in told["steps"]]
    assert kinds.count("back_up") == 30
    for number in range(1, 31):
        mine = [s["kind"] for s in told["steps"] if s["simulation"] == number]
        body = [kind for kind in mine if kind != "select"]
        assert mine == ["select"] * (len(mine) - len(body)) + body
        assert body in (
            ["end", "back_up"],
            ["simulate", "back_up"],
            ["expand", "simulate", "back_up"],
        )
    for step in steps_of(told, "select"):
        if not step["untried"]:
            best = max(step["options"], key=lambda option: option["bound"])
            chosen = next(o for o in step["options"] if o["node"] == step["chosen"])
            assert chosen["bound"] == best["bound"]
