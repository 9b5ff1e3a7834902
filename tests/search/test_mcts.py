"""Monte Carlo tree search on positions whose answer is known."""

import random
from types import SimpleNamespace

import pytest

import hansu
from hansu.search.mcts import Mcts, MctsSettings
from tests.search.positions import random_positions
from tests.small_games import SMALL_GAMES


@pytest.mark.parametrize("name", SMALL_GAMES)
@pytest.mark.parametrize("settings", [MctsSettings(), MctsSettings(max_depth=4, amplify=True)])
def test_visits_add_up_and_values_are_shares(name, settings):
    for state in random_positions(name, 5, seed=5):
        search = Mcts(state, settings, seed=1)
        search.run(700)
        info = search.info()
        assert info.nodes == 700
        assert sum(line.visits for line in info.lines) == 700 - 1  # the first made the children
        assert len(info.lines) == len(list(state.legal_moves))
        assert all(0 <= line.value <= 1 for line in info.lines)
        replayed = state.copy()
        for text in info.lines[0].variation:
            replayed.push(replayed.parse_move(text))


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_the_same_seed_grows_the_same_tree(name):
    state = random_positions(name, 1, seed=6)[0]
    trees = []
    for chunks in ([400], [100, 300]):
        search = Mcts(state, MctsSettings(), seed=9)
        for chunk in chunks:
            search.run(chunk)
        trees.append(search.info().lines)
    assert trees[0] == trees[1]


@pytest.mark.parametrize("playout", ["light", "heavy"])
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
def test_wins_are_taken_and_losses_prevented(game, position, best, playout):
    search = Mcts(hansu.game(game).parse(position), MctsSettings(playout=playout), seed=1)
    search.run(3000)
    assert search.info().lines[0].text == best


def test_a_full_tree_goes_on_searching(monkeypatch):
    monkeypatch.setattr("hansu.search.mcts.MAX_NODES", 1 << 12)
    search = Mcts(hansu.game("othello").start(), MctsSettings(), seed=1)
    search.run(20_000)
    assert search.simulations == 20_000
    assert int(search._tree.size[0]) <= 1 << 12


@pytest.mark.parametrize(
    ("seconds_after", "most"),
    [
        (lambda simulations: simulations * 1e-5, 2e-3),
        (lambda simulations: simulations * 1.0, 1.0),
        (lambda simulations: simulations * 1e-5 + simulations**2 * 1e-8, 4e-3),
    ],
    ids=["quick", "slow", "ever slower"],
)
def test_a_clock_is_kept(monkeypatch, seconds_after, most):
    """The clock goes on with the simulations: how fast this machine is does not matter."""
    search = Mcts(hansu.game("connect4").start(), MctsSettings(), seed=1)
    clock = SimpleNamespace(perf_counter=lambda: seconds_after(search.simulations))
    monkeypatch.setattr("hansu.search.mcts.time", clock)
    search.run_for(10**9, seconds=0.2)
    assert 0.2 <= seconds_after(search.simulations) <= 0.2 + most


def test_simulations_may_be_used_up_before_the_time():
    search = Mcts(hansu.game("connect4").start(), MctsSettings(), seed=1)
    search.run_for(777, seconds=1e9)
    assert search.simulations == 777


@pytest.mark.slow
def test_outcome_preserving_moves_in_published_positions(shared_data):
    """At 20,000 simulations at least 95 % of the moves keep the value that the solver published."""
    from hansu.search.negamax import search as negamax

    game = hansu.game("connect4")
    rows = [line.split() for line in shared_data("connect4/Test_L3_R1").read_text().splitlines()]
    kept = 0
    for seed, (text, score) in enumerate(rows):
        state = game.parse(text)
        search = Mcts(state, MctsSettings(), seed)
        search.run(20_000)
        after = state.forward(search.info().move)
        outcome = after.outcome()
        if outcome is None:
            # At most 13 plies are left: a full search is exact.
            value = 1 - 2 * negamax(after, 42, prune=True).value
        else:
            value = 0 if outcome.winner is None else 1 if outcome.winner == state.turn else -1
        expected = int(score)
        kept += round(value) == (expected > 0) - (expected < 0)
    print(f"outcome kept in {kept} of {len(rows)}")
    assert kept >= 0.95 * len(rows)


def test_children_can_be_explored_from_the_root_down():
    search = Mcts(hansu.game("connect4").start(), MctsSettings(), seed=random.randrange(9))
    search.run(500)
    children = search.children()
    assert [child["move_id"] for child in sorted(children, key=lambda c: c["move_id"])] == list(
        range(1, 8)
    )
    busiest = max(children, key=lambda child: child["visits"])
    below = search.children(busiest["node"])
    assert sum(child["visits"] for child in below) <= busiest["visits"]
