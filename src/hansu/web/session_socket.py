"""The WebSocket of a session: one visitor, for as long as the connection lasts."""

import asyncio
import contextlib
import json
import math
import time

from fastapi import WebSocket
from starlette.websockets import WebSocketDisconnect

from hansu.errors import HansuError, MoveError
from hansu.web.allowance import Allowance
from hansu.web.audience import Crowd, Sight, Visitor, message
from hansu.web.catalogue import contestant
from hansu.web.messages import (
    Analyze,
    Comment,
    Go,
    Hello,
    Look,
    Mark,
    Message,
    Move,
    Pace,
    Prune,
    read_message,
)
from hansu.web.refusals import Refusal, rule_facts, sentence
from hansu.web.request_filter import has_token
from hansu.web.server_settings import ServerSettings
from hansu.web.session import Session
from hansu.web.sessions import Sessions

HELLO_SECONDS = 10.0  # a visitor who stays silent for longer is disconnected
REFUSED_SECONDS = 1.0  # before the answer: who is refused comes again at once
BURST = 40  # messages at once
RATE = 20.0  # messages a second of a visitor who may move
LOOKS = 500.0  # messages a second of all spectators together
GONE = (WebSocketDisconnect, KeyError, RuntimeError)  # left, or sent bytes instead of text


async def session_socket(socket: WebSocket, session_id: str) -> None:
    """Serve a visitor of a session."""
    sessions: Sessions = socket.app.state.sessions
    await socket.accept()
    hello = await _hello(socket)
    session = sessions.by_id.get(session_id)
    if session is None or hello is None:
        return await _farewell(socket, "gone" if session is None else "hello")
    visitor = Visitor(_may_act(socket, hello, session))
    if not sessions.crowd.has_room(visitor, session.audience):
        await asyncio.sleep(REFUSED_SECONDS)
        return await _farewell(socket, "full")
    socket.state.known()  # the connection stays
    opened = session.opened if visitor.may_act else None  # for a rematch
    facts = {"may_act": visitor.may_act, "opened": opened and opened.model_dump(exclude={"record"})}
    visitor.tell("hello", message("hello", facts))
    delivery = asyncio.create_task(visitor.deliver(socket.send_text, socket.close))
    try:
        await session.join(visitor)
        await _listen(socket, session, visitor, sessions.crowd)
    except GONE:
        pass
    finally:
        delivery.cancel()
        await asyncio.gather(delivery, return_exceptions=True)
        session.part(visitor)


async def _hello(socket: WebSocket) -> Hello | None:
    """Wait for the first message; return None where it is no greeting."""
    try:
        said = read_message(await asyncio.wait_for(socket.receive_text(), HELLO_SECONDS))
    except (HansuError, TimeoutError, *GONE):
        return None
    return said if isinstance(said, Hello) else None


def _may_act(socket: WebSocket, hello: Hello, session: Session) -> bool:
    settings: ServerSettings = socket.app.state.settings
    return hello.key == session.key and has_token(settings, hello.token)


async def _farewell(socket: WebSocket, why: str) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(json.dumps({"type": "closed", "why": why}))
        await socket.close()


async def _listen(socket: WebSocket, session: Session, visitor: Visitor, crowd: Crowd) -> None:
    """Do what a visitor asks for, one message after another, and not too fast."""
    allowance = Allowance(BURST, RATE)
    while True:
        text = await socket.receive_text()
        if not visitor.may_act:
            allowance.rate = min(RATE, LOOKS / (1 + crowd.spectators))
        while (wait := allowance.take()) > 0:
            await asyncio.sleep(wait)
        try:
            await _act(read_message(text), session, visitor)
        except HansuError as error:
            facts = {"text": sentence(error), **rule_facts(error)}
            visitor.tell("error", message("error", facts))
            if isinstance(error, MoveError):
                session.welcome(visitor)


async def _act(wanted: Message, session: Session, visitor: Visitor) -> None:
    if isinstance(wanted, Look):
        visitor.sight = Sight(wanted.flip, wanted.area, wanted.turn)
        return session.welcome(visitor)
    if not visitor.may_act:
        raise Refusal("spectating")
    session.acted_at = time.monotonic()
    match wanted:
        case Move():
            await session.move(wanted.move, wanted.sure)
        case Mark():
            await session.mark(wanted.point)
        case Go():
            await session.go(wanted.node)
        case Comment():
            await session.comment(wanted.node, wanted.text)
        case Prune():
            await session.prune(wanted.node, wanted.type)
        case Pace():
            await session.pace(wanted.paused, wanted.delay)
        case Analyze():
            # An agent of a file would run here, in the server: only the referee isolates those.
            who = contestant(wanted.agent)
            await session.analyze(who, wanted.seconds or math.inf, beside=wanted.beside)
        case Hello():
            raise Refusal("connected_already")
        case _:
            await getattr(session, wanted.type)()
