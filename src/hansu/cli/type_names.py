"""The types of arguments and options in plain words, for the help."""

from pathlib import Path
from typing import Any

PLAIN = {int: "number", float: "number", str: "text", Path: "file", bool: ""}


def name_types(command: Any) -> Any:
    """Give every parameter of a command, and of those below it, a plain type; return it."""
    for below in getattr(command, "commands", {}).values():
        name_types(below)
    own_help = command.get_help_option

    def plain_help(ctx: Any) -> Any:
        """Return ``--help``, which is made anew each time, as a switch like the others."""
        found = own_help(ctx)
        if found is not None:
            found.display_type_rich = lambda ctx: ""
        return found

    command.get_help_option = plain_help
    for param in command.params:
        shown = _plain(param)
        if param.param_type_name == "argument":
            param.metavar = (param.metavar or param.name).upper()
            shown = ""  # the name says it
        param.display_type_rich = lambda ctx, shown=shown: shown
    return command


def _plain(param: Any) -> str:
    if param.metavar is not None:
        return str(param.metavar)
    described = getattr(param, "type_descriptor", None)
    if described is None:
        return ""
    if described.is_choice:
        return "|".join(map(str, described.choices))
    return PLAIN.get(described.annotation, "text")
