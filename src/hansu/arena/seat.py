"""Who sits where: from what a user names to a player the referee can ask."""

from hansu.agents.agent import Agent
from hansu.agents.loading import reference
from hansu.agents.registry import BY_COMMAND, agent
from hansu.arena.isolation.player import IsolatedPlayer
from hansu.arena.player import LocalPlayer, Player
from hansu.errors import HansuError
from hansu.games.game import WHITE, Game

Contestant = str | type[Agent] | Agent


def seat(who: Contestant, game: Game, untrusted: bool = False) -> Player:
    """A built-in agent or a class handed over in Python plays in this process.

    A file or dotted path is isolated where the machine can; ``untrusted`` refuses otherwise.
    """
    if isinstance(who, str):
        if reference(who):
            return IsolatedPlayer(who, game, require_isolation=untrusted)
        made, name = agent(who, game), who
    else:
        made, name = who if isinstance(who, Agent) else who(who.__name__, WHITE), ""
        made.game = game
    if untrusted and (not isinstance(who, str) or who.split(":")[0].strip() in BY_COMMAND):
        raise HansuError(f"{name_of(who)} cannot be isolated: name an untrusted agent by file")
    made.check(game)
    return LocalPlayer(made, name)


def is_deterministic(who: Contestant, game: Game) -> bool:
    """Whether an agent says of itself that it always plays the same game."""
    if not isinstance(who, str):
        return who.deterministic
    return not reference(who) and agent(who, game).deterministic


def name_of(who: Contestant) -> str:
    """How a contestant is called in tables."""
    if isinstance(who, str):
        return who
    return who.name if isinstance(who, Agent) else who.__name__
