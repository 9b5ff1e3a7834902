"""From what a user names (a contestant) to a player that the referee can ask.


An agent of a file or dotted path is loaded here and nowhere else. It is isolated, or refused with a
sentence, unless the user insists (``Isolation``); nothing of it is ever imported to look at it.
"""

import os
from typing import Any, Literal, get_args

from hansu.agents.agent import Agent
from hansu.agents.loading import make_agent, reference
from hansu.agents.registry import BY_COMMAND, agent, named_agent
from hansu.agents.search_agent import SearchAgent
from hansu.arena.isolated_agent import IsolatedAgent
from hansu.arena.isolation.launch import IsolationError
from hansu.arena.isolation.limits import SandboxLimits
from hansu.arena.isolation.player import IsolatedPlayer
from hansu.arena.isolation.program_player import ProgramPlayer
from hansu.arena.isolation.sandboxed_player import SandboxedPlayer
from hansu.arena.player import Fault, LocalPlayer, Player, crash_evidence
from hansu.errors import HansuError, OptionError
from hansu.games.game import WHITE, Game
from hansu.games.state import State
from hansu.protocols.manifest import find_program_at, program_by_command
from hansu.protocols.program import EngineFailure
from hansu.terminal_text import one_line

Contestant = str | type[Agent] | Agent

Isolation = Literal["required", "process", "trusted"]
"""How agents of files run: isolated or refused; as plain processes; in this process."""


def seat(
    who: Contestant,
    game: Game,
    untrusted: bool = False,
    isolation: Isolation = "required",
    limits: SandboxLimits = SandboxLimits(),  # noqa: B008 - frozen
) -> Player:
    """Return a player. Built-in agents and classes handed over in Python play in this process.

    ``untrusted`` also isolates engines by their command, and refuses what cannot be isolated at
    all: classes.
    """
    name = name_of(who)
    check_isolation(isolation, untrusted)
    if isinstance(who, str) and isolation != "trusted":
        apart = isolated_player(who, game, name, untrusted, isolation == "required", limits)
        if apart is not None:
            return apart
    if untrusted and not isinstance(who, str):
        raise HansuError(f"{name} cannot be isolated: name an untrusted agent by file")
    if isinstance(who, str):
        made = agent(game, who)
    else:
        made = who if isinstance(who, Agent) else _made(who)
        made.game = game
    return LocalPlayer(made, name if isinstance(who, str) else "")


def isolated_player(
    who: str,
    game: Game,
    name: str,
    untrusted: bool = False,
    required: bool = True,
    limits: SandboxLimits = SandboxLimits(),  # noqa: B008 - frozen
) -> SandboxedPlayer | None:
    """Return a player in a process of its own; None for an agent that is trusted."""
    own = reference(who)
    if own is not None and not own.is_program:
        return IsolatedPlayer(who, game, name=name, limits=limits, require_isolation=required)
    if own is not None:
        program = find_program_at(own)
    elif untrusted and who.partition(":")[0].strip() in BY_COMMAND:
        program = program_by_command(who)
    else:
        return None
    return ProgramPlayer(program, game, name=name, limits=limits, require_isolation=required)


def load_agent(who: str, game: Game, isolation: Isolation = "required") -> Agent:
    """Return an agent to ask for moves; one of a file thinks in a process of its own."""
    check_isolation(isolation)
    if not reference(who):
        return named_agent(who, game)
    if isolation == "trusted":
        return agent(game, who)
    player = isolated_player(who, game, name_of(who), required=isolation == "required")
    assert player is not None
    return IsolatedAgent(player, game)


def check_isolation(isolation: object, untrusted: bool = False) -> None:
    """Raise OptionError for what is not a way to run agents of files, or untrusted ones."""
    if untrusted and isolation != "required":
        raise OptionError("untrusted agents play isolated: leave out --no-isolation and --trust")
    if isolation not in get_args(Isolation):
        known = ", ".join(get_args(Isolation))
        raise OptionError(f"isolation {isolation!r} is not one of {known}")


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
        if isinstance(player, SandboxedPlayer):
            player.load(color)
        elif isinstance(who, str) and not isinstance(getattr(player, "agent", None), SearchAgent):
            player.reset(color, start.copy(), seed=0)
            player.end_game()
    except Fault as fault:
        cause = fault.__cause__
        if isinstance(cause, HansuError) and not isinstance(cause, EngineFailure):
            raise cause from None


def is_submission(who: Contestant, error: Exception, seated: bool) -> bool:
    """Whether an error is about code that is there, rather than about a name or the machine."""
    own = reference(who) if isinstance(who, str) else None
    if own is None or isinstance(error, IsolationError):
        return False
    if seated or not (own.is_file or own.is_program):
        return seated
    try:
        os.lstat(own.place)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:  # such as a folder that nobody may look into
        return True
    return True


def is_deterministic(who: Contestant, game: Game) -> bool:
    """Return whether an agent declares that it always plays the same game."""
    if not isinstance(who, str):
        return who.deterministic
    return not reference(who) and named_agent(who, game).deterministic


def name_of(who: Any) -> str:
    """Return a contestant's name in tables; raises HansuError for anything else."""
    if isinstance(who, str):
        return one_line(who)
    if isinstance(who, Agent):
        return one_line(who.name)
    if isinstance(who, type) and issubclass(who, Agent):
        return who.__name__
    raise HansuError(
        f"{who!r} is not an agent: a name such as 'mcts', a file or a subclass of hansu.Agent "
        "is expected"
    )
