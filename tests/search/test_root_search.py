"""Gumbel noise with sequential halving, and forced playouts, against references in NumPy."""

import math

import numpy as np
import pytest

from hansu.kernel import random_gumbel, seeded
from hansu.search.forced_playouts import pruned_visits
from hansu.search.gumbel import considered_visits, gumbel_choice, write_improved_policy
from hansu.search.puct import PuctParams, make_step, most_visited, start_game
from hansu.search.puct_trees import LOST, PuctTrees, allocate_trees
from tests.search.networks import arbitrary
from tests.search.positions import random_positions
from tests.small_games import all_but_slow

SOME_GAMES = all_but_slow("go:size=5", "hex:size=5", "microchess", "othello")
PLAIN = PuctParams(1.25, 32, 0.0, 1.0, 1, proofs=False)
SHARES = 65535


def searched(name, params, simulations, count=8):
    """Positions with trees in which every root has had so many visits."""
    states = random_positions(name, count, seed=3)
    game = states[0].game
    evaluate = arbitrary(game)
    trees = allocate_trees(game, count, simulations + 2, 1, 32, game.max_turns + 40, seed=1)
    for i, state in enumerate(states):
        if game.rules.USES_PATH:
            trees.path[i, : len(state.move_stack)] = state.path[: len(state.move_stack)]
        start_game(trees, i, state.words)
    step, targets = make_step(game.features, False), np.full(count, simulations)
    while (trees.visits[:, 0] < targets).any():
        step(trees, targets, params)
        trees.answers[:] = evaluate(trees.leaves)
    step(trees, targets, params._replace(slots=0))
    return game, trees


def one(trees, i):
    """One game's tree, as compiled code sees it; leaves and answers have no part here."""
    return PuctTrees(*(array[i] for array in trees))


def root(tree):
    """Visits, mean values and priors of the root's moves."""
    edges = slice(int(tree.first_edge[0]), int(tree.first_edge[0] + tree.edge_count[0]))
    visits = tree.edge_visits[edges].astype(float)
    values = tree.edge_value[edges] / np.maximum(1, visits)
    return visits, values, tree.prior[edges].astype(float), edges


# Gumbel -----------------------------------------------------------------------------------------


def halving(considered, simulations):
    """The visits that the chosen moves have, one after another: the schedule of mctx."""
    if considered <= 1:
        return list(range(simulations))
    phases = math.ceil(math.log2(considered))
    sequence, visits, left = [], np.zeros(considered, int), considered
    while len(sequence) < simulations:
        for _ in range(max(1, int(simulations / (phases * left)))):
            sequence += visits[:left].tolist()
            visits[:left] += 1
        left = max(2, left // 2)
    return sequence[:simulations]


def test_the_schedule_of_sequential_halving():
    rng = np.random.default_rng(1)
    for _ in range(300):
        considered, simulations = int(rng.integers(1, 40)), int(rng.integers(1, 300))
        found = [considered_visits(considered, simulations, done) for done in range(simulations)]
        assert found == halving(considered, simulations), (considered, simulations)


def test_gumbel_noise_has_its_distribution():
    rng = seeded(5)
    drawn = np.array([random_gumbel(rng) for _ in range(20_000)])
    assert abs(drawn.mean() - 0.5772) < 0.03
    assert abs(drawn.std() - math.pi / math.sqrt(6)) < 0.03
    logits = np.array([0.0, 1.0, -1.0])
    picks = (drawn[: 3 * 6000].reshape(-1, 3) + logits).argmax(1)
    shares = np.bincount(picks, minlength=3) / len(picks)
    assert np.abs(shares - np.exp(logits) / np.exp(logits).sum()).max() < 0.02


def improved(tree, answer, scale):
    """The logits and the completed values of the paper, in NumPy."""
    visits, values, priors, _ = root(tree)
    tried = visits > 0
    mixed = answer
    if tried.any():
        mean = (priors[tried] * values[tried]).sum() / priors[tried].sum()
        mixed = (answer + visits.sum() * mean) / (1 + visits.sum())
    completed = np.where(tried, values, mixed)
    return np.log(priors) + scale * (50 + visits.max()) * (completed + 1) / 2


@pytest.mark.parametrize("name", SOME_GAMES)
@pytest.mark.parametrize(("moves", "simulations", "scale"), [(4, 17, 1.0), (16, 64, 0.1)])
def test_visits_are_halved_and_the_policy_is_the_papers(name, moves, simulations, scale):
    params = PLAIN._replace(gumbel_moves=moves, gumbel_scale=scale, noise_share=0.25)
    game, trees = searched(name, params, simulations)
    answers = arbitrary(game)
    for i in range(len(trees.roots)):
        tree = one(trees, i)
        visits, _, priors, edges = root(tree)
        considered = min(moves, len(visits))
        plan = np.bincount(halving(considered, simulations - 1), minlength=simulations)
        assert visits.sum() == simulations - 1
        # So many moves have had their first, second, third... visit, as the schedule has it.
        found = [int((visits > n).sum()) for n in range(simulations)]
        assert found == plan.tolist()[:simulations]
        noise = tree.noise[: len(visits)]
        first = np.argsort(-(noise + np.log(priors)))[:considered]
        assert set(np.flatnonzero(visits)) == set(first.tolist())
        answer = float(tree.root_answer[0])
        assert answer == answers(packed_root(game, tree))[0, -1]
        logits = improved(tree, answer, scale)
        for noisy in (0.0, 1.0):
            score = np.where(visits == visits.max(), logits + noisy * noise, -np.inf)
            assert gumbel_choice(tree, scale, noisy) - tree.first_edge[0] == score.argmax()
        out = np.zeros(game.features.actions, np.uint16)
        write_improved_policy(tree, scale, 0, SHARES, out)
        policy = np.exp(logits - logits.max())
        policy /= policy.sum()
        assert np.abs(out[tree.action[edges]] / SHARES - policy).max() < 1e-4
        assert abs(int(out.sum()) - SHARES) <= len(visits)


def packed_root(game, tree):
    state = game.start()
    state.words[:] = tree.roots
    return game.features.pack(state)[None]


def test_a_lost_move_is_not_considered_further():
    params = PLAIN._replace(gumbel_moves=4, proofs=True)
    _, trees = searched("tictactoe", params, 40, count=160)
    lost = 0
    for i in range(len(trees.roots)):
        tree = one(trees, i)
        edges = root(tree)[3]
        proved = tree.proved[edges]
        if (proved == LOST).any() and (proved == 0).any() and proved.max() == 0:
            lost += 1
            assert tree.proved[gumbel_choice(tree, 1.0, 1.0)] == 0
            out = np.zeros(9, np.uint16)
            write_improved_policy(tree, 1.0, 0, SHARES, out)
            assert not out[tree.action[edges][proved == LOST]].any()
            assert out.sum() > 0
    assert lost > 8


# Forced playouts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SOME_GAMES)
def test_tried_moves_get_their_visits_and_give_them_back(name):
    params = PLAIN._replace(noise_share=0.25, noise_alpha=0.5)
    forced = params._replace(forced_playouts=2.0)
    (_, plain), (_, trees) = searched(name, params, 100), searched(name, forced, 100)
    pruned = 0
    for i in range(len(trees.roots)):
        tree = one(trees, i)
        visits, values, priors, edges = root(tree)
        assert visits.sum() == 99
        due = np.sqrt(2.0 * priors * 100)
        assert (visits[visits > 0] + 2 >= due[visits > 0]).all()
        best = most_visited(tree)
        kept = np.array(
            [pruned_visits(tree, edge, best, 1.25, 2.0) for edge in range(edges.start, edges.stop)]
        )
        assert (kept <= visits).all()
        assert kept[best - edges.start] == visits.max() == kept.max()
        width = 1.25 * math.sqrt(tree.visits[0])
        top = best - edges.start
        bound = values[top] + width * priors[top] / (1 + visits[top])
        for at in range(len(visits)):
            n = int(visits[at])
            if at == top or n == 0:
                continue
            fewer = range(max(0, n - int(due[at])), n)
            possible = [j for j in fewer if values[at] + width * priors[at] / (1 + j) < bound]
            left = min(possible, default=n)
            assert kept[at] == (left if left > 1 else 0)
            pruned += n - kept[at]
    assert pruned > 0
    assert not np.array_equal(plain.edge_visits, trees.edge_visits)
