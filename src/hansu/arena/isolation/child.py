"""What runs inside: gives up its rights, then loads the platform, then answers the arena."""

import base64

from hansu.arena.isolation import confine
from hansu.arena.isolation.wire import receive


def main(incoming: int, outgoing: int) -> None:
    """Serve one match; the first message says how to be confined and whom to play."""
    start = receive(incoming)
    if start is None:
        return
    if start["user"] is not None:
        confine.become(start["user"])
    confine.limit(confine.Caps(**start["caps"]))
    from hansu.arena.isolation.desk import Desk  # only now: the rest is loaded without rights

    desk = Desk(start, outgoing)
    if start["program"]:
        confine.filter_calls(base64.b64decode(start["program"]))
    desk.send({})
    while message := receive(incoming):
        desk.answer(message)
