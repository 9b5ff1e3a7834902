"""What runs inside: gives up its rights, then loads the platform, then answers the arena."""

import base64
import os

from hansu.arena.isolation import confine, threads
from hansu.arena.isolation.framing import pack, receive


def main(incoming: int, outgoing: int) -> None:
    """Serve one match; the first message says how to be confined and whom to play."""
    os.write(outgoing, pack({"id": 0}))  # so that the arena can look for our pid
    start = receive(incoming)
    if start is None:
        return
    if start["user"] is not None:
        confine.become(start["user"])
    else:
        confine.die_with_parent()
    confine.limit(confine.Caps(**start["caps"]))
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
