"""Ratings of all agents across tournaments, and axe on the pages after the game."""

import json
from importlib.resources import files

import hansu
from tests.web.driving import expect
from tests.web.talking import get

RECORD = hansu.play_game("tictactoe", "first_move", "random", seed=1)


def test_agents_of_different_tournaments_share_one_scale(page, other_server, tmp_path):
    hansu.tournament("tictactoe", "random", "minimax", rounds=2, out=tmp_path / "a", seed=1)
    hansu.tournament("tictactoe", "random", "first_move", rounds=2, out=tmp_path / "b", seed=2)
    hansu.tournament("connect4", "random", "first_move", rounds=1, out=tmp_path / "c", seed=3)
    server = other_server(tournaments=tmp_path)
    tables = get(server, "/api/ratings").json()["tables"]
    assert [(t["name"], t["tournaments"], t["games"]) for t in tables] == [
        *[("tictactoe", 2, 8), ("connect4", 1, 2)],
    ]
    rows = tables[0]["standings"]
    assert {row["agent"] for row in rows} == {"random", "minimax", "first_move"}
    assert [row["rating"] for row in rows] == sorted((row["rating"] for row in rows), reverse=True)
    page.goto(f"{server.url}/#/arena")
    page.get_by_role("link", name="Ratings of all agents").click()
    page.locator(".standings").nth(1).wait_for()
    expect(page.locator(".standings tbody tr")).to_have_count(5)
    page.goto("about:blank")


def test_axe_finds_nothing_after_the_game(new_page, other_server, tmp_path):
    axe = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    hansu.tournament("tictactoe", "random", "first_move", rounds=1, out=tmp_path / "cups" / "a")
    server = other_server(data=tmp_path, tournaments=tmp_path / "cups")
    page = new_page(bypass_csp=True)

    def check(where):
        page.add_script_tag(content=axe)
        found = page.evaluate("() => axe.run({resultTypes: ['violations']})")["violations"]
        told = [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found]
        assert told == [], f"{where}: {json.dumps(told, indent=1)}"

    page.goto(f"{server.url}/#/replay")
    page.get_by_label("Or paste a game").fill(RECORD.as_json())
    page.get_by_role("button", name="Open").click()
    page.get_by_role("button", name="Review this game").click()
    page.locator(".accuracy").wait_for()
    page.wait_for_function("() => !document.querySelector('.running')")
    check("review")
    page.goto(f"{server.url}/#/analysis?game=tictactoe")
    page.get_by_text("Set up by hand").click()
    page.locator(".editor svg").wait_for()
    check("editor")
    page.goto(f"{server.url}/#/replay")
    page.get_by_label("Or paste a game").fill("(;GM[1]SZ[5];B[cc];W[cc]")
    page.get_by_role("button", name="Open").click()
    page.locator(".left-out li").first.wait_for()
    check("a damaged game")
    for route in ("library", "arena/ratings", "arena/tournament/a"):
        page.goto(f"{server.url}/#/{route}")
        page.locator("h1, .standings").last.wait_for()
        check(route)
    page.goto("about:blank")
