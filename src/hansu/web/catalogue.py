"""What the page offers: the games with their rules, the agents with their options.

Visitors choose agents of the table by name, never a path or a command, and no option of free text,
which could name a file. Only the organiser who starts the server may do so.
"""

import functools
import typing
from collections.abc import Collection
from dataclasses import fields
from pathlib import Path
from typing import Any

from hansu.agents.agent import Agent
from hansu.agents.levels import levels
from hansu.agents.registry import AGENTS, BY_COMMAND, class_of, named_agent
from hansu.errors import HansuError, OptionError, UnknownName
from hansu.games.game import COLOR_NAMES, GAMES, Game, game
from hansu.kernel.gpu import has_card
from hansu.options import make_options, value_text
from hansu.web.messages import AgentChoice, Options

LADDER = (
    *("first_move", "random", "one_step_search", "two_step_search", "winning_moves", "minimax"),
    *("negamax", "abp_negamax", "brute", "pure_mc", "mcts_dev", "stockfish", "mcts"),
    *("record_learning", "grhino", "gnugo", "fairy_stockfish", "self_learning", "engine"),
)
"""From the weakest to the strongest: as measured where that has been done (docs/design/page.md)."""

NOT_OFFERED = {
    *("human", "greedy", "malfunction"),  # you, another name of two_step_search, and one that fails
    *(*BY_COMMAND, "openspiel"),  # would run whatever they are told to
    "mcts_memory",  # keeps a file that visitors would share
}

MOST_TIMES = 100  # the default: the most an option may be, so that no agent thinks without end


def offered() -> list[str]:
    """Return the agents of the page, weakest first; new ones come last."""
    rest = [name for name in AGENTS if name not in LADDER and name not in NOT_OFFERED]
    return [*LADDER, *rest]


@functools.cache
def catalogue() -> dict[str, Any]:
    """Return everything the page lets people choose from."""
    made = [game(name) for name in GAMES]
    return {
        "games": [_game_facts(each) for each in made],
        "agents": [_agent_facts(name, made) for name in offered()],
    }


def _game_facts(each: Game) -> dict[str, Any]:
    return {
        "name": each.name,
        "title": each.title,
        "first": COLOR_NAMES[each.first_color],
        "rules": [_option_facts(each.Options, field) for field in fields(each.Options)],
        "passes": each.has_pass,
        "agrees": each.counts_dead_stones,  # after two passes
        "formats": ["jsonl", *each.formats],
        "levels": levels(each),  # of the agent ``engine``
        "pieces": [name for name, _ in each.pieces],
    }


def _agent_facts(name: str, games: list[Game]) -> dict[str, Any]:
    plays = [each for each in games if _can_play(name, each)]
    usual = {each.name: named_agent(name, each).options for each in plays}
    options = _options(class_of(name))
    for option in options:
        there = {game: getattr(chosen, option["name"]) for game, chosen in usual.items()}
        option["defaults"] = {g: v for g, v in there.items() if v != option["default"]}
    return {"name": name, "plays": [each.name for each in plays], "options": options}


@functools.cache
def _allowed(agent: str) -> list[str]:
    """Return the names of an agent's options that the page may set."""
    return [option["name"] for option in _options(class_of(agent))]


def _options(kind: type[Agent]) -> list[dict[str, Any]]:
    """Return the options that the page may set."""
    facts = [_option_facts(kind.Options, field) for field in fields(kind.Options)]
    own = _of_the_server()
    return [option for option in facts if option["kind"] != "text" and option["name"] not in own]


@functools.cache
def _of_the_server() -> set[str]:
    """Return the options that visitors may not choose: the device where there is only one."""
    return {"memory", "threads"} if has_card() else {"memory", "threads", "device"}


def _can_play(name: str, which: Game) -> bool:
    """Return whether an agent knows the game and is installed."""
    try:
        named_agent(name, which).check(which)
    except HansuError:
        return False
    return True


def _option_facts(owner: Any, field: Any) -> dict[str, Any]:
    """Return an option as the page shows it: its kind, default and choices."""
    wanted = typing.get_type_hints(owner)[field.name]
    choices = typing.get_args(wanted)
    kind = "text"
    if typing.get_origin(wanted) is typing.Literal:
        kind = "choice"
    elif wanted is bool:
        kind, choices = "switch", ()
    elif {wanted, *choices} & {int, float}:
        kind, choices = "number", ()
    default = field.default
    return {
        "name": field.name,
        "kind": kind,
        "default": default,
        "choices": [c for c in choices if isinstance(c, str)],
    }


def chosen_game(name: str, rules: Options) -> Game:
    """Return a game of the table; a game by its class would run code."""
    if name not in GAMES:
        raise UnknownName("game", name, GAMES)
    return game(name, **rules)


def contestant(choice: AgentChoice, folder: Path | None = None, named: Collection[str] = ()) -> str:
    """Return an agent that the page may use, as the arena takes it; raises HansuError.

    >>> contestant(AgentChoice(agent="mcts", options={"search_time": 2}))
    'mcts:search_time=2.0'
    """
    if choice.agent in named:
        return choice.agent
    if choice.agent in own_agents(folder):
        assert folder is not None
        if choice.options:
            raise OptionError(f"{choice.agent} takes no options here")
        return str(folder / choice.agent)
    if choice.agent not in offered():
        raise UnknownName("agent", choice.agent[:64], offered())
    kind = class_of(choice.agent)
    allowed = _allowed(choice.agent)
    for name in choice.options:
        if name not in allowed:
            raise UnknownName(f"{choice.agent} option", name, allowed)
    made = make_options(kind.Options, choice.agent, choice.options)
    usual: Any = kind.Options()
    for name, value in vars(made).items():
        if isinstance(value, int | float):
            most = MOST_TIMES * (getattr(usual, name) or 1)
            if not 0 <= value <= most:
                raise OptionError(f"{choice.agent} option {name}: {value} is not 0 to {most:,}")
    # What was chosen is said even where it is the usual value: a game may have another.
    texts = [f"{name}={value_text(getattr(made, name))}" for name in choice.options]
    return f"{choice.agent}:{','.join(texts)}" if texts else choice.agent


def own_agents(folder: Path | None) -> list[str]:
    """Return the agents in the organiser's folder; each plays isolated."""
    return sorted(file.name for file in folder.glob("*.py")) if folder else []
