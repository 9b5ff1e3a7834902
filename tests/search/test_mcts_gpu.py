"""Root-parallel MCTS: many trees are the trees that the search grows one by one, added up."""

import numpy as np
import pytest
from numba import types

import hansu
from hansu.errors import HansuError
from hansu.kernel import gpu
from hansu.kernel.gpu import has_card
from hansu.search.limits import Limits, SearchHandle
from hansu.search.mcts import Mcts, MctsSettings, Room, Tree, choose_rollout
from hansu.search.mcts_gpu import (
    MOST_TREES,
    SIMULATIONS_A_TREE,
    RootParallelMcts,
    Roots,
    make_trees_on_card,
)
from hansu.search.playouts_gpu import thread_seed
from tests.kernel.test_gpu import COMPILER
from tests.small_games import SMALL_GAMES, all_but_slow

CARD = pytest.mark.skipif(not has_card(), reason="there is no NVIDIA card here, or no numba-cuda")
DEVICES = ["cpu", pytest.param("cuda", marks=CARD)]
AMPLIFIED = MctsSettings(max_depth=3, amplify=True)


def seeds_of(seed, trees):
    return [int(thread_seed(np.uint64(seed), tree)) for tree in range(trees)]


def root(search):
    return {child["move_id"]: (child["visits"], child["value"]) for child in search.children()}


def summed(state, settings, seed, trees, simulations):
    """Grow the trees one by one, each with its seed; the first ones do one simulation more."""
    total = {}
    for number, own in enumerate(seeds_of(seed, trees)):
        search = Mcts(state, settings, own)
        search.run(simulations // trees + (number < simulations % trees))
        for move, (visits, value) in root(search).items():
            visited, won = total.get(move, (0, 0.0))
            total[move] = visited + visits, won + visits * value
    return {move: (n, pytest.approx(won / max(1, n))) for move, (n, won) in total.items()}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("settings", [MctsSettings(), AMPLIFIED], ids=["plain", "amplified"])
@pytest.mark.parametrize("name", all_but_slow(*set(SMALL_GAMES) - {"tictactoe", "go:size=5"}))
def test_many_trees_are_single_trees_added_up(name, settings, device):
    state = hansu.game(name).start()
    search = RootParallelMcts(state, settings, 7, 3 * SIMULATIONS_A_TREE, device)
    search.run(500)
    search.run(500)  # goes on: 167 and 167, 167 and 167, 166 and 166
    once = RootParallelMcts(state, settings, 7, 3 * SIMULATIONS_A_TREE, device)
    once.run(1001)
    assert search.simulations == 1000
    assert root(once) == summed(state, settings, 7, 3, 1001)


@pytest.mark.parametrize("device", DEVICES)
def test_the_limits_are_kept(device):
    search = RootParallelMcts(
        hansu.game("tictactoe").start(), seed=1, simulations=700, device=device
    )
    search.run_for(700, 60.0)
    assert search.simulations == search.info().nodes == 700
    search.run_for(None, 0.0)
    assert search.simulations > 700


def test_few_simulations_need_few_trees():
    state = hansu.game("tictactoe").start()
    search = RootParallelMcts(state, simulations=1, device="cpu")
    assert search._sizes(1, 0)[1] == 1
    assert search._sizes(None, 0)[1] == MOST_TREES
    assert search._sizes(None, 1 << 20)[1] < 10  # a card with a megabyte left


def test_it_finds_a_win():
    state = hansu.game("tictactoe").parse("XX. OO. ...")
    search = RootParallelMcts(state, simulations=2000, device="cpu")
    search.run(2000)
    info = search.info()
    assert info.lines[0].text == "c1"
    assert info.lines[0].value > 0.9


@COMPILER
@pytest.mark.parametrize("name", all_but_slow(*set(SMALL_GAMES) - {"connect4"}))
def test_it_compiles_for_a_card(name):
    game = hansu.game(name)
    grow = make_trees_on_card(
        game.rules, game.evaluator.evaluate, choose_rollout(game.start(), MctsSettings())
    )
    words, moves = types.uint64[:, ::1], types.int64[:, ::1]
    counts, shares = types.int32[:, ::1], types.float64[:, ::1]
    text = gpu.compiled_for_card(
        grow,
        types.uint64[::1],
        types.NamedTuple((counts, counts, counts, counts, shares, shares, moves), Tree),
        types.NamedTuple((words, words, moves, moves, words), Room),
        types.NamedTuple((counts, counts, shares, shares), Roots),
        *(types.int64, types.float64, types.int64, types.boolean),
        is_kernel=True,
    )
    assert ".entry" in text


# As agents ---------------------------------------------------------------------------------------

AGENTS = ["mcts:device=cuda", "pure_mc:device=cuda"]


@pytest.mark.skipif(has_card(), reason="there is a card here")
@pytest.mark.parametrize("name", AGENTS)
def test_agents_say_that_there_is_no_card(name):
    with pytest.raises(HansuError, match=r"device=cuda needs (numba-cuda|an NVIDIA card)"):
        hansu.agent("connect4", name)


@CARD
@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("game", SMALL_GAMES)
def test_agents_keep_their_limits_on_a_card(name, game):
    agent, state = hansu.agent(game, name, seed=1), hansu.game(game).start()
    assert agent.search(state, Limits(nodes=5000)).nodes <= 5000
    found = agent.search(state, Limits(seconds=0.3))
    assert found.seconds > 0.2
    assert found.nodes > 5000
    heard = []
    handle = SearchHandle(lambda info: (heard.append(info().nodes), handle.stop()))
    agent.search(state, Limits(seconds=60.0), handle)
    assert len(heard) == 1


@CARD
def test_agents_on_a_card_win_where_they_can():
    for name in AGENTS:
        agent = hansu.agent("tictactoe", name, seed=1)
        found = agent.search(hansu.game("tictactoe").parse("XX. OO. ..."), Limits(nodes=50_000))
        assert found.lines[0].text == "c1"


def test_an_unknown_device_is_refused():
    for name in ("mcts", "pure_mc"):
        with pytest.raises(HansuError, match="cpu"):
            hansu.agent("connect4", f"{name}:device=tpu")
