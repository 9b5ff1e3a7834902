"""Which requests are answered, and the security headers of the answers."""

import asyncio
import base64
import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from fastapi import Header, Request
from starlette.requests import HTTPConnection

from hansu.display.page import STATIC
from hansu.web.rate_limit import RateLimit
from hansu.web.refusals import Refusal
from hansu.web.requests import address_of
from hansu.web.server_settings import ServerSettings

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LONGEST_WAIT = 10.0  # seconds until a request beyond the rate is answered
FOREIGN = "this server answers its own pages only, under its own name"
_PAGE = (STATIC / "index.html").read_text(encoding="utf-8")
_IMPORT_MAP = _PAGE.partition('<script type="importmap">')[2].partition("</script>")[0]
_MAP_HASH = base64.b64encode(hashlib.sha256(_IMPORT_MAP.encode()).digest()).decode()
HEADERS = {
    "content-security-policy": "default-src 'none'; "
    f"script-src 'self' 'sha256-{_MAP_HASH}'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}


class RequestFilter:
    """Lets in only requests to this machine by this machine's own pages, and no flood of them."""

    def __init__(self, app: App, settings: ServerSettings) -> None:
        self.app, self.settings = app, settings
        self._rate = RateLimit(settings.request_burst, settings.request_rate, LONGEST_WAIT)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 403, or hand on and add our headers to the answer."""
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        if not self._may_enter(scope):
            return await _refuse(scope, send, 403, FOREIGN)
        if wait := self._rate.wait(address_of(HTTPConnection(scope))):
            await asyncio.sleep(wait)
        elif wait is None:
            many = Refusal("too_many_requests")
            return await _refuse(scope, send, 429, str(many), many.facts())
        if scope["type"] == "http" and not self._is_short(scope):
            large = Refusal("too_large", most=self.settings.max_upload // 1024)
            return await _refuse(scope, send, 413, str(large), large.facts())

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

    def _is_short(self, scope: Scope) -> bool:
        """Return whether the body is within the limit; the server holds it to its stated length."""
        headers = dict(scope["headers"])
        said = headers.get(b"content-length", b"")
        if b"transfer-encoding" in headers or (scope["method"] == "POST" and not said):
            return False
        return not said or (said.isdigit() and int(said) <= self.settings.max_upload)


async def _refuse(
    scope: Scope, send: Send, status: int, why: str, facts: dict[str, object] | None = None
) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    body = json.dumps({"detail": why, **(facts or {})}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def has_token(settings: ServerSettings, token: str) -> bool:
    """Return whether a visitor may start work."""
    return not settings.token or hmac.compare_digest(token.encode(), settings.token.encode())


def needs_token(request: Request, x_hansu_token: str = Header(default="")) -> None:
    """Refuse to start work without the token, and beside a competition, which it would disturb."""
    if request.app.state.settings.competition is not None:
        raise Refusal("competition_only")
    if not has_token(request.app.state.settings, x_hansu_token):
        raise Refusal("token")


def may_replay(request: Request, x_hansu_token: str = Header(default="")) -> None:
    """Let everybody replay the games of a competition; elsewhere it is work like any other."""
    if request.app.state.settings.competition is None:
        needs_token(request, x_hansu_token)
