"""OpenSpiel's bots as our agents, and its games beside ours.

    hansu match connect4 mcts openspiel:bot=mcts,n_simulations=1000

Where the rules differ:

- microchess is not among its games.
- go: its boards are square. It does not forbid a play that brings a board back, but ends the game
  as a draw when one comes back; ours (situational superko) forbids it.
- A game of ours from a set-up position, one that no moves lead to, cannot be set up there.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from hansu.agents.agent import Agent, Options
from hansu.agents.budget import fair_share
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.games.state import State
from hansu.options import Count, Seconds, Weight

NAMES = {
    "connect4": "connect_four",
    "go": "go",
    "othello": "othello",
    "tictactoe": "tic_tac_toe",
}
"""Our game -> theirs."""


def spiel() -> Any:
    """The library, loaded when first used."""
    try:
        import pyspiel
    except ImportError:
        raise HansuError("OpenSpiel is not installed: pip install 'hansu[bridges]'") from None
    return pyspiel


def their_game(game: Game) -> Any:
    """Their form of a game; raises HansuError where they have none."""
    if game.name not in NAMES:
        raise HansuError(f"OpenSpiel has no {game.name}; it has {', '.join(NAMES)}")
    if game.name == "connect4" and game.rules.no_center_opening:
        raise HansuError("OpenSpiel's connect4 always allows the first move in the middle")
    if game.name != "go":
        return spiel().load_game(NAMES[game.name])
    size, komi = game.rules.size, float(game.rules.komi)
    if not isinstance(size, int):
        raise HansuError(f"OpenSpiel's go boards are square, not {size}")
    rules = {"board_size": size, "komi": komi, "max_game_length": game.max_turns}
    return spiel().load_game("go", rules)


def their_state(state: State) -> Any:
    """Their state after the same moves; raises HansuError for a game that was set up."""
    theirs = their_game(state.game).new_initial_state()
    line = state.copy()
    while line.move_stack:
        line.pop()
    if line.key != state.game.start().key:
        raise HansuError("OpenSpiel cannot set up a position: the game must begin at the start")
    for move in state.move_stack:
        theirs.apply_action(their_action(state.game, move))
    return theirs


def their_action(game: Game, move: int) -> int:
    """The number of our move in their game: columns from 0, go's rows from the bottom.

    >>> import hansu
    >>> their_action(hansu.game("connect4"), 4), their_action(hansu.game("go", size=5), 0)
    (3, 20)
    """
    if game.name == "connect4":
        return move - 1
    return _flipped(game, move) if game.name == "go" else move


def our_move(game: Game, action: int) -> int:
    """The inverse of ``their_action``."""
    if game.name == "connect4":
        return action + 1
    return _flipped(game, action) if game.name == "go" else action


def _flipped(game: Game, point: int) -> int:
    """A point counted from the other side; the pass, after the last point, stays."""
    size = int(game.rules.size)
    row, column = divmod(point, size)
    return point if row == size else (size - 1 - row) * size + column


@dataclass(frozen=True)
class OpenSpielOptions(Options):
    """Which bot, and how much it searches."""

    bot: str = "mcts"  # or one that OpenSpiel registers, such as uniform_random
    n_simulations: Count = 1000
    search_time: Seconds | None = None  # seconds instead of simulations: its bot cannot have both
    uct_c: Weight = 2.0
    rollouts: Count = 1  # for each simulation


class OpenSpielAgent(Agent):
    """A bot of OpenSpiel, where that is installed: connect4, go, othello, tictactoe."""

    Options: ClassVar[type[Options]] = OpenSpielOptions

    def prepare(self, start: State) -> None:
        """Say at once what will not work."""
        self._bot(start)
        their_state(start)

    def act(self, state: State) -> int:
        """Ask the bot."""
        action = self._bot(state).step(their_state(state))
        return our_move(state.game, action)

    def _bot(self, state: State) -> Any:
        """A new bot for each move, since games, positions and budgets change."""
        chosen: OpenSpielOptions = self.options
        library, game = spiel(), their_game(state.game)
        if chosen.bot == "mcts":
            seed, wanted = self.rng.getrandbits(30), chosen.search_time
            return library.MCTSBot(
                game,
                library.RandomRolloutEvaluator(chosen.rollouts, seed),
                chosen.uct_c,
                chosen.n_simulations,
                1000,  # MiB at most
                True,  # solve: proven results are backed up
                seed,
                False,  # verbose
                max_wall_clock_time=-1.0 if wanted is None else min(wanted, fair_share(state)),
            )
        if chosen.bot not in library.registered_bots():
            known = ", ".join(["mcts", *library.registered_bots()])
            raise HansuError(f"OpenSpiel has no bot {chosen.bot!r}; it has {known}")
        player = int(state.turn != state.game.first_color)
        seeded = {"seed": self.rng.getrandbits(30)} if chosen.bot == "uniform_random" else {}
        return library.load_bot(chosen.bot, game, player, seeded)
