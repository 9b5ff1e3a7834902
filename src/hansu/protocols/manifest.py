"""Programs of any language as agents: an executable, or a folder whose ``agent.toml`` starts one.

    command = ["./engine", "--threads", "1"]
    protocol = "uci"        # or "gtp", or "lines", our own

    [options]               # UCI options, if it is a UCI engine
    Hash = 64

An executable alone speaks our protocol of lines.
"""

import functools
import os
import shlex
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hansu.agents.loading import Reference
from hansu.agents.registry import BY_COMMAND, class_of
from hansu.errors import HansuError
from hansu.games.game import WHITE
from hansu.options import split_command as split_text
from hansu.protocols.engine_agent import EngineAgent
from hansu.protocols.pipe import EnginePipe
from hansu.protocols.program import find_program, split_command
from hansu.toml_text import parse_toml

MANIFEST = "agent.toml"
LARGEST = 1 << 16  # bytes of a manifest
ALONE = "lines"  # what an executable without a manifest speaks
OPTIONS = {"move_time": "none"}  # a program that somebody sends in minds its own clock


@dataclass(frozen=True)
class Program:
    """How to run a program, and what it understands."""

    own: Path  # its file, or the folder with all that is its own
    command: tuple[str, ...]  # as it is run in that folder, or in that of its file
    protocol: str
    options: dict[str, Any]

    @property
    def folder(self) -> Path:
        """Where it is run."""
        return self.own if self.own.is_dir() else self.own.parent


def find_program_at(where: Reference) -> Program:
    """Return the program at a path: a folder, its manifest or an executable. Raises HansuError."""
    path = Path(where.place).absolute()
    if path.name == MANIFEST:
        path = path.parent
    if path.is_dir():
        found = read_manifest(path)
        return Program(found.own, found.command, found.protocol, found.options | where.options)
    if not path.is_file():
        raise HansuError(
            f"there is no program {where.place}: an executable, or a folder with {MANIFEST}, is "
            "expected, or a Python file that ends in .py"
        )
    if not is_executable(_beginning(path)) and not os.access(path, os.X_OK):
        raise HansuError(f"{where.place} is neither a Python file (.py) nor a program that can run")
    return Program(path, (f"./{path.name}",), ALONE, {**OPTIONS, **where.options})


def program_by_command(text: str) -> Program:
    """Return the program that ``uci:COMMAND``, ``gtp:COMMAND`` or ``lines:COMMAND`` names."""
    protocol, options = split_text(text)
    first, *rest = split_command(str(options.pop("command")))
    file = Path(find_program(first)).resolve()
    return Program(file, (str(file), *rest), protocol, options)


def read_manifest(folder: Path) -> Program:
    """Return the program of a folder; raises HansuError that says what is wrong where."""
    file = folder / MANIFEST
    try:
        content, own = _beginning(file), os.listdir(folder)
    except FileNotFoundError:
        raise HansuError(f"{folder} holds no {MANIFEST}: it says how to start a program") from None
    except OSError as error:
        raise HansuError(f"{file} cannot be read: {error.strerror}") from None
    command, protocol, options = parse_manifest(content, own)
    return Program(folder, command, protocol, options)


def parse_manifest(
    content: bytes, own: Container[str] = ()
) -> tuple[tuple[str, ...], str, dict[str, str]]:
    """Return the command, the protocol and the options of a manifest; raises HansuError.

    ``own`` are the files beside it, which a command may name without ``./``.
    """
    try:
        facts = parse_toml(content.decode())
    except ValueError as error:
        raise HansuError(f"{MANIFEST} cannot be read: {error}") from None
    unknown = facts.keys() - {"command", "protocol", "options"}
    if unknown:
        raise HansuError(
            f"{MANIFEST} has an unknown {min(unknown)!r}: command, protocol and options are known"
        )
    command, protocol = facts.get("command"), facts.get("protocol")
    words = command if isinstance(command, list) else []
    is_text = all(isinstance(word, str) and "\0" not in word for word in words)
    if not words or not is_text or not words[0]:
        raise HansuError(f'{MANIFEST} needs a command, a list such as ["./engine", "--fast"]')
    if protocol not in BY_COMMAND:
        raise HansuError(f"{MANIFEST} needs a protocol, one of {', '.join(BY_COMMAND)}")
    options = facts.get("options", {})
    if not isinstance(options, dict) or any(isinstance(v, dict | list) for v in options.values()):
        raise HansuError(f"{MANIFEST} has options that are no table of single values")
    first = f"./{words[0]}" if words[0] in own else words[0]
    given = {name: _text(value) for name, value in options.items()}
    return (first, *words[1:]), protocol, {**OPTIONS, **given}


def program_agent(program: Program, name: str, color: bool = WHITE) -> EngineAgent:
    """Return the agent that asks a program, run as a process of ours in its folder."""
    first, *rest = program.command
    if "/" in first:
        first = os.path.normpath(program.folder / first)
    made = class_of(program.protocol)(
        name, color, command=shlex.join([first, *rest]), **program.options
    )
    assert isinstance(made, EngineAgent)
    made.hears_clock = True
    made.run = functools.partial(EnginePipe, folder=str(program.folder))
    return made


def is_executable(content: bytes) -> bool:
    """Return whether a file begins as what Linux can run: a program, or a script with ``#!``.

    >>> is_executable(b"#!/bin/sh"), is_executable(b"print(1)")
    (True, False)
    """
    return content.startswith((b"\x7fELF", b"#!"))


def _beginning(file: Path) -> bytes:
    if file.exists() and not file.is_file():  # reading a pipe or a device need not end
        raise HansuError(f"{file} is no file")
    with file.open("rb") as opened:
        return opened.read(LARGEST)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)  # as UCI writes them
