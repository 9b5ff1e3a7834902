"""The server: static files, a few questions and answers, and a WebSocket for each session."""

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import Field
from starlette.requests import ClientDisconnect

import hansu
from hansu.display.page import STATIC
from hansu.errors import HansuError
from hansu.games import assets, dictionary
from hansu.kernel.tiers import interpret_first
from hansu.records.formats import FORMATS, format_by_name
from hansu.web.catalogue import chosen_game, own_agents
from hansu.web.fair_share import Account
from hansu.web.folders import (
    LOG_FILE,
    TOURNAMENT_FILE,
    change_control,
    folder_of,
    folders,
    run_facts,
    run_record,
    tournament_facts,
    tournament_record,
)
from hansu.web.library import Library
from hansu.web.library_requests import add_library
from hansu.web.messages import (
    NewControl,
    NewSession,
    NewTournament,
    Question,
    SetUp,
    body_of,
    complaint,
)
from hansu.web.page_files import PageFiles
from hansu.web.puzzles import add_puzzles
from hansu.web.ratings import Ratings
from hansu.web.record_readers import RecordReaders
from hansu.web.refusals import rule_facts, sentence
from hansu.web.request_filter import RequestFilter, may_replay, needs_token
from hansu.web.requests import Requests, address_of, requests_of
from hansu.web.review_requests import add_reviews
from hansu.web.review_shelf import ReviewShelf
from hansu.web.reviews import Reviews
from hansu.web.server_settings import ServerSettings
from hansu.web.session_socket import session_socket
from hansu.web.sessions import Sessions
from hansu.web.set_up import set_up_facts
from hansu.web.thread_pools import ThreadPools
from hansu.web.tournaments import Tournaments
from hansu.web.viewer_file import viewer_file

STATUS = {
    "token": 401,
    "participant_token": 401,
    "competition_only": 403,
    "too_many_requests": 429,
}  # of a refusal; else 400
Number = Annotated[int, Field(ge=0, le=2**31)]


def make_app(settings: ServerSettings) -> FastAPI:
    """Return the server as an ASGI application."""

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        pools = ThreadPools(settings.thinkers, settings.max_processes)
        app.state.pools, app.state.requests = pools, Requests(pools, settings.max_waiting)
        app.state.library = Library(settings.data, shared=not settings.is_local)
        app.state.sessions = Sessions(settings, pools, app.state.library)
        app.state.tournaments = Tournaments(settings)
        app.state.ratings = Ratings(app.state.tournaments.folder)
        app.state.shelf = ReviewShelf(settings.data)
        app.state.reviews = Reviews(pools, app.state.shelf)
        app.state.readers = RecordReaders(pools, max(1, settings.thinkers // 2))
        in_background = [
            asyncio.create_task(app.state.requests.catalogue()),  # before anybody asks
            asyncio.create_task(app.state.sessions.keep_games()),
        ]
        with interpret_first():  # the event loop does not wait for the compiler
            yield
        for task in in_background:
            task.cancel()
        app.state.readers.close()
        app.state.tournaments.close()
        await app.state.reviews.close()
        await app.state.sessions.close()
        await asyncio.to_thread(pools.close)

    app = FastAPI(title="hansu", lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.settings = settings
    app.add_exception_handler(HansuError, _sentence)
    app.add_exception_handler(ClientDisconnect, _gone)
    app.add_exception_handler(RequestValidationError, _unreadable)
    _add_answers(app, settings)
    _add_records(app)
    _add_searches(app)
    add_reviews(app)
    add_library(app, settings)
    add_puzzles(app, settings)
    _add_tournaments(app, settings)
    _add_runs(app, settings)
    if settings.competition is not None:
        from hansu.web.competition import add_competition  # organisers alone need it

        add_competition(app, settings)
    app.add_api_websocket_route("/ws/tables/{session_id}", session_socket)
    app.mount("/", PageFiles(STATIC))
    app.add_middleware(RequestFilter, settings=settings)
    return app


async def _sentence(request: Request, error: Exception) -> Response:
    facts = rule_facts(error)
    status = STATUS.get(str(facts["rule"]), 400)
    return JSONResponse({"detail": sentence(error), **facts}, status)


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # nobody is there to read it


async def _unreadable(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return JSONResponse({"detail": complaint(error.errors()), "rule": "message"}, 422)


def _add_answers(app: FastAPI, settings: ServerSettings) -> None:
    """Add the simple requests."""

    @app.get("/api/offer")
    async def offer() -> dict[str, Any]:
        facts = await requests_of(app).catalogue()
        own = [*settings.named, *own_agents(settings.agents)]
        return {
            **facts,
            "files": own,
            "variations": [name for name, each in FORMATS.items() if each.holds_variations],
            "version": hansu.__version__,
            "token": bool(settings.token),
            "competition": settings.competition is not None,
            "library": settings.data is not None and settings.is_local,
        }

    @app.get("/api/boards/{name}.svg")
    async def board(name: str) -> Response:
        picture = await requests_of(app).shared(f"picture {name}", lambda: assets.picture(name))
        return Response(picture, media_type="image/svg+xml")

    @app.get("/api/boards/{name}/counted.svg")
    async def counted(name: str) -> Response:
        return Response(assets.counted_picture(name), media_type="image/svg+xml")

    @app.get("/api/pieces/{name}/{piece}.svg")
    async def piece(name: str, piece: str, pieces: str = "classic") -> Response:
        drawn = chosen_game(name, {}).piece_svg(piece, pieces)
        return Response(drawn, media_type="image/svg+xml")

    @app.get("/languages.json")
    async def languages() -> dict[str, str]:
        return dictionary.languages()

    @app.get("/words/{language}.json")
    async def words(language: str) -> dict[str, str]:
        return dictionary.words(language)

    @app.get("/games.css")
    async def style() -> Response:
        return Response(assets.style(), media_type="text/css")

    @app.post("/api/tables", dependencies=[Depends(needs_token)])
    async def new_session(request: Request) -> dict[str, str]:
        wanted = await body_of(request, NewSession)
        # Half of the room for tables: other requests do not wait for agents that start slowly.
        with requests_of(app).room("tables", settings.max_waiting // 2):
            session = await _sessions(app).open(wanted, address_of(request))
        return {"id": session.id, "key": session.key}

    @app.post("/api/set_up", dependencies=[Depends(needs_token)])
    async def set_up(request: Request) -> dict[str, Any]:
        wanted, about = await body_of(request, SetUp), f"set up {address_of(request)}"
        find = functools.partial(set_up_facts, wanted)
        return await requests_of(app).think(find, _account(request), about)

    @app.get("/api/tables/{session_id}/record/{name}")
    async def record(session_id: str, name: str) -> Response:
        session, chosen = _sessions(app).find(session_id), format_by_name(name)
        record = session.record()
        write = functools.partial(chosen.write, [record])
        content = await requests_of(app).think(write, session.account, session_id)
        is_text = isinstance(content, str)
        kind = "text/plain; charset=utf-8" if is_text else "application/octet-stream"
        return _download(content, f"{record.game.partition(':')[0]}{chosen.suffix}", kind)


def _add_records(app: FastAPI) -> None:
    """Add the files of visitors, which a process of its own reads."""

    @app.post("/api/records", dependencies=[Depends(needs_token)])
    async def records(request: Request, name: str = "") -> Response:
        """Read the games of a file dropped on the page."""
        found = await _readers(app).games(request, name, _account(request))
        return Response(found, media_type="application/json")

    @app.post("/api/replay", dependencies=[Depends(may_replay)])
    async def replay(request: Request, flip: bool = False) -> Response:
        """Return all boards of a game, sent as a line of JSON."""
        found = await _readers(app).replay(request, flip, _account(request))
        return Response(found, media_type="application/json")


def _add_searches(app: FastAPI) -> None:
    """Add the last searches of a session, for the viewer: on demand, or as one file."""

    @app.post("/api/tables/{session_id}/search", dependencies=[Depends(needs_token)])
    async def search(session_id: str, request: Request) -> Any:
        question = await body_of(request, Question)
        session = _sessions(app).find(session_id)
        ask = question.ask(session.view(question.search))
        return await requests_of(app).think(ask, session.account, session_id)

    @app.get("/api/tables/{session_id}/search.html", dependencies=[Depends(needs_token)])
    async def search_file(session_id: str, search: Number, language: str = "en") -> Response:
        session = _sessions(app).find(session_id)
        view, breathe = session.view(search), _sessions(app).pools.share.breathe
        write = functools.partial(viewer_file, view, language, breathe)
        page = await requests_of(app).think(write, session.account, session_id)
        return _download(page, "search.html", "text/html")


def _add_tournaments(app: FastAPI, settings: ServerSettings) -> None:
    """Add the tournaments, those of the organiser and those that the page starts."""

    def tournaments() -> Tournaments:
        found: Tournaments = app.state.tournaments
        return found

    def place(name: str) -> Path:
        return folder_of(tournaments().folder, TOURNAMENT_FILE, name)

    @app.get("/api/arena")
    async def arena() -> dict[str, Any]:
        return {
            "tournaments": folders(tournaments().folder, TOURNAMENT_FILE),
            "runs": folders(settings.runs, LOG_FILE),
        }

    @app.get("/api/ratings")
    async def ratings() -> dict[str, Any]:
        return {"tables": await requests_of(app).shared("ratings", app.state.ratings.facts)}

    @app.post("/api/tournaments", dependencies=[Depends(needs_token)])
    async def new_tournament(request: Request) -> dict[str, str]:
        wanted, address = await body_of(request, NewTournament), address_of(request)
        begin = functools.partial(tournaments().begin, wanted, address)
        return {"name": await requests_of(app).think(begin, _account(request), "tournaments")}

    @app.get("/api/tournaments/{name}")
    async def tournament(name: str) -> dict[str, Any]:
        about = f"tournament {name}"
        facts = await requests_of(app).shared(about, lambda: tournament_facts(place(name)))
        state = tournaments().facts(name)
        if state["state"] in ("stopped", "failed"):
            facts = {**facts, "playing": []}  # what is left of them is played again
        return {**facts, **state}

    @app.post("/api/tournaments/{name}/stop", dependencies=[Depends(needs_token)])
    async def stop_tournament(name: str) -> dict[str, Any]:
        tournaments().stop(name)
        return {}

    @app.post("/api/tournaments/{name}/go_on", dependencies=[Depends(needs_token)])
    async def go_on(name: str) -> dict[str, Any]:
        tournaments().go_on(name)
        return {}

    @app.get("/api/tournaments/{name}/games/{number}")
    async def tournament_game(name: str, number: Number) -> Response:
        about = f"tournament {name} game {number}"
        find = functools.partial(tournament_record, place(name), number)
        line = await requests_of(app).shared(about, find)
        return Response(line, media_type="text/plain")


def _add_runs(app: FastAPI, settings: ServerSettings) -> None:
    """Add the training runs that the organiser shows."""

    def place(name: str) -> Path:
        return folder_of(settings.runs, LOG_FILE, name)

    @app.get("/api/runs/{name}")
    async def run(name: str) -> dict[str, Any]:
        return await requests_of(app).shared(f"run {name}", lambda: run_facts(place(name)))

    @app.get("/api/runs/{name}/games/{number}")
    async def run_game(name: str, number: Number) -> Response:
        find = functools.partial(run_record, place(name), number)
        line = await requests_of(app).shared(f"run {name} game {number}", find)
        return Response(line, media_type="text/plain")

    @app.post("/api/runs/{name}/control", dependencies=[Depends(needs_token)])
    async def control(name: str, request: Request) -> dict[str, Any]:
        change_control(place(name), await body_of(request, NewControl))
        return {}


def _sessions(app: FastAPI) -> Sessions:
    found: Sessions = app.state.sessions
    return found


def _readers(app: FastAPI) -> RecordReaders:
    found: RecordReaders = app.state.readers
    return found


def _account(request: Request) -> Account:
    return _sessions(request.app).pools.visitor(address_of(request))


def _download(content: str | bytes, name: str, kind: str) -> Response:
    saved_as = f'attachment; filename="hansu-{name}"'
    return Response(content, media_type=kind, headers={"content-disposition": saved_as})
