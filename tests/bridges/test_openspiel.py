"""OpenSpiel's games against ours by random play, and its bots as our agents."""

import random

import pytest

import hansu
from hansu.bridges.openspiel import their_game, their_state
from tests.small_games import SMALL_GAMES

pytest.importorskip("pyspiel", reason="the extra 'bridges' is not installed")


def is_theirs(name: str) -> bool:
    try:
        hansu.game(name).open_spiel()
    except hansu.HansuError:
        return False
    return True


THEIRS = list(filter(is_theirs, SMALL_GAMES))


def test_their_games_are_those_that_the_documentation_names():
    assert {name.partition(":")[0] for name in SMALL_GAMES} - {
        name.partition(":")[0] for name in THEIRS
    } == {"microchess"}


@pytest.mark.parametrize("name", [name for name in THEIRS if name != "go:size=5"])  # see below
def test_the_rules_agree(name):
    rng = random.Random(name)
    for _ in range(40):
        state = hansu.game(name).start()
        theirs = their_game(state.game).new_initial_state()
        while not state.is_game_over():
            assert not theirs.is_terminal()
            assert theirs.current_player() == (state.turn != state.game.first_color)
            legal = sorted(state.game.open_spiel().action(move) for move in state.legal_moves)
            assert legal == theirs.legal_actions()
            move = rng.choice(state.legal_moves)
            state.push(move)
            theirs.apply_action(state.game.open_spiel().action(move))
        assert theirs.is_terminal()
        assert theirs.returns()[0] == worth_of_first(state)


@pytest.mark.parametrize(("size", "komi"), [(5, 0.5), (9, 7)])
def test_the_rules_of_go_agree_but_for_superko(size, komi):
    """Their plays are ours and those that superko forbids; the score is the same."""
    rng = random.Random(size)
    ended = 0
    for _ in range(12):
        state = hansu.game("go", size=size, komi=komi).start()
        theirs = their_game(state.game).new_initial_state()
        while not state.is_game_over() and not theirs.is_terminal():
            mine = set(state.legal_moves)
            more = {
                state.game.open_spiel().move(action) for action in theirs.legal_actions()
            } - mine
            assert mine <= {
                state.game.open_spiel().move(action) for action in theirs.legal_actions()
            }
            assert all(state.violates_superko(move) for move in more)
            move = rng.choice(state.legal_moves)
            state.push(move)
            theirs.apply_action(state.game.open_spiel().action(move))
        if state.is_game_over():  # else a board came back, with the other side to move
            assert theirs.is_terminal()
            assert theirs.returns()[0] == worth_of_first(state)
            ended += 1
    assert ended > 3


def worth_of_first(state):
    winner = state.outcome().winner
    return 0 if winner is None else 1 if winner == state.game.first_color else -1


@pytest.mark.parametrize("name", THEIRS)
def test_actions_and_moves_are_inverse(name):
    game = hansu.game(name)
    state = game.start()
    for move in state.legal_moves:
        assert game.open_spiel().move(game.open_spiel().action(move)) == move


@pytest.mark.parametrize("name", THEIRS)
@pytest.mark.parametrize("bot", ["mcts", "uniform_random"])
def test_their_bots_play_our_games(name, bot):
    player = f"openspiel:bot={bot},n_simulations=50"
    for first, second in ((player, "random"), ("random", player)):
        record = hansu.play_game(name, first, second, seed=1)
        assert record.evidence == ""
    assert record.moves == hansu.play_game(name, first, second, seed=1).moves


def test_their_search_beats_a_random_player():
    result = hansu.match("tictactoe", "openspiel:n_simulations=500", "random", games=20, seed=1)
    assert result.losses == 0
    assert result.wins > 12


def test_the_budget_is_kept():
    agent = hansu.agent("connect4", "openspiel:n_simulations=1000000000,search_time=0.2", seed=1)
    assert agent.act(hansu.game("connect4").start()) in range(1, 8)  # would take a day otherwise


@pytest.mark.parametrize(
    ("player", "game", "message"),
    [
        ("openspiel", "microchess", "OpenSpiel has no microchess"),
        ("openspiel", "go:size=5x7", "boards are square"),
        ("openspiel", "connect4:no_center_opening=on", "always allows"),
        ("openspiel:bot=best", "connect4", "OpenSpiel has no bot 'best'; it has mcts"),
    ],
)
def test_what_does_not_work_is_told(player, game, message):
    with pytest.raises(hansu.HansuError, match=message):
        hansu.agent(game, player).act(hansu.game(game).start())


def test_a_position_cannot_be_set_up():
    state = hansu.game("tictactoe").parse("X.O......")
    with pytest.raises(hansu.HansuError, match="cannot set up a position"):
        their_state(state)
