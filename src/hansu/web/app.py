"""The server: static files, a few questions and answers, and a WebSocket for each session."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, TypeVar

from fastapi import Depends, FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.websockets import WebSocketDisconnect

import hansu
from hansu.display.page import STATIC
from hansu.errors import HansuError, MoveError, OptionError, PositionError, RecordError
from hansu.games import assets, dictionary
from hansu.records.formats import format_by_name
from hansu.web.audience import Sight, Visitor, message
from hansu.web.catalogue import catalogue, contestant, own_agents
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
from hansu.web.messages import (
    Analyze,
    Hello,
    Look,
    Mark,
    Message,
    Move,
    NewControl,
    NewSession,
    NewTournament,
    Pace,
    Question,
    complaint,
    read_message,
)
from hansu.web.recorded_games import read_upload, replay_facts
from hansu.web.refusals import Refusal
from hansu.web.request_filter import RequestFilter, has_token, needs_token
from hansu.web.server_settings import ServerSettings
from hansu.web.session import Session
from hansu.web.sessions import Sessions
from hansu.web.thread_pools import ThreadPools
from hansu.web.tournaments import Tournaments
from hansu.web.viewer_file import viewer_file

T = TypeVar("T")
HELLO_SECONDS = 20.0  # a visitor who stays silent for longer is disconnected


def make_app(settings: ServerSettings) -> FastAPI:
    """Return the server as an ASGI application."""

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        pools = ThreadPools(settings.thinkers)
        app.state.sessions = Sessions(settings, pools)
        app.state.tournaments = Tournaments(settings)
        getting_ready = asyncio.create_task(pools.prepare(catalogue))  # before anybody asks
        yield
        getting_ready.cancel()
        app.state.tournaments.close()
        await app.state.sessions.close()

    app = FastAPI(title="hansu", lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.settings = settings
    app.add_exception_handler(HansuError, _sentence)
    app.add_exception_handler(RequestValidationError, _unreadable)
    _add_answers(app, settings)
    _add_searches(app)
    _add_tournaments(app, settings)
    _add_runs(app, settings)
    app.add_api_websocket_route("/ws/tables/{session_id}", session_socket)
    app.mount("/", StaticFiles(directory=STATIC, html=True))
    app.add_middleware(RequestFilter, settings=settings)
    return app


async def _sentence(request: Request, error: Exception) -> Response:
    facts = _rule_facts(error)
    status = 401 if facts["rule"] == "token" else 400
    return JSONResponse({"detail": str(error), **facts}, status)


def _rule_facts(error: Exception) -> dict[str, object]:
    """Return the name by which the page finds words of its own for an error, and the values."""
    if isinstance(error, Refusal):
        return error.facts()
    kinds: dict[type[HansuError], str] = {
        PositionError: "position",
        RecordError: "record",
        OptionError: "option",
        MoveError: "move",
    }
    known = next((rule for kind, rule in kinds.items() if isinstance(error, kind)), "")
    return {"rule": getattr(error, "rule", "") or known}


async def _unreadable(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return JSONResponse({"detail": complaint(error.errors()), "rule": "message"}, 422)


def _add_answers(app: FastAPI, settings: ServerSettings) -> None:
    """Add the simple requests."""

    @app.get("/api/offer")
    async def offer() -> dict[str, Any]:
        facts = await _prepare(app, catalogue)
        own = [*settings.named, *own_agents(settings.agents)]
        return {
            **facts,
            "languages": dictionary.languages(),
            "files": own,
            "version": hansu.__version__,
            "token": bool(settings.token),
        }

    @app.get("/api/boards/{name}.svg")
    async def board(name: str) -> Response:
        picture = await _prepare(app, lambda: assets.picture(name))
        return Response(picture, media_type="image/svg+xml")

    @app.get("/words/{language}.json")
    async def words(language: str) -> dict[str, str]:
        return dictionary.words(language)

    @app.get("/games.css")
    async def style() -> Response:
        return Response(assets.style(), media_type="text/css")

    @app.post("/api/tables", dependencies=[Depends(needs_token)])
    async def new_session(wanted: NewSession) -> dict[str, str]:
        session = await _sessions(app).open(wanted)
        return {"id": session.id, "key": session.key}

    @app.get("/api/tables/{session_id}/record/{name}")
    async def record(session_id: str, name: str) -> Response:
        record, chosen = _sessions(app).find(session_id).record(), format_by_name(name)
        content = chosen.write([record])
        is_text = isinstance(content, str)
        kind = "text/plain; charset=utf-8" if is_text else "application/octet-stream"
        return _download(content, f"{record.game.partition(':')[0]}{chosen.suffix}", kind)

    @app.post("/api/records", dependencies=[Depends(needs_token)])
    async def records(request: Request, name: str = "") -> dict[str, Any]:
        """Read the games of a file dropped on the page."""
        content = await request.body()
        return await _prepare(app, lambda: read_upload(content, name))

    @app.post("/api/replay", dependencies=[Depends(needs_token)])
    async def replay(request: Request, flip: bool = False) -> dict[str, Any]:
        """Return all boards of a game, sent as a line of JSON."""
        content = await request.body()
        return await _prepare(app, lambda: replay_facts(content, flip))


def _add_searches(app: FastAPI) -> None:
    """Add the last searches of a session, for the viewer: on demand, or as one file."""

    @app.post("/api/tables/{session_id}/search", dependencies=[Depends(needs_token)])
    async def search(session_id: str, question: Question) -> Any:
        view = _sessions(app).find(session_id).view(question.search)
        of_a_place = question.about in ("children", "board")
        given = (question.moves,) if of_a_place else ()
        return await _sessions(app).pools.think(lambda: getattr(view, question.about)(*given))

    @app.get("/api/tables/{session_id}/search.html", dependencies=[Depends(needs_token)])
    async def search_file(session_id: str, search: int, language: str = "en") -> Response:
        view = _sessions(app).find(session_id).view(search)
        page = await _sessions(app).pools.think(lambda: viewer_file(view, language))
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

    @app.post("/api/tournaments", dependencies=[Depends(needs_token)])
    async def new_tournament(wanted: NewTournament) -> dict[str, str]:
        return {"name": await _prepare(app, lambda: tournaments().begin(wanted))}

    @app.get("/api/tournaments/{name}")
    async def tournament(name: str) -> dict[str, Any]:
        facts = await _prepare(app, lambda: tournament_facts(place(name)))
        return {**facts, **tournaments().facts(name)}

    @app.post("/api/tournaments/{name}/stop", dependencies=[Depends(needs_token)])
    async def stop_tournament(name: str) -> dict[str, Any]:
        tournaments().stop(name)
        return {}

    @app.post("/api/tournaments/{name}/go_on", dependencies=[Depends(needs_token)])
    async def go_on(name: str) -> dict[str, Any]:
        tournaments().go_on(name)
        return {}

    @app.get("/api/tournaments/{name}/games/{number}")
    async def tournament_game(name: str, number: int) -> Response:
        line = await _prepare(app, lambda: tournament_record(place(name), number))
        return Response(line, media_type="text/plain")


def _add_runs(app: FastAPI, settings: ServerSettings) -> None:
    """Add the training runs that the organiser shows."""

    def place(name: str) -> Path:
        return folder_of(settings.runs, LOG_FILE, name)

    @app.get("/api/runs/{name}")
    async def run(name: str) -> dict[str, Any]:
        return await _prepare(app, lambda: run_facts(place(name)))

    @app.get("/api/runs/{name}/games/{number}")
    async def run_game(name: str, number: int) -> Response:
        line = await _prepare(app, lambda: run_record(place(name), number))
        return Response(line, media_type="text/plain")

    @app.post("/api/runs/{name}/control", dependencies=[Depends(needs_token)])
    async def control(name: str, wanted: NewControl) -> dict[str, Any]:
        change_control(place(name), wanted)
        return {}


def _sessions(app: FastAPI) -> Sessions:
    found: Sessions = app.state.sessions
    return found


async def _prepare(app: FastAPI, work: Callable[[], T]) -> T:
    return await _sessions(app).pools.prepare(work)


def _download(content: str | bytes, name: str, kind: str) -> Response:
    saved_as = f'attachment; filename="hansu-{name}"'
    return Response(content, media_type=kind, headers={"content-disposition": saved_as})


async def session_socket(socket: WebSocket, session_id: str) -> None:
    """Serve a visitor of a session for as long as the connection lasts."""
    settings: ServerSettings = socket.app.state.settings
    sessions = _sessions(socket.app)
    await socket.accept()
    session = sessions.by_id.get(session_id)
    try:
        hello = read_message(await asyncio.wait_for(socket.receive_text(), HELLO_SECONDS))
    except (HansuError, WebSocketDisconnect, KeyError, TimeoutError):
        hello = None
    if (
        session is None
        or not isinstance(hello, Hello)
        or sessions.watchers >= settings.max_watchers
    ):
        why = "gone" if session is None else "full" if isinstance(hello, Hello) else "hello"
        await _farewell(socket, why)
        return
    allowed = hello.key == session.key and has_token(settings, hello.token)
    visitor = Visitor(may_act=allowed)
    session.audience.add(visitor)
    visitor.tell("hello", message("hello", {"may_act": allowed}))
    session.welcome(visitor)
    delivery = asyncio.create_task(visitor.deliver(socket.send_text))
    try:
        while True:
            await _obey(await socket.receive_text(), session, visitor)
    except (WebSocketDisconnect, KeyError, RuntimeError):  # gone, or sent bytes instead of text
        pass
    finally:
        delivery.cancel()
        await asyncio.gather(delivery, return_exceptions=True)
        session.audience.remove(visitor)
        session.left_at = time.monotonic()


async def _farewell(socket: WebSocket, why: str) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(json.dumps({"type": "closed", "why": why}))
        await socket.close()


async def _obey(text: str, session: Session, visitor: Visitor) -> None:
    """Do what a message asks for, or say why not."""
    try:
        await _act(read_message(text), session, visitor)
    except HansuError as error:
        visitor.tell("error", message("error", {"text": str(error), **_rule_facts(error)}))
        if isinstance(error, MoveError):
            session.welcome(visitor)


async def _act(wanted: Message, session: Session, visitor: Visitor) -> None:
    if isinstance(wanted, Look):
        visitor.sight = Sight(wanted.flip, wanted.area)
        return session.welcome(visitor)
    if not visitor.may_act:
        raise Refusal("spectating")
    match wanted:
        case Move():
            await session.move(wanted.move)
        case Mark():
            await session.mark(wanted.point)
        case Pace():
            await session.pace(wanted.paused, wanted.delay)
        case Analyze():
            # An agent of a file would run here, in the server: only the referee isolates those.
            await session.analyze(contestant(wanted.agent), wanted.seconds)
        case Hello():
            raise Refusal("connected_already")
        case _:
            await getattr(session, wanted.type)()
