"""From what a user names (a contestant) to a player that the referee can ask."""

from typing import Any

from hansu.agents.agent import Agent
from hansu.agents.loading import make_agent, reference
from hansu.agents.registry import BY_COMMAND, agent
from hansu.agents.search_agent import SearchAgent
from hansu.arena.isolation.player import IsolatedPlayer
from hansu.arena.player import Fault, LocalPlayer, Player, crash_evidence
from hansu.errors import HansuError
from hansu.games.game import WHITE, Game
from hansu.games.state import State
from hansu.protocols.program import EngineFailure

Contestant = str | type[Agent] | Agent


def seat(who: Contestant, game: Game, untrusted: bool = False) -> Player:
    """Return the player that a contestant names.

    Built-in agents and classes play in this process. A file or dotted path is isolated where the
    machine can; ``untrusted`` refuses otherwise.
    """
    name = name_of(who)
    if isinstance(who, str) and reference(who):
        return IsolatedPlayer(who, game, require_isolation=untrusted)
    if untrusted and (not isinstance(who, str) or who.split(":")[0].strip() in BY_COMMAND):
        raise HansuError(f"{name} cannot be isolated: name an untrusted agent by file")
    if isinstance(who, str):
        made = agent(who, game)
    else:
        made = who if isinstance(who, Agent) else _made(who)
        made.game = game
    return LocalPlayer(made, name if isinstance(who, str) else "")


def _made(kind: type[Agent]) -> Agent:
    try:
        return make_agent(kind, kind.__name__, WHITE, {})
    except HansuError:
        raise
    except (Exception, SystemExit) as error:
        raise HansuError(f"{kind.__name__} cannot play: {crash_evidence(error)}") from error


def check_player(player: Player, who: Contestant, start: State, color: bool) -> None:
    """Raise HansuError for a player that cannot play at all, before it counts as lost games.

    An isolated process loads its agent; an engine resets for a game, which reports unknown options
    (a search has done so by now, and its threads would not survive a fork). All other errors show
    in the games.
    """
    try:
        if isinstance(player, IsolatedPlayer):
            player.load(color)
        elif isinstance(who, str) and not isinstance(getattr(player, "agent", None), SearchAgent):
            player.reset(color, start.copy(), seed=0)
            player.end_game()
    except Fault as fault:
        cause = fault.__cause__
        if isinstance(cause, HansuError) and not isinstance(cause, EngineFailure):
            raise cause from None


def is_deterministic(who: Contestant, game: Game) -> bool:
    """Return whether an agent declares that it always plays the same game."""
    if not isinstance(who, str):
        return who.deterministic
    return not reference(who) and agent(who, game).deterministic


def name_of(who: Any) -> str:
    """Return a contestant's name in tables; raises HansuError for anything else."""
    if isinstance(who, str):
        return who
    if isinstance(who, Agent):
        return who.name
    if isinstance(who, type) and issubclass(who, Agent):
        return who.__name__
    raise HansuError(
        f"{who!r} is not an agent: a name such as 'mcts', a file or a subclass of hansu.Agent "
        "is expected"
    )
