"""Who sits where: from what a user names to a player the referee can ask."""

from hansu.agents.agent import Agent
from hansu.agents.registry import agent
from hansu.arena.player import LocalPlayer, Player
from hansu.games.game import WHITE, Game

Contestant = str | type[Agent] | Agent


def seat(who: Contestant, game: Game) -> Player:
    """A built-in agent or a class handed over in Python plays in this process."""
    if isinstance(who, str):
        made, name = agent(who, game), who
    else:
        made, name = who if isinstance(who, Agent) else who(who.__name__, WHITE), ""
        made.game = game
    made.check(game)
    return LocalPlayer(made, name)


def is_deterministic(who: Contestant) -> bool:
    """Whether an agent says of itself that it always plays the same game."""
    made = agent(who, "tictactoe") if isinstance(who, str) else who
    return made.deterministic


def name_of(who: Contestant) -> str:
    """How a contestant is called in tables."""
    if isinstance(who, str):
        return who
    return who.name if isinstance(who, Agent) else who.__name__
