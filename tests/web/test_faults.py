"""Faults that people have found on the page: each stays mended."""

import re

import hansu
from hansu.records.jsonl import write_jsonl
from hansu.records.record import GameRecord, Turn
from tests.web.driving import click, sit_down, wait_for_moves
from tests.web.talking import get, hear, join, open_table, post, say, until


def test_an_analysis_uses_the_time_that_it_is_given(server):
    with join(server, open_table(server, game="connect4")) as line:
        hear(line, "state")
        say(line, "analyze", agent={"agent": "mcts"}, seconds=4.0)
        while not (said := hear(line, "search"))["done"]:
            pass
        # It once ended after 1.9 s, however long it was given. A step too late is left out, which
        # a busy machine makes long.
        assert said["info"]["seconds"] >= 2.5


def test_a_stopped_tournament_has_no_game_in_progress(other_server, tmp_path):
    slow = {"agent": "mcts", "options": {"n_simulations": 10**6, "search_time": 0.5}}
    wanted = {"game": "tictactoe", "agents": [slow, {"agent": "first_move"}], "rounds": 50}
    server = other_server(data=tmp_path)
    name = post(server, "/api/tournaments", wanted).json()["name"]

    def told():
        return get(server, f"/api/tournaments/{name}").json()

    until(lambda: told()["playing"])
    post(server, f"/api/tournaments/{name}/stop", {})
    until(lambda: told()["state"] == "stopped")
    until(lambda: not told()["playing"])


def test_a_korean_page_says_nothing_in_english(new_page, server):
    page = new_page(locale="ko-KR")
    sit_down(page, server, game="go", rules={"size": 5}, moves=["C3"])
    wait_for_moves(page, 1)
    page.locator("#do-pass").click()
    wait_for_moves(page, 2)
    page.locator("[data-passed]", has_text="한 수 쉼").wait_for()
    assert not re.search("pass", page.locator(".moves").inner_text(), re.IGNORECASE)
    page.locator("#do-pass").click()
    page.locator("#do-agree").wait_for()
    click(page, "A1")  # nothing stands there
    page.locator(".toast", has_text="A1에는 돌이 없습니다").wait_for()
    click(page, "C3")
    page.wait_for_function("() => document.querySelector('#news').textContent.includes('C3')")
    page.locator("#do-agree").click()
    page.locator(".status.over").wait_for()
    said = page.locator(".status").inner_text()
    assert not re.search("dead stones|passed|White|Black", said), said


def test_agents_have_names_and_a_search_shows_at_once_that_it_began(page, server):
    sit_down(page, server, game="tictactoe", moves=["b2"])
    page.get_by_label("Analyse with").select_option("minimax")
    page.evaluate(
        "() => { const place = document.querySelector('#search .soft');"
        " window.signs = []; new MutationObserver(() => window.signs.push(place.textContent))"
        ".observe(place, {childList: true, characterData: true, subtree: true}); }"
    )
    page.locator("#analyse").click()
    page.locator("#search tbody tr").first.wait_for()
    signs = page.evaluate("() => window.signs")
    assert signs[0].startswith("Searching")
    assert "nodes in 0 s" not in signs[-1]
    page.locator("#look-into").click()
    page.locator("dialog .sv-head strong", has_text="Minimax").wait_for()
    page.get_by_role("button", name="Close").click()


def test_a_chart_speaks_of_the_colours_that_the_game_has(page, server):
    record = GameRecord("connect4", "a", "b", "", True, 0)
    record.start = hansu.game("connect4").start().text()
    record.turns = [Turn(move, 0.1, 0.5) for move in "4453"]
    page.goto(f"{server.url}/#/replay")
    page.get_by_label("Or paste a game").fill(write_jsonl([record]))
    page.get_by_role("button", name="Open").click()
    title = page.locator(".chart figcaption").first.inner_text()
    assert "Yellow" in title
    assert "White" not in title
    page.get_by_role("button", name="Another game").click()
    page.get_by_label("Or paste a game").fill("4\n44\n")
    page.get_by_role("button", name="Open").click()
    page.locator(".games li").nth(1).wait_for()
    texts = page.locator(".games small").all_inner_texts()
    assert [re.search(r"\d+ moves?", text)[0] for text in texts] == ["1 move", "2 moves"]


def test_a_link_says_where_it_can_be_opened(new_page, server):
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    sit_down(page, server, game="tictactoe", moves=["b2"])
    page.locator("summary", has_text="Save").click()
    page.get_by_role("button", name="Copy spectator link").click()
    page.locator(".toast", has_text="this computer").wait_for()  # a loopback address
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied == page.url
    assert copied.count("/") == 5  # and no key in it


def test_a_match_is_called_a_match(other_server, page, tmp_path):
    hansu.tournament("tictactoe", "random", "first_move", rounds=2, out=tmp_path / "cup")
    server = other_server(tournaments=tmp_path)
    page.goto(f"{server.url}/#/arena/tournament/cup")
    page.wait_for_selector(".standings")
    about = " ".join(page.locator("header .soft").all_inner_texts())
    assert "Match" in about
    assert "ound robin" not in about


def test_a_folder_for_tournaments_is_made(other_server, tmp_path):
    folder = tmp_path / "not" / "there"
    server = other_server(tournaments=folder)
    wanted = {"game": "tictactoe", "agents": [{"agent": "random"}, {"agent": "first_move"}]}
    name = post(server, "/api/tournaments", wanted).json()["name"]
    until(lambda: (folder / name).is_dir())


def test_a_search_that_is_refused_gives_no_sign_of_going_on(page, server):
    sit_down(page, server, game="tictactoe", moves=["b2", "a1", "b1", "a2", "b3"])  # a line
    page.locator(".status.over").wait_for()
    page.locator("#analyse").click()
    page.locator(".toast", has_text="The game is over").wait_for()
    page.locator("#search", has_text="The best moves appear here").wait_for()
