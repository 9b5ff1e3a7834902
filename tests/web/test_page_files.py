"""The page's own files: what browsers ask for is answered from memory, and as it is now."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from hansu.display.page import STATIC
from hansu.web.page_files import PageFiles


class Asked:
    """The files of a folder, asked for one after another."""

    def __init__(self, folder=STATIC):
        self.files = PageFiles(folder)

    def get(self, path, method="GET", **headers):
        async def answer():
            transport = httpx.ASGITransport(self.files)
            async with httpx.AsyncClient(transport=transport, base_url="http://page") as client:
                return await client.request(method, path, headers=headers)

        with ThreadPoolExecutor(1) as own:  # a browser's loop may run in this thread
            return own.submit(asyncio.run, answer()).result()


def test_every_file_is_answered_as_it_is():
    ask = Asked()
    for file in STATIC.rglob("*"):
        if file.is_file():
            answer = ask.get(f"/{file.relative_to(STATIC).as_posix()}")
            assert answer.status_code == 200
            assert answer.content == file.read_bytes()
    assert ask.get("/").content == (STATIC / "index.html").read_bytes()
    kinds = {
        name: ask.get(name).headers["content-type"]
        for name in ("/", "/style.css", "/js/main.js", "/icon.svg", "/manifest.webmanifest")
    }
    assert kinds == {
        "/": "text/html; charset=utf-8",
        "/style.css": "text/css; charset=utf-8",
        "/js/main.js": "text/javascript; charset=utf-8",
        "/icon.svg": "image/svg+xml",
        "/manifest.webmanifest": "application/manifest+json",
    }


def test_what_a_browser_has_is_not_sent_again_until_it_changes(tmp_path):
    (tmp_path / "index.html").write_text("old")
    ask = Asked(tmp_path)
    first = ask.get("/")
    again = ask.get("/", **{"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    (tmp_path / "index.html").write_text("newer")
    edited = ask.get("/", **{"if-none-match": first.headers["etag"]})
    assert (edited.status_code, edited.text) == (200, "newer")
    (tmp_path / "index.html").unlink()
    assert ask.get("/").status_code == 404


def test_files_are_packed_for_who_can_unpack_them():
    ask = Asked()
    packed = ask.get("/style.css", **{"accept-encoding": "gzip"})
    plain = ask.get("/style.css", **{"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < len(plain.content) / 2


@pytest.mark.parametrize("path", ["/../page.py", "/%2e%2e/page.py", "/js", "/js/", "/none.js"])
def test_nothing_else_is_there(path):
    ask = Asked()
    assert ask.get(path).status_code == 404


def test_files_are_only_read():
    ask = Asked()
    assert ask.get("/style.css", "POST").status_code == 405
    head = ask.get("/style.css", "HEAD")
    assert (head.status_code, head.content) == (200, b"")
