"""What runs inside: gives up its rights, then loads the platform, then answers the arena."""

import base64
import contextlib
import os
from dataclasses import replace
from typing import NoReturn

from hansu.arena.isolation import confine, threads
from hansu.arena.isolation.framing import Message, pack, receive

ALL_FILES = 1 << 20  # as many descriptors as a process usually may have at most
PROGRAMS = "/usr/local/bin:/usr/bin:/bin:/usr/games"  # where commands without a folder are found


def main(incoming: int, outgoing: int) -> None:
    """Serve one match; the first message says how to be confined and whom to play."""
    os.write(outgoing, pack({"id": 0}))  # so that the arena knows that we run
    start = receive(incoming)
    if start is None:
        return
    _confine(start)
    if "command" in start:
        _become(start, incoming, outgoing)
    threads.wait_for_room()
    from hansu.arena.isolation.agent_host import (
        AgentHost,  # only now: the rest is loaded without rights
    )

    host = AgentHost(start, outgoing)
    if start["program"]:
        confine.filter_calls(base64.b64decode(start["program"]))
    host.send({})
    while message := receive(incoming):
        host.answer(message)


def _confine(start: Message) -> None:
    caps = confine.Caps(**start["caps"])
    if start["isolated"]:
        _furnish(start)
        if start["user"] is not None:
            confine.change_user(start["user"])
        confine.enter_user_namespace()
    elif os.geteuid() == 0:  # in a namespace it would still own everything
        caps = replace(caps, tasks=None)
    else:
        try:
            confine.enter_user_namespace()
        except (OSError, AttributeError):  # not allowed here, or not Linux
            caps = replace(caps, tasks=None)
    confine.die_with_parent()
    with contextlib.suppress(OSError):
        confine.choose_cpus(start["cpus"])
    confine.limit(caps)


def _become(start: Message, incoming: int, outgoing: int) -> NoReturn:
    """Become a program of another language, which talks through the same pipes."""
    if start["program"]:
        confine.filter_calls(base64.b64decode(start["program"]))
    os.write(outgoing, pack({"id": 0}))
    os.dup2(incoming, 0)
    os.dup2(outgoing, 1)
    os.closerange(3, ALL_FILES)  # our own numbers may lie beyond what the program may open
    command = start["command"]
    try:
        os.chdir(start["folder"])
        os.execvpe(command[0], command, {**os.environ, "PATH": PROGRAMS})
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        os.write(2, f"cannot run {command[0]}: {why}\n".encode())
        os._exit(127)


def _furnish(start: Message) -> None:
    """Put the agent's code in its place and bound what it may write."""
    scratch = start["scratch"]
    confine.bound_scratch(scratch["folder"], scratch["bytes"], scratch["files"])
    if start["archive"] is not None:
        from hansu.arena.isolation.snapshot import unpack

        unpack(start["archive"], start["agents_folder"])
    confine.make_read_only(start["agents_folder"])
