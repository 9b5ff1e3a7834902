"""Compile what an agent may use before the match, off the clock."""

import functools

from hansu.games.game import Game
from hansu.kernel.tiers import compile_beside, is_interpreting
from hansu.search.mcts import Mcts, MctsSettings
from hansu.search.negamax import search
from hansu.search.perft import perft
from hansu.search.playout import playouts, random_move
from hansu.search.wins import forced_wins, wins_at_once


@functools.cache
def precompile(game: Game) -> None:
    """Compile, or load from the cache, every entry point of a game; once per process."""
    precompile_rules(game)
    state = game.start()
    game.features.planes(state)
    move = state.move_from_id(state.move_ids()[0])
    game.features.move(state, game.features.action(state, move))
    playouts(state, 1)
    perft(state, 2)
    for prune in (False, True):
        search(state, 2, prune)
    Mcts(state, MctsSettings(), seed=0).run_for(2, 1.0)
    wins_at_once(state)
    forced_wins(state)


def precompile_rules(game: Game) -> None:
    """Compile the rules and the evaluation, which every game needs; interpreted meanwhile."""
    if is_interpreting():
        compile_beside(functools.partial(_compile_rules, game))
    else:
        _compile_rules(game)


@functools.cache
def _compile_rules(game: Game) -> None:
    state = game.start()
    while not state.is_game_over():
        state.push(random_move(state, len(state.move_stack)))
    game.evaluator.eval(game.start(), state.turn)
    game.evaluator.eval(state, state.turn)
    state.key  # noqa: B018 - computed by compiled code
    state.text()
