"""Load agents by file or dotted path: ``./my_agent.py:MyAgent:depth=3``.

A path that is no Python file is a program of any language: see ``hansu.protocols.manifest``.
"""

import importlib.util
import inspect
import os
import re
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from hansu.agents.agent import Agent
from hansu.errors import HansuError, OptionError
from hansu.importing import import_file, import_named
from hansu.options import split_options

_FILE = re.compile(r"(?P<place>(?:[A-Za-z]:)?[^:]+\.py)(?::(?P<rest>.*))?", re.DOTALL)
_SEPARATORS = re.escape(f"/{os.sep}")
_PATH = re.compile(
    rf"(?P<place>(?:[A-Za-z]:)?[^:]*[{_SEPARATORS}][^:]*)(?::(?P<rest>.*))?", re.DOTALL
)
_DOTTED = re.compile(r"(?P<place>[^\W\d]\w*(?:\.[^\W\d]\w*)+)(?::(?P<rest>.*))?", re.DOTALL)


@dataclass(frozen=True)
class Reference:
    """Where an agent's class, or a program, is to be found, and its options."""

    place: str  # a file, a dotted path; for a program a folder, its manifest or an executable
    kind: str  # the class in that file; empty: the only one there
    options: dict[str, str]

    @property
    def is_file(self) -> bool:
        """Whether the place is a file."""
        return self.place.endswith(".py")

    @property
    def is_program(self) -> bool:
        """Whether it is a program of any language."""
        return not self.is_file and _PATH.fullmatch(self.place) is not None


def reference(text: str) -> Reference | None:
    """Take a file, a dotted path or a program's path apart; None if the text is none of these.

    >>> reference("./my_agent.py:MyAgent:depth=3")
    Reference(place='./my_agent.py', kind='MyAgent', options={'depth': '3'})
    >>> reference("my_pkg.my_mod.MyAgent:depth=3").options
    {'depth': '3'}
    >>> reference("mcts:search_time=0.5") is None
    True
    """
    stripped = text.strip()
    found = _FILE.fullmatch(stripped) or _DOTTED.fullmatch(stripped)
    if found is None and (found := _PATH.fullmatch(stripped)) is not None:
        return Reference(found["place"], "", split_options(f":{found['rest'] or ''}")[1])
    if found is None:
        return None
    kind, colon, rest = (found["rest"] or "").partition(":")
    if "=" in kind:  # no class: options follow the place at once
        kind, colon, rest = "", ":", found["rest"]
    return Reference(found["place"], kind.strip(), split_options(f":{rest}" if colon else "")[1])


def find_class(where: Reference) -> type[Agent]:
    """Import the module and find the agent's class in it; never guess between several."""
    if where.is_file:
        return _pick(import_file(Path(where.place)), where.kind, where.place)
    module_name, _, last = where.place.rpartition(".")
    if where.kind or _is_module(where.place):
        return _pick(import_named(where.place), where.kind, where.place)
    return _pick(import_named(module_name), last, module_name)


def make_agent(kind: type[Agent], name: str, color: bool, options: dict[str, str]) -> Agent:
    """Make an agent; its class may have an ``__init__`` that takes only name and colour."""
    try:
        inspect.signature(kind).bind(name, color, **options)
    except TypeError as error:
        given = f" and the options {', '.join(options)}" if options else ""
        raise OptionError(
            f"{kind.__name__} cannot be made with name, color{given}: {error}"
        ) from None
    made = kind(name, color, **options)
    if "rng" not in vars(made):  # its __init__ did not call Agent.__init__
        own = dict(vars(made))
        Agent.__init__(made, name, color)
        vars(made).update(own)
    return made


def _is_module(dotted: str) -> bool:
    """Return whether a dotted path names a module rather than something in it."""
    parent, _, last = dotted.rpartition(".")
    path = getattr(import_named(parent), "__path__", None)
    return path is not None and importlib.util.find_spec(f"{parent}.{last}") is not None


def _pick(module: ModuleType, wanted: str, place: str) -> type[Agent]:
    """Return the class asked for, or the only agent that the module itself defines."""
    if wanted:
        kind: Any = getattr(module, wanted, None)
        if isinstance(kind, type) and issubclass(kind, Agent):
            return kind
        what = "is not a subclass of hansu.Agent" if hasattr(module, wanted) else "is not there"
        raise HansuError(f"{place}: {wanted} {what}; {_listed(module)}")
    own = _agents(module)
    if len(own) == 1:
        return own[0]
    if not own:
        raise HansuError(f"{place}: {_listed(module)}; write a subclass of hansu.Agent")
    raise HansuError(f"{place}: {_listed(module)}; choose one: {place}:{own[0].__name__}")


def _agents(module: ModuleType) -> list[type[Agent]]:
    found = [v for v in vars(module).values() if isinstance(v, type) and issubclass(v, Agent)]
    return [kind for kind in dict.fromkeys(found) if kind.__module__ == module.__name__]


def _listed(module: ModuleType) -> str:
    names = [kind.__name__ for kind in _agents(module)]
    return f"it defines the agents {', '.join(names)}" if names else "it defines no agent"
