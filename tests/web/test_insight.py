"""Looking into a search on the page: the viewer with the server's answers."""

import httpx
import pytest

from hansu.errors import HansuError
from hansu.web.searches import MOST_SEARCHES, Searches
from tests.web.driving import expect, played, sit_down, wait_for_moves

SHOWN = {
    "mcts": "MCTS",
    "mcts_dev": "MCTS (fixed simulations)",
    "abp_negamax": "Alpha–beta",
    "self_learning": "Self-taught network",
}


@pytest.mark.parametrize(("game", "agent"), [("tictactoe", "mcts_dev"), ("microchess", "mcts_dev")])
def test_an_analysis_can_be_looked_into(page, server, tmp_path, game, agent):
    sit_down(page, server, game=game)
    page.get_by_label("Analyse with").select_option(agent)
    page.locator("#analysis-seconds").select_option("1")
    page.locator("#analyse").click()
    page.locator("#look-into").click()
    page.wait_for_selector("dialog.insight [role=treeitem]")
    page.wait_for_selector("dialog.insight .sv-board svg")
    page.locator("[role=treeitem]").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[role=treeitem][aria-level='2']")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as one file").click()
    assert saving.value.suggested_filename == "hansu-search.html"
    saved = saving.value.path().read_text(encoding="utf-8")
    assert saved.startswith("<!doctype html>")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.insight", state="detached")
    file = tmp_path / "search.html"
    file.write_text(saved, encoding="utf-8")
    page.goto(file.as_uri())
    page.locator("strong", has_text=SHOWN[agent]).wait_for()  # not the name in the table of agents
    assert page.title().endswith(f": {SHOWN[agent]}")


def test_who_has_no_token_is_not_offered_to_look_into_a_search(other_server, page, new_page):
    server, right = other_server(token="secret"), {"x-hansu-token": "secret"}
    wanted = {"game": "hex"}  # where a hint comes from a tree
    made = httpx.post(f"{server.url}/api/tables", json=wanted, headers=right, timeout=120).json()
    spectator = new_page()
    spectator.goto(f"{server.url}/#/table/{made['id']}")
    page.goto(f"{server.url}/#/table/{made['id']}/{made['key']}?token=secret")
    for tab in (page, spectator):
        tab.wait_for_selector(".board svg")
    page.get_by_role("button", name="Hint").click()
    for tab in (page, spectator):
        tab.wait_for_selector("#search tbody tr")
    expect(spectator.locator("#look-into")).to_be_hidden()
    page.locator("#look-into").click()
    page.wait_for_selector("dialog.insight [role=treeitem]")
    with page.expect_request("**/search.html*") as asked, page.expect_download():
        page.get_by_role("button", name="Save as one file").click()
    assert asked.value.header_value("x-hansu-token") == "secret"


def test_questions_about_no_search_get_one_sentence(server):
    made = httpx.post(f"{server.url}/api/tables", json={"game": "tictactoe"}, timeout=120).json()
    url = f"{server.url}/api/tables/{made['id']}/search"
    answer = httpx.post(url, json={"search": 0, "about": "info"})
    assert (answer.status_code, answer.json()["detail"]) == (
        400,
        "this search is no longer kept: analyse again",
    )
    assert httpx.post(url, json={"search": 0, "about": "tree"}).status_code == 422
    gone = httpx.post(
        f"{server.url}/api/tables/nowhere/search", json={"search": 0, "about": "info"}
    )
    assert gone.json()["detail"] == "there is no such game any more"
    assert httpx.get(f"{url}.html?search=0").status_code == 400


def test_only_the_last_searches_are_kept():
    searches, table, other = Searches(), object(), object()
    numbers = [searches.new_number() for _ in range(MOST_SEARCHES + 1)]
    for number in numbers[:-1]:
        searches.keep(table, number, f"view {number}")
    searches.of(table, numbers[0])  # somebody is looking at it
    searches.keep(other, numbers[-1], "another")
    with pytest.raises(HansuError, match="no longer kept"):
        searches.of(table, numbers[1])
    with pytest.raises(HansuError):
        searches.of(other, numbers[0])
    assert searches.of(table, numbers[0]) == "view 0"
    searches.forget(table)
    with pytest.raises(HansuError):
        searches.of(table, numbers[0])
    assert searches.of(other, numbers[-1]) == "another"


@pytest.mark.parametrize(
    ("game", "agent"),
    [
        ("connect4", {"agent": "mcts", "options": {"n_simulations": 2000}}),
        ("connect4", {"agent": "abp_negamax", "options": {"depth": 4}}),
        ("microchess", {"agent": "self_learning", "options": {"n_simulations": 200}}),
    ],
)
def test_an_opponents_own_search_can_be_looked_into_after_its_move(page, server, game, agent):
    sit_down(page, server, game=game, black=agent, think=1)
    move = page.locator(".board .open").first
    move.click()
    if game == "microchess":
        box = page.locator(".marks circle").first.bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    wait_for_moves(page, 2)
    page.locator("#thinking").check()
    page.locator("#look-into").click()
    page.wait_for_selector("dialog.insight [role=treeitem]")
    expect(page.locator(".sv-head")).to_contain_text(SHOWN[agent["agent"]])
    first = page.locator("dialog.insight [role=treeitem]").first
    first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[role=treeitem][aria-level='2']")
    page.wait_for_selector("dialog.insight .sv-board svg")
    assert page.locator("dialog.insight .sv-steps, dialog.insight button").count() > 2


IS_FOLLOWED = """async () => {
  const told = () => document.querySelector(".sv-head").innerText, before = told();
  for (let looks = 0; looks < 60 && told() === before; looks += 1) {
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
  return told() !== before;
}"""


def test_a_search_is_followed_while_it_goes_on_and_stays_when_the_game_goes_on(page, server):
    agent = {"agent": "mcts", "options": {"search_time": 30, "n_simulations": 100_000_000}}
    sit_down(page, server, game="connect4", white=agent, black={"agent": "first_move"}, think=4)
    page.locator("#look-into").click()
    page.wait_for_selector("dialog.insight [role=treeitem]")
    while not page.evaluate(IS_FOLLOWED):  # on a busy machine it was over: look into the next one
        page.keyboard.press("Escape")
        wait_for_moves(page, len(played(page)) + 2)
        page.locator("#look-into").click()
        page.wait_for_selector("dialog.insight [role=treeitem]")
    wait_for_moves(page, len(played(page)) + 2)
    page.locator("[role=treeitem]").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[role=treeitem][aria-level='2']")


def test_terms_are_explained_to_pointer_keys_and_screen_readers(page, server):
    sit_down(page, server, game="tictactoe", moves=["b2"])
    page.locator("#analyse").click()
    page.locator("#search tbody tr").first.wait_for()
    word = page.locator("#search .term", has_text="Win rate")
    expect(page.locator(".tip")).to_have_count(0)
    word.hover()
    page.locator(".tip", has_text="winning chances").wait_for()
    page.mouse.move(5, 5)
    page.locator(".tip").wait_for(state="hidden")
    page.locator("#stop").focus()
    for _ in range(60):  # reached by the keyboard, too
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('term')"):
            break
    page.locator(".tip").wait_for()
    page.keyboard.press("Escape")
    page.locator(".tip").wait_for(state="hidden")
    described = word.get_attribute("aria-describedby")
    assert "winning chances" in page.locator(f"#{described}").text_content()
    page.locator("#look-into").click()
    page.locator("dialog .sv-moves .term").first.wait_for()
    page.locator("dialog .sv-moves .term", has_text="win rate").click()
    page.locator("dialog .tip", has_text="winning chances").wait_for()
    page.get_by_role("button", name="Close").click()


def test_terms_are_explained_in_korean(new_page, server):
    page = new_page(locale="ko-KR")
    sit_down(page, server, game="tictactoe", moves=["b2"])
    page.locator(".explained .term").first.click()
    page.locator(".tip", has_text="탐색이 살펴보는 수").wait_for()
