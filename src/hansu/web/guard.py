"""The door: who may come in, and what the browser is told to allow."""

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from fastapi import Header, HTTPException, Request

from hansu.web.settings import Settings

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}


class Guard:
    """Lets in only requests to this machine by this machine's own pages."""

    def __init__(self, app: App, settings: Settings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 403, or hand on and add our headers to the answer."""
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        if not self._may_enter(scope):
            return await _refuse(scope, send)

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (name.encode(), value.encode())
                        for name, value in HEADERS.items()
                        if name.encode() not in given
                    ),
                ]
            await send(message)

        return await self.app(scope, receive, send_with_headers)

    def _may_enter(self, scope: Scope) -> bool:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        try:
            parts = urlsplit(f"//{host}")
            name = parts.hostname or ""
            _ = parts.port  # raises where it is no number
        except ValueError:
            return False
        if not self.settings.is_known(name):
            return False
        # A browser always says whose page asks; programs say nothing, and need no protection.
        origin = headers.get(b"origin")
        return origin is None or origin.decode("latin-1") in (f"http://{host}", f"https://{host}")


async def _refuse(scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    text = b"this server answers its own pages only, under its own name"
    headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(text)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": text})


def has_token(settings: Settings, token: str) -> bool:
    """Whether somebody may start work."""
    return not settings.token or hmac.compare_digest(token.encode(), settings.token.encode())


def needs_token(request: Request, x_hansu_token: str = Header(default="")) -> None:
    """For everything that starts work: 401 without the token, where one is needed."""
    if not has_token(request.app.state.settings, x_hansu_token):
        raise HTTPException(401, "this needs the token that the server printed when it started")


async def body_of(request: Request) -> bytes:
    """What was sent, if it is not too long."""
    most = request.app.state.settings.max_upload
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > most:
            raise HTTPException(413, f"the file is longer than {most // 2**20} MiB")
    return bytes(content)
