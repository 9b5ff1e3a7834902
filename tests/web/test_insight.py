"""Looking into a search on the page: the viewer with the server's answers."""

import httpx
import pytest

from hansu.errors import HansuError
from hansu.web.searches import MOST_SEARCHES, Searches
from tests.web.driving import sit_down


@pytest.mark.parametrize(("game", "agent"), [("tictactoe", "mcts_dev"), ("microchess", "mcts_dev")])
def test_an_analysis_can_be_looked_into(page, server, game, agent):
    sit_down(page, server, game=game)
    page.get_by_label("Who looks at it").select_option(agent)
    page.locator("#analysis-seconds").select_option("1")
    page.locator("#analyse").click()
    page.locator("#look-into").click()
    page.wait_for_selector("dialog.insight [role=treeitem]")
    page.wait_for_selector("dialog.insight .sv-board svg")
    page.locator("[role=treeitem]").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[role=treeitem][aria-level='2']")
    with page.expect_download() as saving:
        page.locator("dialog.insight a[download]").click()
    saved = saving.value.path().read_text(encoding="utf-8")
    assert saved.startswith("<!doctype html>")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.insight", state="detached")


def test_questions_about_no_search_get_one_sentence(server):
    made = httpx.post(f"{server.url}/api/tables", json={"game": "tictactoe"}, timeout=120).json()
    url = f"{server.url}/api/tables/{made['id']}/search"
    answer = httpx.post(url, json={"about": "info"})
    assert (answer.status_code, answer.json()["detail"]) == (
        400,
        "this search is not kept any more: let the agent look again",
    )
    assert httpx.post(url, json={"about": "tree"}).status_code == 422
    gone = httpx.post(f"{server.url}/api/tables/nowhere/search", json={"about": "info"})
    assert gone.json()["detail"] == "there is no such game any more"
    assert httpx.get(f"{url}.html").status_code == 400


def test_only_the_last_searches_are_kept():
    searches = Searches()
    views = [object() for _ in range(MOST_SEARCHES + 1)]
    for number, view in enumerate(views):
        searches.keep(number, view)
    with pytest.raises(HansuError, match="not kept any more"):
        searches.of(0)
    assert searches.of(1) is views[1]
    searches.forget(1)
    with pytest.raises(HansuError):
        searches.of(1)
