"""What the page asks about the library, and games to give away."""

import secrets
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request, Response
from pydantic import Field

from hansu.records.formats import format_by_name
from hansu.records.record import GameRecord
from hansu.records.replay import state_at
from hansu.web.library import Library
from hansu.web.messages import KeptGame, body_of
from hansu.web.record_readers import RecordReaders
from hansu.web.refusals import Refusal
from hansu.web.request_filter import needs_token
from hansu.web.requests import address_of, requests_of
from hansu.web.review_shelf import ReviewShelf
from hansu.web.server_settings import ServerSettings
from hansu.web.thread_pools import ThreadPools

Short = Annotated[str, Field(max_length=20)]
KINDS = {"svg": "image/svg+xml", "html": "text/html"}


def add_library(app: FastAPI, settings: ServerSettings) -> None:
    """Add the games that are kept; all of them are listed only on the computer that keeps them."""
    work = [Depends(needs_token)]

    def library() -> Library:
        found: Library = app.state.library
        return found

    def check_here() -> None:
        if not settings.is_local:
            raise Refusal("library_here")

    def games() -> list[dict[str, Any]]:
        shelf: ReviewShelf = app.state.shelf
        return [{**each, "review": shelf.has(each["review"])} for each in library().games()]

    @app.get("/api/library")
    async def listed() -> dict[str, Any]:
        check_here()
        return {"games": await requests_of(app).shared("library", games)}

    @app.get("/api/library/{game_id}")
    async def kept(game_id: str) -> Response:
        line = await requests_of(app).shared(f"game {game_id}", lambda: library().line(game_id))
        return Response(line, media_type="text/plain")

    @app.post("/api/library", dependencies=work)
    async def keep(request: Request) -> dict[str, str]:
        wanted, address = await body_of(request, KeptGame), address_of(request)
        if not library().is_kept:
            raise Refusal("nothing_is_kept")

        def keep_it() -> str:
            record = GameRecord.from_json(wanted.record)
            state_at(record, len(record.turns))  # nothing else is kept but games
            game_id = secrets.token_urlsafe(8)
            library().keep(game_id, record, address)
            return game_id

        pools: ThreadPools = app.state.pools
        account = pools.visitor(address)
        return {"id": await requests_of(app).think(keep_it, account, "library")}

    @app.post("/api/library/{game_id}/remove", dependencies=work)
    async def remove(game_id: str) -> dict[str, Any]:
        check_here()
        shelf: ReviewShelf = app.state.shelf
        if key := library().remove(game_id):
            shelf.remove(key)
        return {}

    @app.post("/api/share", dependencies=work)
    async def share(request: Request, form: Short, language: Short = "en") -> Response:
        suffix = f".{form}" if form in KINDS else format_by_name(form).suffix
        pools, readers = app.state.pools, app.state.readers
        assert isinstance(pools, ThreadPools)
        assert isinstance(readers, RecordReaders)
        account = pools.visitor(address_of(request))
        content = await readers.share(request, form, language, account)
        named = {"content-disposition": f'attachment; filename="hansu-game{suffix}"'}
        kind = KINDS.get(form, "application/octet-stream")
        return Response(content, media_type=kind, headers=named)
