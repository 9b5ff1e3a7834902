"""Compile what most tests need before they start: the checks leave a processor idle meanwhile."""

import hansu
from hansu.games.game import GAMES

SEARCHES = ("mcts:n_simulations=20", "abp_negamax:depth=2", "self_learning:n_simulations=8")

for game in GAMES:
    for search in SEARCHES:
        hansu.agent(game, search, seed=1).act(hansu.game(game).start())
