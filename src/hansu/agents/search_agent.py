"""Agents that accept limits and report what they find; most of them search."""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from hansu.agents.agent import Agent, Answer, Options
from hansu.agents.budget import move_seconds
from hansu.agents.endings import Endings
from hansu.errors import OptionError
from hansu.games.game import Game
from hansu.games.state import RESIGN, State, check_running
from hansu.search.info import SearchInfo
from hansu.search.limits import UNLIMITED, Budget, Limits, SearchHandle
from hansu.search.solve import THREADS
from hansu.search.tablebase import with_tables

HOPELESS = 0.1
SECONDS = ("search_time", "move_time")  # options that limit a search, by what they count in
NODES = ("n_simulations", "playouts", "nodes")


class Analyst(Agent):
    """An agent that accepts limits, can be stopped, and reports what it finds."""

    counts_depth: ClassVar[bool] = False  # whether a limit of depth means anything to it
    info: SearchInfo | None = None  # what it found when it last moved

    def choose(self, state: State, limits: Limits, handle: SearchHandle) -> Answer:
        """Return a move, or RESIGN, and what was found, within the limits."""
        raise NotImplementedError

    def act(self, state: State) -> Any:
        """Choose within its own options and the clock of the game."""
        check_running(state)
        return self.choose(state, UNLIMITED, SearchHandle()).move

    def depth_option(self, state: State) -> str:
        """Name the option that says how deep to look in a state."""
        return "depth"

    def is_asked(self, limits: Limits) -> bool:
        """Return whether the caller limits the search; otherwise options and clock do."""
        depth = limits.depth if self.counts_depth else None
        return (limits.seconds, limits.nodes, depth) != (None, None, None)

    def bounded(self, state: State, limits: Limits) -> Budget:
        """Return what one search may use, with the agent's options and the clock counted in.

        In a game the options hold, within what the clock allows. A caller's own limits replace
        them, except for options that were set explicitly.
        """
        if not isinstance(limits, Limits):
            raise OptionError(f"{limits!r} is not a Limits: hansu.Limits(...) is expected")
        asked, own_seconds = self.is_asked(limits), move_seconds(state)

        def least(given: float | None, *options: str) -> Any:
            own = [
                getattr(self.options, name, None)
                for name in options
                if not asked or name in self.options_set
            ]
            return min((limit for limit in (given, *own) if limit is not None), default=None)

        seconds = least(limits.seconds if asked else own_seconds, *SECONDS)
        deepest = least(limits.depth, self.depth_option(state)) if self.counts_depth else None
        return Budget(
            seconds=math.inf if seconds is None else seconds,
            depth=None if deepest is None else min(deepest, state.game.max_turns),
            nodes=least(limits.nodes, *NODES),
            exact=limits.exact,
            for_move=limits.for_move,
            thrifty=not asked and math.isfinite(state.remain_sec),
        )


@dataclass(frozen=True)
class SearchOptions(Options):
    """Options of every searching agent."""

    resign: bool = False  # give up when the best move is worth less than a tenth


@dataclass(frozen=True)
class EndingsOptions(SearchOptions):
    """Options of agents that can leave endings to the game's exact solver."""

    endings: bool = False  # play endings exactly, as far as the solver solves them at once


@dataclass(frozen=True)
class TablebaseOptions(EndingsOptions):
    """Options of agents that can play endings by tables, too."""

    tablebase: bool = True  # where they are built: see ``hansu solve microchess --pieces``


class SearchAgent(Analyst):
    """Write ``value_moves``: all moves with their values, best first.

    >>> import hansu
    >>> agent = hansu.agent("tictactoe", "mcts", seed=1)
    >>> found = agent.search(hansu.game("tictactoe").parse("XX. OO. ..."), Limits(nodes=500))
    >>> found.lines[0].text, found.nodes
    ('c1', 500)
    """

    Options: ClassVar[type[Options]] = SearchOptions
    _endings: Endings | None = None

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Value every legal move within a budget.

        Ask ``handle.go_on`` now and then, and give ``handle.tree`` the tree if there is one.
        """
        raise NotImplementedError

    def search(
        self,
        state: State,
        limits: Limits = UNLIMITED,
        handle: SearchHandle | None = None,
    ) -> SearchInfo:
        """Return what a search within the limits finds; ``handle`` can stop and observe it."""
        check_running(state)
        budget, handle = self.bounded(state, limits), handle or SearchHandle()
        if endings := self._open_endings(state.game):
            solved, budget = endings.solve(state, budget, handle)
            if solved is not None:
                return solved
        if not getattr(self.options, "tablebase", False):
            return self.value_moves(state, budget, handle)
        return with_tables(state, lambda: self.value_moves(state, budget, handle))

    def prepare(self, start: State) -> None:
        """Compile the search by a very short one; nothing of it stays."""
        kept = self.rng.getstate()
        if endings := self._open_endings(start.game):
            endings.prepare(start)
        if getattr(self.options, "tablebase", False):
            start.game.prepare_endings()
        self.value_moves(start, self.bounded(start, Limits(seconds=1e-3)), SearchHandle())
        self.rng.setstate(kept)

    def _open_endings(self, game: Game) -> Endings | None:
        """Return what solves endings, if the agent's options ask for it."""
        if not getattr(self.options, "endings", False):
            return None
        if self._endings is None or self._endings.game != game:
            self._endings = Endings(game, getattr(self.options, "threads", THREADS))
        return self._endings

    def choose(self, state: State, limits: Limits, handle: SearchHandle) -> Answer:
        """Search, then play the best move, or resign."""
        self.info = info = self.search(state, replace(limits, for_move=True), handle)
        if self.options.resign and info.value < HOPELESS:
            return Answer(RESIGN, info)
        return Answer(info.move, info)
