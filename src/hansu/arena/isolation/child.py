"""What runs inside: gives up its rights, then loads the platform, then answers the arena."""

import base64
import contextlib
import os
from dataclasses import replace

from hansu.arena.isolation import confine, threads
from hansu.arena.isolation.framing import Message, pack, receive


def main(incoming: int, outgoing: int) -> None:
    """Serve one match; the first message says how to be confined and whom to play."""
    os.write(outgoing, pack({"id": 0}))  # so that the arena knows that we run
    start = receive(incoming)
    if start is None:
        return
    _confine(start)
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


def _furnish(start: Message) -> None:
    """Put the agent's code in its place and bound what it may write."""
    scratch = start["scratch"]
    confine.bound_scratch(scratch["folder"], scratch["bytes"], scratch["files"])
    if start["archive"] is not None:
        from hansu.arena.isolation.snapshot import unpack

        unpack(start["archive"], start["agents_folder"])
    confine.make_read_only(start["agents_folder"])
