"""The page's own files, answered from memory.

A load of the page asks for some sixty small files at once, often while threads compute. Reading
each in a thread of its own, as a general file server does, lets every file wait for them again.
"""

import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

WORTH_PACKING = 500  # bytes
KINDS = {  # not the system's own table: it can be changed, and browsers refuse other scripts
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


@dataclass(frozen=True)
class _File:
    changed: int  # nanoseconds: when this was read, that was its time of change
    headers: dict[str, str]
    content: bytes
    packed: bytes | None


class PageFiles:
    """An ASGI application of the files of a folder; what is edited is read again."""

    def __init__(self, folder: Path) -> None:
        self._paths = {
            f"/{file.relative_to(folder).as_posix()}": file
            for file in folder.rglob("*")
            if file.suffix in KINDS
        }
        self._paths["/"] = self._paths["/index.html"]
        self._read: dict[Path, _File] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self._answer(Request(scope))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return Response("Method Not Allowed", 405, {"allow": "GET, HEAD"}, "text/plain")
        path = self._paths.get(request.url.path)
        if path is None or not path.is_file():
            return Response("Not Found", 404, media_type="text/plain")
        file = self._file(path)
        if file.headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=file.headers)
        if file.packed is None or "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(file.content, headers=file.headers)
        return Response(file.packed, headers={**file.headers, "content-encoding": "gzip"})

    def _file(self, path: Path) -> _File:
        changed = path.stat().st_mtime_ns
        known = self._read.get(path)
        if known is None or known.changed != changed:
            known = self._read[path] = _read(path, changed)
        return known


def _read(path: Path, changed: int) -> _File:
    content = path.read_bytes()
    headers = {
        "content-type": KINDS[path.suffix],
        "etag": f'"{hashlib.sha256(content).hexdigest()[:32]}"',
        "vary": "accept-encoding",
    }
    packed = gzip.compress(content, 6) if len(content) >= WORTH_PACKING else None
    return _File(changed, headers, content, packed)
