"""What a search proves (MCTS-solver) is true, and its best move keeps what is proved."""

import numpy as np
import pytest

import hansu
from hansu.search.puct_search import PuctSearch, PuctSettings
from hansu.search.puct_trees import LOST, WON
from tests.games.tictactoe.test_tictactoe import all_positions
from tests.search.networks import arbitrary, clueless, tictactoe_values
from tests.search.positions import random_positions

SIGNS = {0.0: LOST, 1.0: WON}


def proofs(search):
    """The root's moves that are proved, by their numbers."""
    edges = search._edges(0)
    found = {int(search.trees.move[0, e]): int(search.trees.proved[0, e]) for e in edges}
    return {move: proof for move, proof in found.items() if proof}


@pytest.mark.parametrize("slots", [1, 8])
def test_every_proof_is_true_in_tictactoe(slots):
    game, values = hansu.game("tictactoe"), tictactoe_values()
    proved = 0
    for text, state in list(all_positions().items())[::5]:
        if state.is_game_over():
            continue
        search = PuctSearch(state, arbitrary(game), PuctSettings(slots=slots), nodes=512)
        search.run(300)
        worth = {
            state.move_id(move): -values[game.features.pack(state.forward(move)).tobytes()]
            for move in state.legal_moves
        }
        for move, proof in proofs(search).items():
            assert worth[move] == proof, (text, move)
            proved += 1
        if max(worth.values()) == 1 and 1 in proofs(search).values():
            assert worth[search.info().move] == 1
    assert proved > 500


def test_every_proof_is_true_in_connect4():
    solver, proved = hansu.game("connect4"), 0
    for state in random_positions("connect4", 40, seed=9):
        if state.is_game_over() or len(state.move_stack) < 16:
            continue
        search = PuctSearch(state, arbitrary(solver), nodes=3000)
        search.run(2500)
        if not proofs(search):
            continue
        truth = hansu.solve(state, hansu.Limits(exact=True))
        worth = {state.move_id(each.move): each.value for each in truth.moves}
        for move, proof in proofs(search).items():
            assert SIGNS.get(worth[move], 0) == proof
            proved += 1
    assert proved > 10


def test_a_lost_move_is_left_and_a_won_one_ends_the_doubt():
    state = hansu.game("connect4").parse("112233")  # 4 wins at once
    search = PuctSearch(state, clueless(state.game))
    search.run(200)
    best = search.info().lines[0]
    assert (best.text, best.value) == ("4", 1.0)
    assert best.visits > 150
    state = hansu.game("connect4").parse("11223")  # all but 4 lose to 4
    search = PuctSearch(state, clueless(state.game))
    search.run(400)
    lines = search.info().lines
    assert lines[0].text == "4"
    assert all(line.value == 0.0 for line in lines[1:])
    assert sum(line.visits for line in lines[1:]) < 120


def test_without_proofs_nothing_is_proved():
    state = hansu.game("connect4").parse("112233")
    search = PuctSearch(state, clueless(state.game), PuctSettings(proofs=False))
    search.run(200)
    assert proofs(search) == {}


def test_proofs_move_with_the_root():
    state = hansu.game("connect4").parse("1122")
    search = PuctSearch(state, arbitrary(state.game))
    search.run(3000)
    after = state.forward(search.info().lines[0].move)
    search.follow(after)
    kept = proofs(search)
    again = PuctSearch(after, arbitrary(after.game))
    again.run(3000)
    both = kept.keys() & proofs(again).keys()
    assert all(kept[move] == proofs(again)[move] for move in both)
    assert np.isin(list(kept.values()), [WON, LOST]).all()
