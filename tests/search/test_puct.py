"""PUCT on positions whose answer is known, alone and in a batch."""

import json
from pathlib import Path

import numpy as np
import pytest

import hansu
from hansu.kernel import random_gamma, seeded
from hansu.search.puct import PuctParams, make_step, start_game
from hansu.search.puct_search import PuctSearch, PuctSettings
from hansu.search.puct_trees import HAS_NOISE, allocate_trees
from tests.games.tictactoe.test_tictactoe import all_positions
from tests.search.networks import (
    all_knowing_in_tictactoe,
    arbitrary,
    clueless,
    tictactoe_values,
)
from tests.search.positions import random_positions
from tests.small_games import SMALL_GAMES

GOLDEN = Path(__file__).parents[1] / "data" / "puct_trees.json"


def root(search: PuctSearch) -> list[tuple[int, int]]:
    return [(child["move_id"], child["visits"]) for child in search.children()]


@pytest.mark.parametrize("slots", [1, 8])
@pytest.mark.parametrize(
    ("game", "position", "best"),
    [
        ("tictactoe", "XX. OO. ...", "c1"),
        ("tictactoe", "X.. OO. ..X", "c2"),
        ("connect4", "112233", "4"),
        ("connect4", "11223", "4"),
        ("microchess", "k3/4/1K2/4/3R w - - 0 1", "d1d5"),
    ],
)
def test_the_proven_move_is_found_without_any_knowledge(game, position, best, slots):
    state = hansu.game(game).parse(position)
    search = PuctSearch(state, clueless(state.game), PuctSettings(slots=slots))
    search.run(2000)
    assert search.info().lines[0].text == best


def test_with_perfect_values_every_move_is_perfect():
    game, values = hansu.game("tictactoe"), tictactoe_values()
    for text, state in list(all_positions().items())[::7]:
        if not state.is_game_over():
            search = PuctSearch(state, all_knowing_in_tictactoe, nodes=512)
            search.run(400)
            after = state.forward(search.info().move)
            value = -values[game.features.pack(after).tobytes()]
            assert value == values[game.features.pack(state).tobytes()], text


@pytest.mark.parametrize("name", SMALL_GAMES)
@pytest.mark.parametrize("slots", [1, 8])
def test_visits_add_up_and_no_virtual_loss_stays(name, slots):
    for state in random_positions(name, 3, seed=5):
        search = PuctSearch(state, clueless(state.game), PuctSettings(slots=slots), nodes=600)
        search.run(500)
        trees = search.trees
        assert search.simulations == 500
        assert sum(visits for _, visits in root(search)) == 499
        nodes = int(trees.sizes[0, 0])
        for node in range(1, nodes):
            edges = search._edges(node)
            below = sum(int(trees.edge_visits[0, edge]) for edge in edges)
            assert below <= int(trees.visits[0, node]) - 1
        assert all(0 <= line.value <= 1 for line in search.info().lines)
        assert not (trees.edge_count[0, :nodes] < 0).any()  # nobody waits any more


def in_parallel(name):
    """Compiling a second time takes long: by default for the smallest game alone."""
    return pytest.param(name, True, marks=[pytest.mark.slow] * (name != "tictactoe"))


@pytest.mark.parametrize(
    ("name", "parallel"), [*((name, False) for name in SMALL_GAMES), *map(in_parallel, SMALL_GAMES)]
)
def test_a_batch_searches_each_game_as_if_it_were_alone(name, parallel):
    states = random_positions(name, 12, seed=6)
    agree(search_together(states, parallel), states, range(12))


@pytest.mark.parametrize(
    "name",
    ["tictactoe", pytest.param("connect4", marks=pytest.mark.slow)],  # compiles once more
)
def test_a_batch_of_a_thousand_searches_each_game_as_if_it_were_alone(name):
    states = random_positions(name, 1000, seed=7)
    agree(search_together(states, parallel=True), states, range(0, 1000, 25))


def search_together(states, parallel):
    """A forest in which the root of each state has had 100 visits."""
    game = states[0].game
    evaluate = arbitrary(game)
    trees = allocate_trees(game, len(states), 130, 1, 32, game.max_turns + 40, seed=1)
    for i, state in enumerate(states):
        if game.rules.USES_PATH:
            trees.path[i, : len(state.move_stack)] = state.path[: len(state.move_stack)]
        start_game(trees, i, state.words)
    step = make_step(game.features, parallel)
    targets = np.full(len(states), 100)
    for slots in [1] * 120 + [0]:
        if not step(trees, targets, PuctParams(1.0, 32, 0.0, 1.0, slots)) and slots:
            continue
        trees.answers[:] = evaluate(trees.leaves)
    return trees


def agree(trees, states, which):
    """Searched alone, these states have the same trees, as far as the root tells."""
    for i in which:
        alone = PuctSearch(states[i], arbitrary(states[i].game), PuctSettings(slots=1), nodes=130)
        alone.run(100)
        count = int(trees.edge_count[i, 0])
        batch = list(zip(trees.move[i, :count], trees.edge_visits[i, :count], strict=True))
        assert batch == root(alone)
        assert np.array_equal(trees.edge_value[i, :count], alone.trees.edge_value[0, :count])


def tree_facts(name: str) -> dict[str, object]:
    state = random_positions(name, 1, seed=9)[0]
    search = PuctSearch(
        state, arbitrary(state.game), PuctSettings(noise_share=0.25, noise_alpha=0.5), seed=3
    )
    search.run(300)
    return {
        "position": state.text(),
        "root": root(search),
        "nodes": int(search.trees.sizes[0, 0]),
        "edges": int(search.trees.sizes[0, 1]),
    }


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_a_fixed_seed_and_network_grow_the_stored_tree(name):
    """Written by ``python -m tests.search.test_puct``; a change here is a change of the search."""
    assert json.loads(json.dumps(tree_facts(name))) == json.loads(GOLDEN.read_text())[name]


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_what_is_known_of_a_move_is_kept_when_it_is_played(name):
    state = random_positions(name, 1, seed=4)[0]
    search = PuctSearch(state, arbitrary(state.game), nodes=700)
    search.run(600)
    before = {child["move_id"]: child["node"] for child in search.children()}
    move = search.info().move
    below = search.children(before[state.move_id(move)])
    visits = search.trees.visits[0, before[state.move_id(move)]]
    after = state.forward(move)
    search.follow(after)
    assert search.simulations == visits
    shown = ("move_id", "visits", "value", "prior", "children")
    assert [[c[key] for key in shown] for c in search.children()] == [
        [c[key] for key in shown] for c in below
    ]
    search.run(100)
    assert search.simulations == visits + 100
    assert search.info().move in after.legal_moves


def test_another_game_is_searched_from_scratch():
    states = random_positions("othello", 2, seed=8)
    search = PuctSearch(states[0], arbitrary(states[0].game))
    search.run(50)
    search.follow(states[1])
    assert search.simulations == 0
    search.run(50)
    fresh = PuctSearch(states[1], arbitrary(states[1].game))
    fresh.run(50)
    assert root(search) == root(fresh)


def test_a_full_tree_and_the_depth_limit_go_on_searching():
    state = hansu.game("othello").start()
    for settings, nodes in ((PuctSettings(), 64), (PuctSettings(max_depth=2), 1000)):
        search = PuctSearch(state, arbitrary(state.game), settings, nodes=nodes)
        search.run(500)
        assert search.simulations == 500
        assert int(search.trees.sizes[0, 0]) <= nodes


def test_noise_changes_the_root_alone():
    state = hansu.game("connect4").start()
    plain = PuctSearch(state, clueless(state.game))
    noisy = PuctSearch(state, clueless(state.game), PuctSettings(noise_share=0.5, noise_alpha=0.3))
    for search in (plain, noisy):
        search.run(200)
    priors = [child["prior"] for child in noisy.children()]
    assert sum(priors) == pytest.approx(1, abs=1e-5)
    assert min(priors) >= 0.5 / 7 - 1e-6
    assert max(priors) > 0.2
    below = max(noisy.children(), key=lambda child: child["visits"])["node"]
    assert {round(child["prior"], 5) for child in noisy.children(below)} == {round(1 / 7, 5)}
    assert noisy.trees.sizes[0, HAS_NOISE]
    assert not plain.trees.sizes[0, HAS_NOISE]


@pytest.mark.parametrize("shape", [0.3, 1.0, 4.5])
def test_gamma_numbers_have_the_mean_and_variance_of_their_shape(shape):
    rng = seeded(5)
    draws = np.array([random_gamma(rng, shape) for _ in range(20_000)])
    assert draws.mean() == pytest.approx(shape, rel=0.05)
    assert draws.var() == pytest.approx(shape, rel=0.1)


def test_under_promotions_are_not_searched():
    state = hansu.game("microchess").parse("8/8/8/k7/2P5/8/8/K7 w - - 0 1")
    search = PuctSearch(state, clueless(state.game))
    search.run(50)
    texts = [line.text for line in search.info().lines]
    assert len(texts) == len(set(texts)) <= len(list(state.legal_moves))
    assert not any(text[-1] in "rbn" for text in texts if len(text) == 5)


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps({name: tree_facts(name) for name in SMALL_GAMES}, indent=1) + "\n")
