"""What a shell may complete: games and agents, and their options after a colon."""

from collections.abc import Iterable
from dataclasses import fields

from hansu.agents.registry import AGENTS, BY_COMMAND, class_of
from hansu.errors import HansuError
from hansu.games.game import GAMES, game


def complete_game(incomplete: str) -> list[str]:
    """Return the games, or the options of one, that begin like this.

    >>> complete_game("tic"), complete_game("go:s"), complete_game("go:size=9,k")
    (['tictactoe'], ['go:size='], ['go:size=9,komi='])
    """
    name, colon, _ = incomplete.partition(":")
    if not colon:
        return _beginning(GAMES, incomplete)
    known = [field.name for field in fields(game(name).Options)] if name in GAMES else []
    return _options(incomplete, known)


def complete_agent(incomplete: str) -> list[str]:
    """Return the agents, or the options of one, that begin like this.

    >>> complete_agent("mcts_m"), complete_agent("mcts:n_s")
    (['mcts_memory'], ['mcts:n_simulations='])
    """
    name, colon, _ = incomplete.partition(":")
    if not colon:
        return _beginning(AGENTS, incomplete)
    try:
        known = [field.name for field in fields(class_of(name).Options)]
    except (HansuError, KeyError, ImportError):  # an unknown one, or one whose library is missing
        known = []
    return _options(incomplete, [] if name in BY_COMMAND else known)


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return sorted(name for name in names if name.startswith(incomplete))


def _options(incomplete: str, known: list[str]) -> list[str]:
    """Return texts with the last, incomplete option completed; each is offered once."""
    before, last = incomplete[: -len(_last(incomplete)) or None], _last(incomplete)
    if "=" in last:
        return []
    left = [name for name in known if f"{name}=" not in before]
    return [f"{before}{name}=" for name in _beginning(left, last)]


def _last(incomplete: str) -> str:
    return incomplete.partition(":")[2].rpartition(",")[2]
