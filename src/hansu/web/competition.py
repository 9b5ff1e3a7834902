"""The competition on the page: read-only for spectators, submissions with a personal token."""

import functools
import threading
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import FastAPI, Header, Request, Response
from pydantic import Field

from hansu.arena.competition.bundle import unpack_submission
from hansu.arena.competition.disclosure import CompetitionView
from hansu.arena.competition.register import Register
from hansu.arena.competition.settings import read_competition
from hansu.web.refusals import Refusal
from hansu.web.requests import address_of, requests_of
from hansu.web.server_settings import ServerSettings
from hansu.web.thread_pools import ThreadPools

T = TypeVar("T")
Number = Annotated[int, Field(ge=0, le=2**31)]
Stage = Annotated[str, Field(max_length=200)]
HEADER = "x-hansu-participant"
Token = Annotated[str, Header(alias=HEADER, max_length=200)]


class CompetitionRequests:
    """The view of a competition, which one thread at a time may use, and its submissions."""

    def __init__(self, settings: ServerSettings) -> None:
        assert settings.competition is not None
        found = read_competition(settings.competition)
        self.register = Register(settings.competition, found, settings.competition_database)
        self._view = CompetitionView(self.register)
        self._lock = threading.Lock()

    def see(self, ask: Callable[[CompetitionView], T]) -> T:
        """Answer a question from what is known now."""
        with self._lock:
            self._view.update()
            return ask(self._view)

    def owner(self, token: str) -> str:
        """Return whose token it is; raises Refusal."""
        name = self.register.owner(token)
        if name is None:
            raise Refusal("participant_token")
        return name

    def own(self, token: str) -> dict[str, Any]:
        """Return a participant's own facts."""
        name = self.owner(token)
        return self.see(lambda view: view.own(name))

    def submit(self, token: str, file: str, content: bytes) -> dict[str, Any]:
        """Take a submission; when this returns, it is on the disk and will be checked."""
        name = self.owner(token)
        most = self.register.settings.submissions.max_kib * 1024
        entry = self.register.submit(name, unpack_submission(file, content, most), "page")
        return {"version": entry.version, "digest": entry.digest}


def add_competition(app: FastAPI, settings: ServerSettings) -> None:
    """Add what the page asks about the competition that this server shows."""
    found = CompetitionRequests(settings)

    async def shared(about: str, ask: Callable[[CompetitionView], T]) -> T:
        return await requests_of(app).shared(
            f"competition {about}", functools.partial(found.see, ask)
        )

    async def private(request: Request, token: str, work: Callable[[], T]) -> T:
        """Answer one participant: a class behind one address is many of them."""
        pools: ThreadPools = app.state.pools
        account = pools.visitor(address_of(request))
        return await requests_of(app).think(work, account, f"participant {token}")

    @app.get("/api/competition")
    async def competition() -> dict[str, Any]:
        return await shared("facts", CompetitionView.facts)

    @app.get("/api/competition/cross")
    async def cross() -> dict[str, Any]:
        return await shared("cross", CompetitionView.cross)

    @app.get("/api/competition/history")
    async def history() -> dict[str, Any]:
        return await shared("history", CompetitionView.history)

    @app.get("/api/competition/finals/{stage}")
    async def final(stage: Stage) -> dict[str, Any]:
        return await shared(f"final {stage}", lambda view: view.final(stage))

    @app.get("/api/competition/games/{stage}")
    async def games(stage: Stage, player: Stage = "") -> dict[str, Any]:
        return await shared(f"games {stage} {player}", lambda view: view.games(stage, player))

    @app.get("/api/competition/games/{stage}/{number}")
    async def game(request: Request, stage: Stage, number: Number, token: Token = "") -> Response:
        if not token:
            line = await shared(f"game {stage} {number}", lambda view: view.record(stage, number))
            return Response(line, media_type="text/plain")

        def of_owner() -> str:
            viewer = found.owner(token)
            return found.see(lambda view: view.record(stage, number, viewer))

        line = await private(request, token, of_owner)
        return Response(line, media_type="text/plain")

    @app.get("/api/competition/me")
    async def me(request: Request, token: Token = "") -> dict[str, Any]:
        return await private(request, token, functools.partial(found.own, token))

    @app.post("/api/competition/submissions")
    async def submissions(request: Request, name: Stage, token: Token = "") -> dict[str, Any]:
        await private(request, token, lambda: found.owner(token))  # before anything is read
        content = await request.body()
        work = functools.partial(found.submit, token, name, content)
        return await private(request, token, work)
