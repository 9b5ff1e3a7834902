"""What the page asks about reviews."""

import functools
from typing import Any

from fastapi import Depends, FastAPI, Request, Response

from hansu.web.messages import KeptGame, LookAt, NewReview, Question, body_of
from hansu.web.request_filter import needs_token
from hansu.web.requests import address_of, requests_of
from hansu.web.reviews import Reviews
from hansu.web.thread_pools import ThreadPools
from hansu.web.viewer_file import viewer_file

NAMED = {"content-disposition": 'attachment; filename="hansu-search.html"'}


def add_reviews(app: FastAPI) -> None:
    """Add the reviews of recorded games."""
    work = [Depends(needs_token)]

    def reviews() -> Reviews:
        found: Reviews = app.state.reviews
        return found

    @app.post("/api/reviews", dependencies=work)
    async def new_review(request: Request) -> dict[str, str]:
        wanted = await body_of(request, NewReview)
        with requests_of(app).room("reviews"):
            return {"id": await reviews().begin(wanted, address_of(request))}

    @app.post("/api/reviews/kept", dependencies=work)
    async def kept_review(request: Request) -> dict[str, str | None]:
        """Find the finished review of a game, if one was kept."""
        wanted = await body_of(request, KeptGame)
        with requests_of(app).room("reviews"):
            return {"id": await reviews().recall(wanted.record, address_of(request))}

    @app.get("/api/reviews/{review_id}")
    async def review(review_id: str) -> dict[str, Any]:
        job = reviews().find(review_id)
        return await requests_of(app).think(job.facts, job.account, review_id)

    @app.post("/api/reviews/{review_id}/stop", dependencies=work)
    async def stop(review_id: str) -> dict[str, Any]:
        reviews().find(review_id).stop()
        return {}

    @app.post("/api/reviews/{review_id}/look", dependencies=work)
    async def look(review_id: str, request: Request) -> dict[str, int]:
        wanted = await body_of(request, LookAt)
        with requests_of(app).room(review_id):
            return {"search": await reviews().look(review_id, wanted.turn)}

    @app.post("/api/reviews/{review_id}/search", dependencies=work)
    async def search(review_id: str, request: Request) -> Any:
        question = await body_of(request, Question)
        job, view = reviews().find(review_id), reviews().view(review_id, question.search)
        return await requests_of(app).think(question.ask(view), job.account, review_id)

    @app.get("/api/reviews/{review_id}/search.html", dependencies=work)
    async def search_file(review_id: str, search: int, language: str = "en") -> Response:
        pools: ThreadPools = app.state.pools
        job, view = reviews().find(review_id), reviews().view(review_id, search)
        write = functools.partial(viewer_file, view, language, pools.share.breathe)
        page = await requests_of(app).think(write, job.account, review_id)
        return Response(page, media_type="text/html", headers=NAMED)
