"""Options as text: ``go:size=5,komi=0.5`` and ``mcts:n_simulations=500`` ⇄ frozen dataclasses."""

import contextlib
import types
import typing
from dataclasses import MISSING, fields
from typing import Any, TypeVar, Union

from hansu.errors import OptionError, UnknownName

T = TypeVar("T")

_TRUE = {"on", "true", "yes", "1"}
_FALSE = {"off", "false", "no", "0"}


def split_options(text: str) -> tuple[str, dict[str, str]]:
    """Take ``name:key=value,...`` apart.

    >>> split_options("go:size=5,komi=0.5")
    ('go', {'size': '5', 'komi': '0.5'})
    """
    name, _, rest = text.partition(":")
    options = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise OptionError(f"{text!r}: expected key=value after the colon, found {part!r}")
        options[key.strip()] = value.strip()
    return name.strip(), options


def split_command(text: str) -> tuple[str, dict[str, str]]:
    """Take ``name:command;key=value;...`` apart: the command may hold colons, commas and blanks.

    >>> split_command("uci:/opt/engine --log a:b;Skill Level=3;move_time=0.5")
    ('uci', {'command': '/opt/engine --log a:b', 'Skill Level': '3', 'move_time': '0.5'})
    """
    name, _, rest = text.partition(":")
    command, *parts = rest.split(";")
    options = {"command": command.strip()}
    for part in filter(None, map(str.strip, parts)):
        key, equals, value = part.partition("=")
        if not equals:
            raise OptionError(f"{text!r}: expected key=value after the semicolon, found {part!r}")
        options[key.strip()] = value.strip()
    return name.strip(), options


def make_options(kind: type[T], owner: str, given: dict[str, Any]) -> T:
    """Fill a dataclass from keywords or texts; an unknown option lists the known ones.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Mcts:
    ...     n_simulations: int = 100
    ...     resign: bool = False
    >>> make_options(Mcts, "mcts", {"n_simulations": "500", "resign": "on"})
    Mcts(n_simulations=500, resign=True)
    """
    hints = typing.get_type_hints(kind)
    known = {field.name: hints[field.name] for field in fields(kind)}  # type: ignore[arg-type]
    values = {}
    for name, value in given.items():
        if name not in known:
            raise UnknownName(f"{owner} option", name, known)
        values[name] = _fit(value, known[name], f"{owner} option {name}")
    return kind(**values)


def option_text(options: Any) -> str:
    """The options that differ from their defaults, as ``key=value,...``."""
    return ",".join(
        f"{field.name}={value_text(value)}"
        for field in fields(options)
        if field.default is MISSING or (value := getattr(options, field.name)) != field.default
    )


def value_text(value: Any) -> str:
    """An option's value as text, which ``make_options`` reads back."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value is None else str(value)


def _fit(value: Any, wanted: Any, what: str) -> Any:
    """The value as the wanted type; texts are read, other types must already fit."""
    if typing.get_origin(wanted) in (Union, types.UnionType):
        choices = typing.get_args(wanted)
        if value is None or (isinstance(value, str) and value.lower() == "none"):
            if type(None) in choices:
                return None
            raise OptionError(f"{what}: none is not allowed")
        *others, wanted = (choice for choice in choices if choice is not type(None))
        for choice in others:
            with contextlib.suppress(OptionError):
                return _fit(value, choice, what)
    if typing.get_origin(wanted) is typing.Literal:
        allowed = typing.get_args(wanted)
        if value not in allowed:
            raise OptionError(f"{what}: {value!r} is not one of {', '.join(map(str, allowed))}")
        return value
    if wanted is bool and isinstance(value, str):
        if value.lower() in _TRUE | _FALSE:
            return value.lower() in _TRUE
        raise OptionError(f"{what}: {value!r} is neither on nor off")
    if isinstance(value, bool) and wanted is not bool:
        raise OptionError(f"{what}: {value!r} is not {_described(wanted)}")
    if wanted in (int, float) and isinstance(value, str | int | float):
        try:
            number = float(value)
            if wanted is float and number - number == 0:  # neither infinite nor NaN
                return number
            if wanted is int and number == int(number):
                return int(number)
        except (ValueError, OverflowError):
            pass
    elif isinstance(value, typing.get_origin(wanted) or wanted):
        return value
    raise OptionError(f"{what}: {value!r} is not {_described(wanted)}")


def _described(wanted: Any) -> str:
    return {int: "a whole number", float: "a number", bool: "on or off", str: "a text"}.get(
        wanted, f"a {wanted}"
    )
