"""Options as text: ``go:size=5,komi=0.5`` and ``mcts:n_simulations=500`` ⇄ frozen dataclasses."""

import contextlib
import functools
import numbers
import operator
import types
import typing
from collections.abc import Hashable, Iterable
from dataclasses import MISSING, dataclass, fields
from typing import Annotated, Any, TypeVar, Union

from hansu.errors import OptionError, UnknownName

T = TypeVar("T")


@dataclass(frozen=True)
class Range:
    """The numbers that an option allows, as part of its type."""

    least: int
    most: int
    unit: str = ""
    above: bool = False  # exclude ``least``

    def check(self, value: float, what: str) -> None:
        """Raise OptionError for a number outside the range."""
        if not self.least <= value <= self.most or (self.above and value == self.least):
            unit = f" {self.unit}" if self.unit else ""
            least = (
                f"more than {self.least}{unit} and at most" if self.above else f"{self.least} to"
            )
            raise OptionError(f"{what}: {value} is not {least} {self.most:,}{unit}")


Count = Annotated[int, Range(1, 10**9)]
Depth = Annotated[int, Range(1, 1000)]  # plies
Seconds = Annotated[float, Range(0, 10**6, "seconds", above=True)]
Threads = Annotated[int, Range(1, 256)]
Weight = Annotated[float, Range(0, 1000)]

_TRUE = {"on", "true", "yes", "1"}
_FALSE = {"off", "false", "no", "0"}


def split_options(text: str) -> tuple[str, dict[str, str]]:
    """Split ``name:key=value,...``.

    >>> split_options("go:size=5,komi=0.5")
    ('go', {'size': '5', 'komi': '0.5'})
    """
    name, _, rest = text.partition(":")
    parts = rest.split(",") if rest.strip() else []
    options = _pairs(text, parts, "colon")
    for key, value in options.items():
        if not value:
            raise OptionError(f"{text!r}: {key} has no value, {key}=... is expected")
    return name.strip(), options


def split_command(text: str) -> tuple[str, dict[str, str]]:
    """Split ``name:command;key=value;...``: the command may hold colons, commas and blanks.

    >>> split_command("uci:/opt/engine --log a:b;Skill Level=3;move_time=0.5")
    ('uci', {'command': '/opt/engine --log a:b', 'Skill Level': '3', 'move_time': '0.5'})
    """
    name, _, rest = text.partition(":")
    command, *parts = rest.split(";")
    given = _pairs(text, filter(str.strip, parts), "semicolon")
    if "command" in given:
        raise OptionError(f"{text!r}: the command stands before the first semicolon")
    return name.strip(), {"command": command.strip(), **given}


def _pairs(text: str, parts: Iterable[str], mark: str) -> dict[str, str]:
    """Return every ``key=value``, each key once."""
    options: dict[str, str] = {}
    for part in parts:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key:
            raise OptionError(f"{text!r}: expected key=value after the {mark}, found {part!r}")
        if key in options:
            raise OptionError(f"{text!r}: {key} is given twice")
        options[key] = value
    return options


def whole_number(value: Any, what: str, least: int | None = None, most: int | None = None) -> int:
    """Return the value as an int; raises OptionError if it is none, or out of bounds.

    >>> whole_number("x", "seed")
    Traceback (most recent call last):
    ...
    hansu.errors.OptionError: seed: 'x' is not a whole number
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise OptionError(f"{what}: {value!r} is not a whole number")
    if least is not None and number < least:
        raise OptionError(f"{what} is at least {least}, not {number}")
    if most is not None and number > most:
        raise OptionError(f"{what} is at most {most:,}, not {number}")
    return number


def check_callables(**given: Any) -> None:
    """Raise OptionError for an argument that is no function.

    >>> check_callables(progress=3)
    Traceback (most recent call last):
    ...
    hansu.errors.OptionError: progress: 3 is not a function
    """
    for name, value in given.items():
        if not callable(value):
            raise OptionError(f"{name}: {value!r} is not a function")


def make_options(kind: type[T], owner: str, given: dict[str, Any]) -> T:
    """Make a dataclass from keywords or texts; the error for an unknown option lists the known.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Mcts:
    ...     n_simulations: int = 100
    ...     resign: bool = False
    >>> make_options(Mcts, "mcts", {"n_simulations": "500", "resign": "on"})
    Mcts(n_simulations=500, resign=True)
    """
    known = _option_types(typing.cast(Hashable, kind))
    values = {}
    for name, value in given.items():
        if name not in known:
            raise UnknownName(f"{owner} option", name, known)
        values[name] = _fit(value, known[name], f"{owner} option {name}")
    return kind(**values)


@functools.cache
def _option_types(kind: Hashable) -> dict[str, Any]:
    """Return the options of a dataclass and their types; cached for files of many games."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in fields(kind)}  # type: ignore[arg-type]


def option_text(options: Any) -> str:
    """Return the options that differ from their defaults, as ``key=value,...``."""
    return ",".join(
        f"{field.name}={value_text(value)}"
        for field in fields(options)
        if field.default is MISSING or (value := getattr(options, field.name)) != field.default
    )


def value_text(value: Any) -> str:
    """Return an option's value as text, which ``make_options`` reads back."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value is None else str(value)


def _fit(value: Any, wanted: Any, what: str) -> Any:
    """Return the value as the wanted type; texts are parsed, other types must fit."""
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
    if typing.get_origin(wanted) is Annotated:
        wanted, *rules = typing.get_args(wanted)
        number = _fit(value, wanted, what)
        for rule in rules:
            rule.check(number, what)
        return number
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
    if wanted in (int, float) and isinstance(value, str | numbers.Real):
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
