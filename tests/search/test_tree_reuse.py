"""The tree of the last move's search, kept for the next one."""

import numpy as np
import pytest

import hansu
from hansu.errors import OptionError
from hansu.search.mcts import Mcts, MctsSettings
from hansu.search.rave import RaveMcts

RAVE = MctsSettings(rave=500, exploration=0.05)


def statistics(search, node=0):
    """Moves, visits and values of a tree, as deep as it goes."""
    return {
        child["move_id"]: (child["visits"], child["value"], statistics(search, child["node"]))
        for child in search.children(node)
    }


@pytest.mark.parametrize(
    ("kind", "game", "settings"),
    [
        (Mcts, "tictactoe", MctsSettings()),
        (Mcts, "othello", MctsSettings()),
        (Mcts, "microchess", MctsSettings()),
        (RaveMcts, "go:size=5", RAVE),
        (RaveMcts, "hex:size=4,swap=on", RAVE),
    ],
)
def test_a_later_search_begins_with_what_an_earlier_one_has_of_the_state(kind, game, settings):
    state = hansu.game(game).start()
    earlier = kind(state.copy(), settings, seed=1)
    earlier.run(600)
    reply = earlier.info().lines[0].variation[1]
    node = max(earlier.children(), key=lambda child: child["visits"])["node"]
    after = max(earlier.children(node), key=lambda child: child["visits"])
    state.push(earlier.info().move)
    state.push(state.parse_move(reply))
    later = kind(state, settings, seed=2)
    later.continue_from(earlier)
    assert later.simulations == after["visits"]
    assert statistics(later) == statistics(earlier, after["node"])
    later.run(400)
    assert later.simulations == after["visits"] + 400
    visits = sum(child["visits"] for child in later.children())
    assert later.simulations - visits <= 2  # the first one, and the one that expanded it


def test_amaf_counts_move_along():
    earlier = RaveMcts(hansu.game("go:size=5").start(), RAVE, seed=1)
    earlier.run(800)
    state = earlier.state.forward(earlier.info().move)
    later = RaveMcts(state, RAVE, seed=2)
    later.continue_from(earlier)
    node = max(earlier.children(), key=lambda child: child["visits"])["node"]
    old = [child["node"] for child in earlier.children(node)]
    new = [child["node"] for child in later.children()]
    for name in ("amaf_visits", "amaf_reward"):
        kept, before = getattr(later._tree, name)[new], getattr(earlier._tree, name)[old]
        assert np.array_equal(kept, before)
        assert kept.any()


def test_nothing_is_kept_of_another_game_another_search_or_an_earlier_state():
    game = hansu.game("tictactoe")
    earlier = Mcts(game.parse("b2 a1"), seed=1)
    earlier.run(200)
    for state, settings in (
        (game.parse("b2 a2 a1"), MctsSettings()),
        (game.parse("b2"), MctsSettings()),
        (game.parse("b2 a1 c1"), MctsSettings(exploration=0.5)),
        (hansu.game("connect4").start(), MctsSettings()),
    ):
        later = Mcts(state, settings, seed=2)
        later.continue_from(earlier)
        assert later.simulations == 0


def test_an_agent_keeps_its_tree_within_a_game_and_not_longer():
    agent = hansu.agent("tictactoe", "mcts:tree_reuse=on,n_simulations=400", seed=3)
    state = hansu.game("tictactoe").start()
    agent.prepare(state)
    assert agent.tree is None
    state.push(agent.act(state))
    state.push(next(iter(state.legal_moves)))
    kept = [child for child in agent.tree.children() if child["visits"]]
    first = agent.tree
    agent.act(state)
    assert kept
    assert agent.tree is not first
    assert agent.tree.simulations == 400
    agent.reset()
    assert agent.tree is None


def test_without_the_option_every_search_is_new():
    agent = hansu.agent("tictactoe", "mcts:n_simulations=300", seed=3)
    state = hansu.game("tictactoe").start()
    for _ in range(2):
        agent.act(state)
        assert agent.tree.simulations == 300


def test_where_rewards_depend_on_the_root_it_is_refused():
    with pytest.raises(OptionError, match="tree_reuse: it needs device=cpu and max_depth=none"):
        hansu.match("microchess", "mcts:tree_reuse=on", "random", games=1)


def test_a_search_that_goes_on_keeps_to_its_time_however_large_the_tree_is():
    """The pace is that of this search: visits of an earlier one were not made in its time."""
    search = Mcts(hansu.game("tictactoe").start(), seed=1)
    search.run(100)
    search._tree.visits[0] = 10**8
    chunks, plain = [], search.run
    search.run = lambda count: (chunks.append(count), plain(min(count, 50)))
    search.run_for(10**9, 0.02)
    assert max(chunks) < 10**6
