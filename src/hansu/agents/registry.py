"""The table of agents, and making one from its name."""

import importlib
from collections.abc import Container
from dataclasses import fields
from typing import cast

from hansu.agents.agent import Agent
from hansu.agents.loading import find_class, make_agent, reference
from hansu.errors import HansuError, UnknownName
from hansu.games.game import GAMES, WHITE, Game, check_color, game
from hansu.options import split_command, split_options, whole_number

AGENTS = {
    "random": "hansu.agents.random:RandomAgent",
    "first_move": "hansu.agents.first_move:FirstMove",
    "malfunction": "hansu.agents.malfunction:Malfunction",
    "human": "hansu.agents.human:Human",
    "one_step_search": "hansu.agents.one_step_search:OneStepSearch",
    "two_step_search": "hansu.agents.two_step_search:TwoStepSearch",
    "greedy": "hansu.agents.two_step_search:TwoStepSearch",
    "winning_moves": "hansu.agents.winning_moves:WinningMoves",
    "minimax": "hansu.agents.minimax:Minimax",
    "negamax": "hansu.agents.negamax:Negamax",
    "abp_negamax": "hansu.agents.abp_negamax:AbpNegamax",
    "brute": "hansu.agents.brute:Brute",
    "pure_mc": "hansu.agents.pure_mc:PureMc",
    "mcts": "hansu.agents.mcts:MctsAgent",
    "mcts_dev": "hansu.agents.mcts:MctsDev",
    "mcts_memory": "hansu.agents.mcts_memory:MctsMemory",
    "self_learning": "hansu.agents.self_learning:SelfLearning",
    "record_learning": "hansu.agents.record_learning:RecordLearning",
    "perfect": "hansu.agents.perfect:Perfect",
    "engine": "hansu.agents.engine:Engine",
    "stockfish": "hansu.protocols.uci_agents:Stockfish",
    "fairy_stockfish": "hansu.protocols.uci_agents:FairyStockfish",
    "gnugo": "hansu.protocols.gtp_agents:GnuGo",
    "grhino": "hansu.protocols.gtp_agents:Grhino",
    "uci": "hansu.protocols.uci_agents:AnyUci",
    "gtp": "hansu.protocols.gtp_agents:AnyGtp",
    "lines": "hansu.protocols.lines_agent:AnyLines",
    "openspiel": "hansu.bridges.openspiel:OpenSpielAgent",
}
"""Short name -> module:class."""

RESIGN_OPTION = "resign"  # lets an agent give up a lost game
BY_COMMAND = ("uci", "gtp", "lines")  # followed by a command instead of options


def agent(
    which: str | Game, text: str | Game, color: bool = WHITE, seed: int | None = None
) -> Agent:
    """Make an agent for a game by its name, file or dotted path, with options after a colon.

    The agent may be named before the game as well. A file is imported into this process: for code
    of your own. The arena isolates files.

    >>> import hansu
    >>> player = hansu.agent("connect4", "random", seed=1)
    >>> player.act(hansu.game("connect4").start()) in range(1, 8)
    True
    """
    if _names_agent_first(which, text):
        which, text = text, which
    if not isinstance(text, str):
        raise HansuError(f"{text!r} is not an agent's name: a text such as 'mcts' is expected")
    check_color(color)
    if seed is not None:
        seed = whole_number(seed, "seed")
    chosen, own = game(which), reference(text)
    if own and own.is_program:
        programs = importlib.import_module("hansu.protocols.manifest")  # a layer above this one
        made = cast(Agent, programs.program_agent(programs.find_program_at(own), text, color))
        made.game = chosen
    elif own:
        made = make_agent(find_class(own), text, color, own.options)
        made.game = chosen
    else:
        made = named_agent(text, chosen, color)
    made.check(chosen)
    made.rng.seed(seed)
    return made


def _names_agent_first(first: object, second: object) -> bool:
    """Return whether an agent is named before its game."""

    def is_in(value: object, table: Container[str]) -> bool:
        return isinstance(value, str) and value.partition(":")[0].strip() in table

    return isinstance(second, Game) or is_in(second, GAMES) or is_in(first, AGENTS)


def named_agent(text: str, which: str | Game, color: bool = WHITE) -> Agent:
    """Make an agent of the table by its name; nothing else is ever imported."""
    chosen = game(which)
    by_command = text.partition(":")[0].strip() in BY_COMMAND
    name, options = split_command(text) if by_command else split_options(text)
    if name not in AGENTS:
        raise UnknownName("agent", name, AGENTS)
    made = class_of(name)(name, color, **options)
    made.game = chosen
    return made


def against_people(text: str) -> str:
    """Return an agent as it plays people: it resigns lost games unless told otherwise.

    >>> against_people("mcts:search_time=2"), against_people("mcts:resign=off")
    ('mcts:search_time=2,resign=on', 'mcts:resign=off')
    >>> against_people("random"), against_people("./my_agent.py")
    ('random', './my_agent.py')
    """
    name = text.partition(":")[0].strip()
    if name not in AGENTS or name in BY_COMMAND:
        return text
    options = split_options(text)[1]
    known = {field.name for field in fields(class_of(name).Options)}
    if RESIGN_OPTION in options or RESIGN_OPTION not in known:
        return text
    return f"{text}{',' if options else ':'}{RESIGN_OPTION}=on"


def class_of(name: str) -> type[Agent]:
    """Return the class behind an agent's short name."""
    module, kind = AGENTS[name].split(":")
    found: type[Agent] = getattr(importlib.import_module(module), kind)
    return found
