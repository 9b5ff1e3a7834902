"""OpenSpiel's bots as our agents, and its games beside ours.

    hansu match connect4 mcts openspiel:bot=mcts,n_simulations=1000

Where the rules differ:

- microchess is not among its games.
- go: its boards are square. It does not forbid a play that brings a board back, but ends the game
  as a draw when one comes back; ours (situational superko) forbids it.
- A game of ours from a set-up position, one that no moves lead to, cannot be set up there.
"""

import time
from dataclasses import dataclass
from typing import Any, ClassVar

from hansu.agents.agent import Agent, Options
from hansu.agents.budget import move_seconds
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.games.state import State, check_running
from hansu.options import Count, Seconds, Weight


def spiel() -> Any:
    """Return the library, loaded when first used."""
    try:
        import pyspiel
    except ImportError:
        raise HansuError("OpenSpiel is not installed: pip install 'hansu[bridges]'") from None
    return pyspiel


def their_game(game: Game) -> Any:
    """Return OpenSpiel's form of a game; raises HansuError if it has none."""
    twin = game.open_spiel()
    return spiel().load_game(twin.name, dict(twin.parameters))


def their_state(state: State) -> Any:
    """Return OpenSpiel's state after the same moves; raises HansuError for a set-up position."""
    theirs = their_game(state.game).new_initial_state()
    line = state.copy()
    while line.move_stack:
        line.pop()
    if line.key != state.game.start().key:
        raise HansuError("OpenSpiel cannot set up a position: the game must begin at the start")
    for move in state.move_stack:
        theirs.apply_action(state.game.open_spiel().action(move))
    return theirs


TRIED = 20  # simulations to see how fast a bot is


@dataclass(frozen=True)
class OpenSpielOptions(Options):
    """Which bot, and how much it searches."""

    bot: str = "mcts"  # or one that OpenSpiel registers, such as uniform_random
    n_simulations: Count = 1000
    search_time: Seconds | None = None  # seconds instead of simulations: its bot cannot have both
    uct_c: Weight = 2.0
    rollouts: Count = 1  # for each simulation


class OpenSpielAgent(Agent):
    """A bot of OpenSpiel, where that is installed."""

    Options: ClassVar[type[Options]] = OpenSpielOptions
    _pace = 0.0  # seconds that a simulation took last

    def prepare(self, start: State) -> None:
        """Say at once what will not work, and see how fast the bot is."""
        self._ask(start, min(TRIED, self.options.n_simulations))

    def act(self, state: State) -> int:
        """Ask the bot for as many simulations as there is time for."""
        check_running(state)
        most = self.options.n_simulations
        if self._pace:
            most = max(1, int(min(most, move_seconds(state) / self._pace)))
        return state.game.open_spiel().move(self._ask(state, most))

    def _ask(self, state: State, simulations: int) -> int:
        theirs, bot = their_state(state), self._bot(state, simulations)
        begin = time.perf_counter()
        action = int(bot.step(theirs))
        if self.options.search_time is None:
            self._pace = (time.perf_counter() - begin) / simulations
        return action

    def _bot(self, state: State, simulations: int) -> Any:
        """Return a new bot for each move, since games, positions and budgets change."""
        chosen: OpenSpielOptions = self.options
        library, game = spiel(), their_game(state.game)
        if chosen.bot == "mcts":
            seed, wanted = self.rng.getrandbits(30), chosen.search_time
            return library.MCTSBot(
                game,
                library.RandomRolloutEvaluator(chosen.rollouts, seed),
                chosen.uct_c,
                simulations,
                1000,  # MiB at most
                True,  # solve: proven results are backed up
                seed,
                False,  # verbose
                max_wall_clock_time=-1.0 if wanted is None else min(wanted, move_seconds(state)),
            )
        if chosen.bot not in library.registered_bots():
            known = ", ".join(["mcts", *library.registered_bots()])
            raise HansuError(f"OpenSpiel has no bot {chosen.bot!r}; it has {known}")
        player = int(state.turn != state.game.first_color)
        seeded = {"seed": self.rng.getrandbits(30)} if chosen.bot == "uniform_random" else {}
        return library.load_bot(chosen.bot, game, player, seeded)
