"""Nothing is lost: games and tournaments survive the server, and can be given away."""

from dataclasses import replace

import hansu
from hansu.records.record import GameRecord
from hansu.records.sgf import read_sgf
from hansu.web import library
from hansu.web.library import Library
from hansu.web.shared_games import shared_game
from tests.web.driving import click, expect, sit_down, wait_for_moves
from tests.web.talking import get, hear, join, open_table, post, say, until

RECORD = hansu.play_game("tictactoe", "first_move", "random", seed=1)


def kept(server):
    return get(server, "/api/library").json()["games"]


def test_a_game_survives_a_restart_and_is_played_on(page, other_server, tmp_path):
    before = other_server(data=tmp_path)
    sit_down(page, before, game="tictactoe", black={"agent": "first_move"})
    assert page.url.count("/") == 5  # no key in the address: http://host/#/table/ID
    click(page, "b2")
    wait_for_moves(page, 2)
    table = page.url.rpartition("/")[2]
    page.goto("about:blank")
    before.close()
    after = other_server(data=tmp_path)
    assert [game["id"] for game in kept(after)] == [table]
    page.goto(f"{after.url}/#/table/{table}")
    page.locator(".moves li").nth(2).wait_for()  # the start, and both moves
    page.keyboard.press("End")
    page.get_by_role("button", name="Play on from here").click()
    page.locator("#do-undo").wait_for()
    expect(page.locator(".player.black b")).to_have_text("First move")
    click(page, "a3")
    page.wait_for_function("() => document.querySelectorAll('[data-piece]').length >= 4")
    page.goto("about:blank")  # the server ends before the page


def test_the_library_lists_games_and_deletes_them(page, other_server, tmp_path):
    server = other_server(data=tmp_path)
    for _ in range(2):
        post(server, "/api/library", {"record": RECORD.as_json()})
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{server.url}/#/library")
    page.get_by_text("2 games").wait_for()
    page.get_by_role("button", name="Delete").first.click()
    page.get_by_text("1 game", exact=True).wait_for()
    page.locator(".library .games a").click()
    page.locator(".stepping").wait_for()
    assert len(list((tmp_path / "games").iterdir())) == 1


def test_games_in_progress_are_kept_while_they_are_played(other_server, tmp_path):
    server = other_server(data=tmp_path)
    with join(server, open_table(server)) as line:
        hear(line, "state")
        say(line, "move", move="b2")
        until(lambda: kept(server))
    assert kept(server)[0]["reason"] == "unfinished"


def test_a_position_with_a_comment_is_kept(tmp_path):
    shelf = Library(tmp_path)
    empty = GameRecord("tictactoe", "a", "b", "XX.OO....", True, 1)
    shelf.keep("empty", empty)
    shelf.keep("said", replace(empty, comments={0: "X wins"}))
    assert [game["id"] for game in shelf.games()] == ["said"]


def test_nobody_fills_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(library, "MOST_GAMES", 8)
    shelf = Library(tmp_path, shared=True)
    shelf.keep("mine", RECORD, "10.0.0.1")
    for number in range(20):
        shelf.keep(f"flood{number}", RECORD, "10.0.0.2")
    names = [game["id"] for game in shelf.games()]
    assert names == ["flood19", "flood18", "mine"]
    assert len(list((tmp_path / "games").iterdir())) == 3
    monkeypatch.setattr(library, "MOST_BYTES", 1)
    shelf.keep("last", RECORD, "10.0.0.3")
    assert shelf.games() == []


def test_only_games_are_kept_and_only_by_their_ids(other_server, tmp_path):
    secret = tmp_path / "secret.jsonl"
    secret.write_text(RECORD.as_json())
    data = tmp_path / "data"
    server = other_server(data=data)
    (data / "games").mkdir(parents=True)
    (data / "games" / "broken.jsonl").write_text("{}")
    for name in ("..%2F..%2Fsecret", "secret", "broken", "%00", "a" * 100):
        assert get(server, f"/api/library/{name}").status_code in (400, 404)
    for record in ("{}", "hello", RECORD.as_json().replace('"a1"', '"z9"')):
        assert post(server, "/api/library", {"record": record}).status_code == 400
    assert kept(server) == []


def test_visitors_from_elsewhere_see_no_list(other_server, tmp_path):
    server = other_server(host="0.0.0.0", token="t", data=tmp_path)
    made = post(server, "/api/library", {"record": RECORD.as_json()}, **{"x-hansu-token": "t"})
    assert get(server, "/api/library").json()["rule"] == "library_here"
    assert not get(server, "/api/offer").json()["library"]
    linked = get(server, f"/api/library/{made.json()['id']}")  # who has the link can open it
    assert GameRecord.from_json(linked.text) == RECORD
    assert post(server, "/api/library", {"record": RECORD.as_json()}).status_code == 401


def test_a_game_is_given_away_in_every_form(page, server, tmp_path):
    page.goto(f"{server.url}/#/replay")
    page.get_by_label("Or paste a game").fill(RECORD.as_json())
    page.get_by_role("button", name="Open").click()
    found = {}
    for name in ("Page of one file", "Animated picture", "JSON lines"):
        page.locator("summary", has_text="Share").click()
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        page.locator("summary", has_text="Share").click()
        found[name] = download.value.path().read_text(encoding="utf-8")
    assert GameRecord.from_json(found["JSON lines"]) == RECORD
    assert found["Animated picture"].startswith("<svg")
    file = tmp_path / "game.html"
    file.write_text(found["Page of one file"], encoding="utf-8")
    page.goto(file.as_uri())
    page.locator(".board svg").wait_for()
    page.keyboard.press("End")
    expect(page.locator(".moves [aria-current] .move")).to_have_text(RECORD.moves[-1])


def test_a_page_of_one_file_shows_variations_and_all_controls(new_page, tmp_path):
    (record,) = read_sgf("(;GM[1]SZ[9];B[ee];W[dd](;B[cc];W[gg])(;B[gg]C[why?]))")
    file = tmp_path / "game.html"
    file.write_bytes(shared_game(record, "html"))
    page = new_page(viewport={"width": 1366, "height": 768})
    page.goto(file.as_uri())
    page.locator(".said", has_text="why?").wait_for()
    shown = page.locator(".branch > ol").evaluate("list => getComputedStyle(list).listStyleType")
    assert shown == "none"  # a line of moves, not a numbered list
    bar = page.locator(".stepping").bounding_box()
    assert bar["y"] + bar["height"] <= 768


def test_a_tournament_survives_a_restart(other_server, tmp_path):
    slow = {"agent": "mcts", "options": {"n_simulations": 1_000_000, "search_time": 0.3}}
    wanted = {"game": "tictactoe", "agents": [slow, {"agent": "first_move"}]}
    before = other_server(data=tmp_path)
    name = post(before, "/api/tournaments", {**wanted, "rounds": 100}).json()["name"]
    until(lambda: get(before, f"/api/tournaments/{name}").json()["played"])
    before.close()
    after = other_server(data=tmp_path)
    told = get(after, f"/api/tournaments/{name}").json()
    assert (told["state"], len(told["played"]) > 0) == ("stopped", True)
    assert post(after, f"/api/tournaments/{name}/go_on", {}).status_code == 200
    assert get(after, f"/api/tournaments/{name}").json()["state"] in ("waiting", "playing")
